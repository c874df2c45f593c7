// Package journal is what stands in a model's output and dead-letter topics: how its entries are encoded and read back.
//
// An entry of the output topic is a [Prediction]: the score of one input record, numbered by seq in the order of
// learning. A record that is rejected has a [DeadLetter] instead. Both name the model that wrote them as name@epoch.
package journal
