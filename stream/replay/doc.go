// Package replay evaluates learners on a finished stream as if it were live: each example is answered first and learned then,
// by every learner in one pass over the decoded stream.
//
// A Source gives the records: of a file (by whoever can read one), of a topic (FromTopic), or of a topic in the order in
// which a daemon learned it (FromJournal). Run decodes them side by side, hands each block of examples to all Learners, and
// returns a Result with the score and the curve of each. Predict, score, learn is model.Processor's, the daemon's own.
//
// Each learner has a goroutine of its own and sees all examples in order, so a learner scores the same alone and in company,
// whatever the number of processors.
//
// Caveats: what is to be passed more than once or in another order is kept in memory, decoded. A learner that rejects an
// example (overflow) has one example less than the others; everything else that is rejected, all of them reject.
package replay
