// Package decision turns the scores of two labels into probabilities and predictions, and learns both from the labels
// as they become known. No weight of a learner depends on it.
//
// A Platt maps a score s to the log-odds t = max(a, 0)·s + c of the positive label, and learns a and c. A Cut predicts
// positive from a log-odds on, by a Rule. Three of the rules move it, so that a figure comes to its target over the
// examples that follow, and cost, so that mistakes cost little:
//
//	odds := platt.Odds()
//	p := MillionthsOf(Sigmoid(odds.Of(s)))
//	positive, threshold, has := cut.Decide(s, odds)     // nothing changes
//	cut.Publish(positive)                               // the prediction is published
//	t := platt.Odds().Of(s)                             // its label is known:
//	platt.Learn(s, label)                               // first the calibration learns it,
//	cut.Learn(t, label, positive, waiting)              // then the cut
//
// Both are plain values: an assignment copies them. Their JSON is their state. The same calls give the same bits on
// every machine. Products are rounded before they are added, and exponentials and logarithms are our own.
package decision
