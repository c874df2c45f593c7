package stream

import (
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// chunk holds consecutive records of one partition that are read, decoded and learned together: few, so that their
// features are still in a processor's cache when they are learned.
type chunk struct {
	topics.Run
	event.Batch // of the records, filled by a decoder

	topic   topics.Topic // Input or Labels
	ids     []labels.ID  // with later labels: of the records
	warm    int          // of the records: those before are in the caches of the learner's processor
	handled int          // of Records, if not all at once
	ready   bool         // the learner has awaited the examples

	free    chan *chunk   // where it goes when it is free
	small   bool          // the learner decodes it
	decoded chan struct{} // receives once when Examples are complete, unless small
	arrived time.Time     // when the reader had the records
}

// identify finds the ids of the records, for later labels.
func (c *chunk) identify(ids *labels.Identifier) {
	c.ids, c.warm = c.ids[:0], 0
	if ids != nil {
		c.ids = appendIDs(c.ids, ids, c.Examples, c.Records)
	}
}

// appendIDs appends the ids of records, none for those that are rejected or skipped.
func appendIDs(dst []labels.ID, ids *labels.Identifier, examples []event.Example, records []topics.Record) []labels.ID {
	for i := range records {
		var id labels.ID
		if e := &examples[i]; e.Rejected == nil && !e.Skip {
			id = ids.ID(e, &records[i])
		}
		dst = append(dst, id)
	}
	return dst
}
