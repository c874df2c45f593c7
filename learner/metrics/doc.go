// Package metrics measures predictions while they are made: Binary two labels, Multiclass several classes. Each
// example is scored before its label is learned (prequential evaluation: Dawid 1984), over all examples, over the
// latest Window of them and with weights that fade (Gama, Sebastião and Rodrigues 2013), beside two baselines:
// no-change predicts the label before, majority the most frequent one so far.
//
// The package uses the standard library only. Scores belong to one goroutine. They survive encoding/json to the bit.
package metrics
