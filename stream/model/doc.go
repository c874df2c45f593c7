// Package model holds what computes a prediction. Config is the configuration that reaches a feature, a score or a
// rejection. Processor predicts, scores and learns for run, recovery, replay and verify.
//
// The package also stores a model: Save writes a Processor with its Header as a checkpoint, Read rebuilds both, and
// WriteFile writes a model that was trained elsewhere. A Summary is what people see of a saved model.
package model
