// Package replay evaluates learners on a finished stream: every learner predicts each example and
// then learns it, in one pass over the decoded stream.
//
// A Source supplies the records: of a file (by a package that can read one), of a topic (FromTopic), or of a topic in
// the order in which a daemon learned it (FromJournal). Run decodes them concurrently, passes each block of examples
// to all Learners, and returns a Result with the score and the curve of each. The processor is the daemon's own,
// model.Processor.
//
// Each learner has a goroutine of its own and receives all examples in order, so its score depends neither on the
// other learners nor on the number of processors.
//
// Caveats: a stream for several passes or another order is kept in memory, decoded. A learner that rejects an example
// (overflow) has one example less than the others; all other rejections are common to all learners.
package replay
