// Package journal encodes and reads the records of a model's output, outcomes and dead-letter topics.
//
// The journal is the output topic and, with later labels, the outcomes topic. Its entries are numbered by one seq over
// both, in the order of learning. An entry of the output is a [Prediction] for one input record, an entry of the
// outcomes an [Outcome] of one prediction. A rejected record has a [DeadLetter] instead. All name the model that wrote
// them as name@epoch.
//
// PredictionEncoder.Append writes the fields of a prediction: a new one is added there, and its value in package model.
package journal
