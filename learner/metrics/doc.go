// Package metrics measures predictions while they are made: Binary two labels, Multiclass several classes. Each example
// is scored before its label is learned (prequential evaluation: Dawid 1984). Figures are over all examples, over the
// latest Window of them and with weights that fade (Gama, Sebastião and Rodrigues 2013). Beside them are two baselines:
// no-change predicts the label before, majority the most frequent one so far. Of labels that come later, baselines know
// those that had come by then, as the learner does.
//
// The package uses the standard library only. Scores belong to one goroutine. Their JSON, with what AppendLast and
// AppendBins add, has them to the bit.
//
// A new figure is computed in counters, from Binary.AddLate and Multiclass.AddLate (which have to pass it the mistake),
// and shown in Report; probabilities.go is an example. Its state is saved in binary_state.go and multiclass_state.go.
// It is optional there and holds no pointers or slices: CopyTo assigns it.
// Packages stream/web and stream/report show figures to users.
package metrics
