// Package journal encodes and reads the records of a model's output and dead-letter topics.
//
// An entry of the output topic is a [Prediction] for one input record, numbered by seq in the order of learning. A
// rejected record has a [DeadLetter] instead. Both name the model that wrote them as name@epoch.
//
// PredictionEncoder.Append writes the fields of a prediction: a new one is added there, and its value in package model.
package journal
