// Package batch holds the perceptron's algorithms over a set of examples in memory: primal, pla and dual. It is pure
// arithmetic: no goroutine, clock, log or I/O. The same input gives the same bits on every machine.
//
// Train searches for a separator: weights w and a bias b with y(w·x + b) > 0 for every example (x, y), y = ±1.
//
// # Padding and pre-multiplication
//
// Every example is padded with a 1 and multiplied by its label, which is exact: a = y(x, 1). With z = (w, b) and s =
// w·x + b, y·s = a·z. So a separator is a z with Az > 0, the rows of A being the examples. Learning from an example is
// z += η·a; R is the largest ‖a‖; the margin of z is the least a·z/‖z‖.
//
// # The algorithms
//
//   - Primal corrects a mistaken example, one with a·z <= δ, until there is none. It takes the next one in order, or a
//     random one (Rosenblatt, The Perceptron, Psychological Review 65, 1958).
//   - PLA goes through the set pass after pass, in order or newly shuffled, until a pass needs no correction. In
//     cyclic order it makes the same corrections as Primal.
//   - Dual is the dual form of Primal. It counts how often each example was corrected, k_i. With α_i = η·k_i the score
//     is Σ α_j y_j K(x_j, x) + b (Aizerman, Braverman and Rozonoer, Automation and Remote Control 25, 1964). With the
//     linear kernel θ = Σ α_i y_i x_i is recovered. It makes Primal's corrections.
//
// In cyclic order over (3,3)+, (4,3)+ and (1,1)- all end after 7 corrections with w = (1,1) and b = -3.
//
// # What is known at the end
//
// If a separator with margin γ exists and the start is 0, no run makes more than (R/γ)² corrections (Novikoff, On
// Convergence Proofs on Perceptrons, 1962). Result.UpdateBound is the same for other starts and thresholds. The largest
// margin of all is solved, or bounded. A lower bound over 0 means that a separator exists, an upper bound of nearly 0
// that none does. Without a separator the weights with the least mistakes are kept in a pocket (Gallant,
// Perceptron-Based Learning Algorithms, IEEE Transactions on Neural Networks 1, 1990).
//
// A mistake is a wrong prediction, where a score of 0 predicts +1; separated requires more, y·s > 0. So with Update =
// OnMistake, which corrects mistakes alone, a run may end without one where examples with score 0 are left. All
// examples have the same weight. A kernel's margin and R are those of its feature space, padded. Without a bias nothing
// is padded: a = y·x.
package batch
