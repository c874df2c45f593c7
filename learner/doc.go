// Package learner holds the arithmetic of online learning: a binary perceptron over hashed features, its online scaling, its
// readable names and its prequential score. It uses the standard library only; it starts no goroutine, reads no clock,
// writes no log and does no I/O.
//
// A Spec says which learner is wanted, New makes a Model of it. One labelled example takes three calls, and the caller's
// own work stands between them:
//
//	score, err := model.Predict(x)               // the answer; the model is as it was
//	updated, err := model.Prepare(label, weight) // would it learn? may it? the model is as it was
//	fresh := model.Learn()                       // now it changes
//
// An example without a label ends after Predict. A Score keeps what the answers were worth, beside two baselines that see
// the same labels.
//
// The same calls give the same bits on every machine. Sums run in the order of the features, no Go map is in any of them,
// and every product is rounded before it is added: float64(x*y) + z keeps compilers from fusing the two (Go specification,
// "Floating-point operators").
//
// What to know:
//   - A Model and a Score belong to one goroutine. Others read copies: CopyTo for a Model, plain assignment for a Score.
//     Explain, Names, Top and Columns only read, so many may use them on a copy that nobody changes.
//   - Two names may share a slot and then share a weight. A fingerprint of 15 bits per slot finds all but one in 32,767 of
//     such pairs; Collisions counts slots, not names.
//   - Two features of one example may share a slot too. They are taken one after the other: both are scaled against the
//     statistics from before the example, both count in the score, both are learned.
//   - The table of names keeps the first names it meets, up to Spec.MaxNames. Weights without a name are shown as "#slot".
//     The table grows by doubling, so once in a long while adding a name costs a copy of the table.
package learner
