// Package verdict says what an error of a broker or of a connection means for its caller. A request is repeated, the
// process stops with advice for its operator, or it recovers from its journal. The answer depends on the error's code,
// on what it interrupted and, for a batch, on whether it may have been written.
package verdict
