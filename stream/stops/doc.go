// Package stops names the conditions in which the invariant cannot be kept. Each ends the run with an Error.
package stops
