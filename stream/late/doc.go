// Package late keeps predictions whose labels come later, and makes an outcome of each: by its label, or without one.
//
// Pending is what the loop needs of it. Labels implements it with what stream/labels knows of waiting. It keeps the
// newest events in memory, and has older ones read back from the input (stream/recall). The same calls in the same
// order make the same outcomes, so recovery and followers repeat them.
package late
