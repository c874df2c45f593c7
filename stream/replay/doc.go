// Package replay evaluates learners on a finished stream: every learner predicts each example and
// then learns it, in one pass over the decoded stream.
//
// A Source supplies the records of a file or a topic. A package that can read files gives the first. FromTopic gives
// the second, and FromJournal a topic in the order in which a daemon learned it. Run decodes the records concurrently
// and passes each block of examples to all Learners. It returns a Result with the score and the curve of each. The
// processor is the daemon's own, model.Processor.
//
// Each learner has a goroutine of its own and receives all examples in order. So its score depends neither on the other
// learners nor on the number of processors.
//
// Caveats: a stream for several passes or another order is kept in memory, decoded. A learner that rejects an example
// (overflow) has one example less than the others; all other rejections are common to all learners.
package replay
