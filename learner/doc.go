// Package learner holds the arithmetic of online learning: learners over hashed features, online scaling and the
// names of features. It uses the standard library only and has no goroutine, clock, log or I/O.
//
// A Spec describes a learner, New makes a Model of it. One labelled example takes three calls:
//
//	score, err := model.Predict(x)               // the model does not change
//	updated, err := model.Prepare(label, weight) // would the weights change? the model does not change
//	fresh := model.Learn()                       // the model learns the example
//
// An example without a label ends after Predict. A Multi is a model of several classes with the same calls; a MultiSpec
// describes its learner and how several vectors are combined, and its labels are strings.
//
// The learners, with label y = -1 or 1, score s = w·x + b, loss l = max(0, 1 - y·s) and n = ‖(x, 1)‖²:
//
//	perceptron  when y·s <= threshold: (w, b) += rate·y·(x, 1)          Rosenblatt 1958, Krauth and Mézard 1987
//	averaged    the same; predicts with the mean of its weights         Freund and Schapire 1999
//	pa          (w, b) += (l/n)·y·(x, 1)                                Crammer et al. 2006
//	pa1         (w, b) += min(C, l/n)·y·(x, 1)                          Crammer et al. 2006
//	pa2         (w, b) += l/(n + 1/(2C))·y·(x, 1)                       Crammer et al. 2006
//	arow        when l > 0: a step for each weight by its variance      Crammer, Kulesza and Dredze 2009
//	logistic    gradient of the log-loss, a rate for each weight        Duchi, Hazan and Singer 2011 (AdaGrad)
//	alma        when y·s is small: a shrinking step, ‖(w, b)‖ <= 1      Gentile 2001 (ALMA, p = 2)
//	dual        s = Σ rate·k_i·y_i·K(x_i, x) + b over kept examples     Aizerman, Braverman and Rozonoer 1964
//
// Their parameters with ranges and defaults, as ParseLearner reads them ("perceptron:rate=0.5,threshold=1"):
//
//	perceptron  rate (0, 1] = 1, threshold [0, 1e30] = 0, update = threshold | mistake,
//	            decay [0, 1e30] = 0, l1 [0, 1e30] = 0, l2 [0, 1e30] = 0
//	averaged    rate, threshold, update as above; of the mean: window [2, 2^30] or decay [0.5, 1), default neither
//	pa1, pa2    C (0, 1e30] = 1
//	arow        r (0, 1e30] = 1, floor [0, 1] = 0
//	logistic    schedule = adagrad | constant, rate (0, 1] = 0.5, of constant 0.1, decay, l1, l2 as above,
//	            of adagrad: window [2, 2^30] = 300, or 0
//	alma        alpha (0, 1] = 0.9, B (0, 1e30] = 1/0.9, C (0, 1e30] = √2
//	dual        rate, threshold as above, update = threshold | mistake | pa1, C (0, 1e30] = 1 of update=pa1;
//	            predict = last | mean; kernel = linear | poly | rbf, budget [1, 2^20] = 1000;
//	            of poly: degree [1, 100] = 2, offset [0, 1e30] = 1; of rbf: gamma (0, 1e30] = 1
//	all         positive-weight (0, 1e30] = 1, negative-weight (0, 1e30] = 1: multiply the weights of examples;
//	            bias = 1 | 0: 0 is without
//
// A mean over all examples, AdaGrad's sums over all gradients, and variances without a floor stop following a stream
// that drifts. Set window, decay or floor against that. Scaling follows with a half-life (ParseScale). Learners returns
// this table.
//
// To add a learner, name it (a constant in spec.go) and add a row to learners.go. Implement method (method.go; embed
// additive for steps along (x, 1)). Tables are named in column.go; weights, as scores use them, start at 0.
// .github/CONTRIBUTING.md has the recipe.
//
// Rules for all learners:
//   - The bias is the weight of one more feature, always 1, never scaled and learned like any other.
//   - A feature of value 0 has no part in a step: its weight and its other state do not change by a bit.
//   - The weight of an example times that of its label (PositiveWeight, NegativeWeight) multiplies the step. Of pa1 and
//     pa2 it multiplies C, of pa it shortens the step if it is under 1. It does not decide whether a learner updates,
//     and it does not affect arow's variances and AdaGrad's sums. In the dual it is added to a count, but does not
//     decide which example is dropped. With a weight of 0 only scaling and names learn.
//   - A step costs time in proportion to the non-zeros of its example, whatever the number of slots: means and
//     regularization are applied when a slot is read. A step of the dual costs the non-zeros of all examples kept.
//   - Updated means that the example moved weights. Means, falling rates, l1 and l2 count every labelled example.
//   - Predict or Prepare refuses what might not stay finite with ErrOverflow, and nothing has changed.
//
// The same calls give the same bits on every machine. Sums run in the order of the features, and no sum ranges over a
// Go map. Every product is rounded before it is added: float64(x*y) + z keeps compilers from fusing the two (Go
// specification, "Floating-point operators").
//
// Caveats:
//   - A Model or a Multi belongs to one goroutine; others read copies (CopyTo). Explain, Names, Top and Columns only
//     read, so several goroutines may call them on a copy that nobody changes.
//   - Two names may share a slot and then share a weight. A fingerprint of 15 bits per slot finds all but one in 32,767
//     of such pairs; Collisions counts slots, not names. Both may be in one example. Then both are scaled by the
//     statistics from before it, both count in the score, and both are learned, one after the other.
//   - The table of names keeps the first Spec.MaxNames names. Weights without a name are shown as "#slot".
package learner
