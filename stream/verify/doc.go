// Package verify audits what a model has published. It computes every prediction again from the input, in the order of
// seq, and compares it with the one in the output topic: the same fields with the same values, however they are
// written. It only reads.
//
// An Audit begins at a Start: nothing, or a checkpoint. A journal.Reader merges the partitions of the output by seq.
// The record of each prediction is found in its input partition. Every record on the way must be accounted for: by a
// prediction, by a dead letter, or by a setting that passes it. What is not is a Finding, and the audit continues after
// it. Where a topic no longer holds what is needed, the audit ends with a *stops.Error.
//
// Dead letters are read first and kept as a set of offsets, a byte for each input record at most. Otherwise memory does
// not grow with the topics. When a dead-lettered record is passed, the model decides again: it must not predict it.
//
// Some dead letters are taken as given. Their reason is internal, or prediction-too-large, which depends on topic
// settings of the time. Or they are of epochs before an accepted change of the configuration. Or the reason depends on
// what the model had learned, and the process ended before the record was passed: what it had learned ahead is nowhere.
//
// # Later labels
//
// Where the model has a topic of labels, outcomes are audited alike: entries of the same journal. What waits and what
// is settled is known from a labels.Waiting, which the daemon uses too. The audit computes again which example an
// outcome is of, whether it comes in its turn and time, and what it says.
//
// The journal does not say when the daemon handled a label record that has no outcome. So each record is passed at the
// first moment of the journal at which its fate was possible. That is at once if it is rejected and has its dead
// letter. Else it is when its event has that label already, or another one. Then, by induction, all that the daemon had
// handled at a moment is passed. Label time was at most that of what is passed.
//
// A record that no outcome or dead letter explains stops its partition until a later one of it has an outcome, or the
// end. Then it is a Finding. Where its dead letter may be no longer kept it is none, and label time is unknown
// meanwhile.
//
// The daemon may remember fewer settled ids than the audit: a repeated id is a duplicate if the journal says so. A
// record that was passed as a repeat may be the label of a later event with that id: an outcome says so. The offsets of
// repeats are kept as a set, too. An event may bear its own label while its id is settled with another one. Nobody
// knows which of the two counts for label records: either does.
//
// # Floor
//
// Topics alone cannot show that their ends are missing. A checkpoint can, if it was read before the ends of the topics:
// the Floor. Every seq up to its own must be there, and every record below its positions must be accounted for. Behind
// the floor and the last predictions, records are pending, except those that are dead-lettered.
//
// # Ends
//
// A daemon may be writing meanwhile, and Kafka returns the ends of partitions one after the other. So the ends are
// requested twice. Predictions below the first ends are audited. Output and dead letters are read up to the second
// ends, below which all that precedes those predictions is.
//
// # Caveats
//
// Kafka deletes old records; what the topics no longer hold from their starts on is a stop, not a finding.
//
// Prediction, learning, what an outcome says, and encoding are the daemon's own code. An audit proves that the topics
// are consistent with each other and with this program, not that the arithmetic is right. After a missing prediction,
// in several partitions, the order of learning is a guess; differences that follow may come from that.
package verify
