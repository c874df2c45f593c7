package replay

import (
	"context"
	"fmt"
	"io"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// journalSource supplies records in the order in which a daemon predicted them.
type journalSource struct {
	name    string // of the input
	inputs  map[int32]*topics.Cursor
	entries *journal.Reader
	offsets // of the journal
}

// JournalError is an output topic without a journal, or with one that does not fit the input.
type JournalError struct {
	Partition int32 // of the journal
	Offset    int64
	What      string
}

func (e *JournalError) Error() string {
	return fmt.Sprintf("journal partition %d offset %d: %s", e.Partition, e.Offset, e.What)
}

const fetchRecords = 2048

// FromJournal supplies the records that a daemon has predicted, in the journal's order; it skips those rejected. Parts
// must begin at the logs' starts. The journal ends at the last prediction below the settled offsets of its partitions
// (nil: of its parts), below whose parts all that precedes it has to be; and where its last flight lacks one. If the
// journal no longer begins with seq 1, scores are not those published. Errors: *JournalError, or the log's.
func FromJournal(name string, log topics.Opener, parts, journalParts []topics.Part, settled []int64) Source {
	j := &journalSource{name: name, inputs: map[int32]*topics.Cursor{}}
	for _, p := range parts {
		j.inputs[p.Partition] = topics.NewCursor(log, topics.Input, p, fetchRecords)
	}
	var sources []journal.Source
	for _, p := range journalParts {
		if j.add(p) {
			sources = append(sources, journal.Open(log, topics.Output, p, "", fetchRecords))
		}
	}
	j.entries = journal.NewReader(0, sources...)
	if settled != nil {
		j.entries.Settled = func(e *journal.Entry) bool {
			return int(e.Output) < len(settled) && e.Record.Offset < settled[e.Output]
		}
	}
	return j
}

// Fill implements Source.
func (j *journalSource) Fill(ctx context.Context, b *Block) error {
	defer j.count()
	for !b.Full() {
		e, err := j.next(ctx)
		if err != nil {
			return err
		}
		if e == nil {
			return io.EOF
		}
		record, err := j.record(ctx, e)
		if err != nil {
			return err
		}
		b.Records = append(b.Records, *record)
		b.Partitions = append(b.Partitions, e.Partition)
	}
	return nil
}

// next returns the next prediction; nil at the end.
func (j *journalSource) next(ctx context.Context) (*journal.Entry, error) {
	e, err := j.entries.Next(ctx)
	switch last := j.entries.Last; {
	case err != nil || e == nil:
		return nil, err
	case e.Kind == journal.Foreign:
		return nil, journalError(e, "%v", e.Why)
	case e.Order == journal.Missing: // a daemon is about to publish it, or its next start is
		return nil, nil
	case e.Order == journal.Mislaid:
		return nil, journalError(e, "seq %d: %v", e.Seq, e.Why)
	case e.Order != journal.Due && last > 0:
		return nil, journalError(e, "seq %d follows seq %d: the journal has a hole or begins anew", e.Seq, last)
	}
	j.entries.Last = e.Seq
	return e, nil
}

func journalError(e *journal.Entry, format string, args ...any) error {
	return &JournalError{e.Output, e.Record.Offset, fmt.Sprintf(format, args...)}
}

func (j *journalSource) record(ctx context.Context, e *journal.Entry) (*topics.Record, error) {
	input := j.inputs[e.Partition]
	if input == nil {
		return nil, journalError(e, "it is of partition %d of %s, which is missing", e.Partition, j.name)
	}
	for {
		r, err := input.Head(ctx)
		switch {
		case err != nil:
			return nil, err
		case r == nil || r.Offset > e.Offset:
			return nil, journalError(e, "it is of partition %d offset %d of %s, which is no longer kept,"+
				" or was predicted before", e.Partition, e.Offset, j.name)
		}
		input.Take()
		if r.Offset == e.Offset {
			return r, nil
		}
	}
}

func (j *journalSource) count() {
	j.passed = -j.begin
	for _, at := range j.entries.Positions() {
		j.passed += at
	}
}

// Where implements Source.
func (j *journalSource) Where(b *Block, i int) string { return where(j.name, b, i) }
