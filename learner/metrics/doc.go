// Package metrics measures predictions while they are made: Binary keeps the running score of two labels, Multiclass
// that of several classes. Each example is scored before its label is learned (prequential evaluation: Dawid 1984),
// over all examples, over the latest Window of them and with weights that fade (Gama, Sebastião and Rodrigues 2013),
// beside two baselines that see the same labels: no-change predicts the label before, majority the most frequent one
// so far.
//
// The package uses the standard library only. Scores belong to one goroutine. They survive encoding/json to the bit.
package metrics
