// Package learner holds the arithmetic of online learning: binary learners over hashed features, their online scaling, their
// readable names and their prequential score. It uses the standard library only; it starts no goroutine, reads no clock,
// writes no log and does no I/O.
//
// A Spec says which learner is wanted, New makes a Model of it. One labelled example takes three calls, and the caller's
// own work stands between them:
//
//	score, err := model.Predict(x)               // the answer; the model is as it was
//	updated, err := model.Prepare(label, weight) // would it learn? may it? the model is as it was
//	fresh := model.Learn()                       // now it changes
//
// The learners, with y = -1 or 1 the label, s = w·x + b the score, l = max(0, 1 - y·s) and n = ‖(x, 1)‖²; each type's comment
// has its formula and whose it is:
//
//	perceptron  when y·s <= threshold: (w, b) += rate·y·(x, 1)           Rosenblatt 1958
//	averaged    the same, answering with the mean of its weights         Freund and Schapire 1999
//	pa          (w, b) += (l/n)·y·(x, 1)                                 Crammer et al. 2006
//	pa1, pa2    with min(C, l/n), with l/(n + 1/(2C))                    Crammer et al. 2006
//	arow        a step for each weight, by how unsure it still is        Crammer, Kulesza and Dredze 2009
//	logistic    gradient of the log-loss, a rate for each weight         Duchi, Hazan and Singer 2011
//	dual        s = Σ rate·k_i·y_i·K(x_i, x) + b over examples kept      Aizerman, Braverman and Rozonoer 1964
//
// Their parameters with the defaults, as ParseLearner reads them ("perceptron:rate=0.5,threshold=1"); Spec has the ranges:
//
//	perceptron  rate=1, threshold=0, update=threshold or mistake, decay=0, l1=0, l2=0
//	averaged    rate, threshold, update; window or decay of the mean, default all examples
//	pa1, pa2    C=1
//	arow        r=1, floor=0
//	logistic    rate=0.1, decay=0, l1=0, l2=0
//	dual        rate, threshold, update; kernel=linear, poly (degree=2, offset=1) or rbf (gamma=1); budget=1000
//	all         positive-weight=1, negative-weight=1: multiply the weight of examples with that label
//
// A mean over all examples, and variances without a floor, stop following a stream that drifts: set window, decay or floor.
//
// What they have in common:
//   - The bias is the weight of one more feature, always 1, never scaled and learned like any other, so it counts in n. A
//     feature of value 0 has no part in a step: its weight, and what is kept beside it, stay to the bit. A vector of zeros
//     changes no weight therefore; only the bias learns from it, as it must for AND's first row, (0, 0).
//   - An example's weight times its class's (PositiveWeight, NegativeWeight) multiplies the step. It does not change when a
//     learner learns, nor arow's variances and AdaGrad's sums; in the dual it is what a count rises by. With a weight of 0
//     only scaling and names learn.
//   - A step costs the non-zeros of its example, whatever the number of slots, means and pulls to 0 included: those are
//     worked out when a slot is read. The dual's costs the non-zeros of all examples kept.
//   - Updated means that the example moved weights. Time is not an update: means, falling rates and l1 and l2 take note of
//     every labelled example.
//   - What might not stay finite is refused by Predict or Prepare, ErrOverflow, and nothing has changed.
//
// A Multi tells more than two classes apart, with the same calls: a MultiSpec says which learner and how its vectors are put
// together, labels are the user's own words, and a MultiScore is its Score.
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
