// Package verify audits what a model has published: it computes every answer again from the input, in the order of
// seq, and compares it with the one that stands in the output topic, byte by byte. It only reads.
//
// An Audit begins at a Start: nothing, or a checkpoint. The partitions of the output are merged by seq as streams,
// each answer's record is found in its input partition, which is read as a stream too, and everything on the way must
// be accounted for: by an answer, by a dead letter, or by a setting that passes it. What is not is a Finding, and the
// audit goes on behind it; what makes going on impossible, because a topic no longer holds what is needed, is a
// *stream.Stop.
//
// Dead letters are taken as given: why the record was rejected then is not asked. They are read first and kept as a
// set of offsets, half a byte for each input record at most. Otherwise memory does not grow with the topics.
//
// # Ends
//
// A daemon may be at work meanwhile, and Kafka tells the ends of several partitions one after the other. So the ends
// are asked for twice: what stood below the first ends is audited, and it is read up to the second ones, below which
// all its predecessors stand. What is written later is left for the next audit.
//
// # Caveats
//
// Prediction, learning and spelling are the daemon's own code, so an audit proves that the topics fit together and to
// this program, not that the arithmetic is the right one: the learners' tests do that. Behind a missing answer, in
// several partitions, the order of learning can only be guessed; differences that follow may come from that.
package verify
