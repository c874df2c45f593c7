// Package labels holds what is needed for labels that come later than their events. It knows which examples wait, what
// a label record does, what ends the waiting, and in which order events and labels are handled. It has no Kafka, clock,
// goroutine or I/O. The same calls give the same results, so run, recovery, replay and verify share it.
//
// A [Waiting] holds the examples that were predicted and have no label yet, and the ids that were settled last:
//
//	duplicate := w.Add(example)           // an event without a label was predicted
//	w.Own(id, label)                      // an event with its own label was learned
//	verdict, example := w.Find(id, label) // what a label record does; nothing changes
//	w.End(example, labels.Labelled, label)
//	clock.Pass(partition, timestamp, now) // the record was handled
//	for example, outcome := w.Due(&clock, assume); outcome != 0; example, outcome = w.Due(&clock, assume) {
//		w.End(example, outcome, label)
//	}
//
// The order of these calls is the rule "a label acts before it moves time": Find and End of a record come before its
// Pass, and Due comes after. Due is also called after Add, since a further example may be one too many. What ends
// waiting goes by seq: Due returns the lowest waiting example or none. Callers number each Add and each End, and the
// outcome Duplicate that follows an Add of a known id, with one seq.
//
// Between Find and End the caller learns the label. If the model refuses it (overflow), the label is a dead letter, the
// caller does not call End, and the example waits on. An assumed label that the model refuses is another matter: Due
// would return it for ever, so the caller ends it as Expired.
//
// A [Clock] is label time: how far the labels topic has been read. Waiting ends by it, or because too many wait. The
// wall clock moves it only where the caller says that a partition is idle (Idle). It may be wrong, so events, labels
// and the time that has passed bound it.
//
// A [Merge] says which source may be handled next: events at their timestamps, labels some slack later. A label whose
// event is unknown is held there.
//
// A [Cache] keeps the features of the newest waiting examples within a bound of memory. A Waiting keeps none: where
// the Cache has dropped them, the caller reads the event again at the example's partition and offset.
//
// A [Snapshot] is a Waiting as it was at a moment. It takes no longer than a copy of some pointers, and its sections
// are encoded beside the changing Waiting, by another goroutine. Restore reads them.
//
// A waiting example takes at most 80 bytes, 88 with slices, and a settled id at most 24, both with their share of the
// index, when as many wait and are settled as Limits says.
//
// Caveats. Ids are known by 96 bits of hash. An id that is made to collide does what the same id used twice does: its
// event is a duplicate. Labels of settled ids are known by 29 bits of hash, beside three bits of the outcome. Where two
// classes collide, a conflicting label counts as a repeat.
package labels
