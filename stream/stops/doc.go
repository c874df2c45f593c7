// Package stops names the conditions in which the invariant cannot be kept. Each ends the run with an Error that says
// what was found, what is safe, and what an operator can do.
package stops
