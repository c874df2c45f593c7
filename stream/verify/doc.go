// Package verify audits what a model has published: it computes every prediction again from the input, in the order of
// seq, and compares it with the one in the output topic, byte by byte. It only reads.
//
// An Audit begins at a Start: nothing, or a checkpoint. A journal.Reader merges the partitions of the output by seq.
// The record of each prediction is found in its input partition, and every record on the way must be accounted for: by
// a prediction, by a dead letter, or by a setting that passes it. What is not is a Finding, and the audit continues
// after it. Where a topic no longer holds what is needed, the audit ends with a *stops.Error.
//
// Dead letters are taken as given: the audit does not judge why a record was rejected. They are read first and kept as
// a set of offsets, half a byte for each input record at most. Otherwise memory does not grow with the topics.
//
// # Ends
//
// A daemon may be writing meanwhile, and Kafka returns the ends of partitions one after the other. So the ends are
// requested twice: predictions below the first ends are audited, and output and dead letters are read up to the second
// ones, below which all that precedes those predictions is.
//
// # Caveats
//
// Prediction, learning and encoding are the daemon's own code: an audit proves that the topics are consistent with each
// other and with this program, not that the arithmetic is right. After a missing prediction, in several partitions,
// the order of learning is a guess; differences that follow may come from that.
package verify
