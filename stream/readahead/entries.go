package readahead

import (
	"context"

	"rosenblatt/stream/journal"
)

// Entries is a partition of the journal as a journal.Source.
type Entries struct{ *Cursor }

// Next implements journal.Source.
func (e Entries) Next(ctx context.Context) (*journal.Entry, error) {
	r, err := e.Head(ctx)
	if r == nil {
		return nil, err
	}
	e.entry = journal.Parse(e.topic, e.Partition, r, e.group.model)
	e.Take()
	return &e.entry, nil
}
