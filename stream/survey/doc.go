// Package survey examines the first events of a stream as its decoder does. It tells how many have a label, which are
// rejected and why, what each field holds, and what becomes of it. It names what is legal and most likely a mistake.
// That is no labels at all, a number in quotes, or a date or an id that becomes a feature for each value. It changes
// nothing.
package survey
