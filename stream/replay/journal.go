package replay

import (
	"context"
	"fmt"
	"io"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// journalSource supplies records in the order in which a daemon predicted and learned them.
type journalSource struct {
	name           string // of the input
	inputs, labels map[int32]*topics.Cursor
	entries        *journal.Reader
	offsets        // of the journal
}

// JournalParts are parts of the topics of a journal, each from its log's start.
type JournalParts struct {
	Input, Output []topics.Part

	// Labels and Outcomes are those of a daemon with later labels.
	Labels, Outcomes []topics.Part

	// Settled are offsets of output and outcomes, if given, below whose entries all that precedes them is in the parts.
	// The journal ends at the last of these entries.
	Settled topics.Ends
}

// JournalError is an output topic without a journal, or with one that does not fit the input.
type JournalError struct {
	Outcome   bool  // it is of the outcomes
	Partition int32 // of the journal
	Offset    int64
	What      string
}

func (e *JournalError) Error() string {
	topic := "journal"
	if e.Outcome {
		topic = "outcomes"
	}
	return fmt.Sprintf("%s partition %d offset %d: %s", topic, e.Partition, e.Offset, e.What)
}

const fetchRecords = 2048

// FromJournal supplies the records that a daemon has predicted, and the label records that have outcomes, in the
// journal's order; it skips the others. The journal ends where its last flight lacks an entry. If it no longer begins
// with seq 1, scores are not those published. Errors: *JournalError, or the log's.
func FromJournal(name string, log topics.Opener, parts JournalParts) Source {
	j := &journalSource{name: name, inputs: map[int32]*topics.Cursor{}, labels: map[int32]*topics.Cursor{}}
	for _, p := range parts.Input {
		j.inputs[p.Partition] = topics.NewCursor(log, topics.Input, p, fetchRecords)
	}
	for _, p := range parts.Labels {
		j.labels[p.Partition] = topics.NewCursor(log, topics.Labels, p, fetchRecords)
	}
	var sources []journal.Source
	add := func(t topics.Topic, parts []topics.Part) {
		for _, p := range parts {
			if j.add(p) {
				sources = append(sources, journal.Open(log, t, p, "", fetchRecords))
			}
		}
	}
	add(topics.Output, parts.Output)
	add(topics.Outcomes, parts.Outcomes)
	j.entries = journal.NewReader(0, sources...)
	if parts.Settled.Output != nil {
		j.entries.Settled = func(e *journal.Entry) bool {
			settled := *parts.Settled.Of(e.Topic)
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
		if e.Outcome != nil {
			if err := j.outcome(ctx, e, b); err != nil {
				return err
			}
			continue
		}
		record, err := j.record(ctx, e, j.inputs[e.Partition], e.Partition, e.Offset)
		if err != nil {
			return err
		}
		b.Records, b.Seqs = append(b.Records, *record), append(b.Seqs, e.Seq)
		b.Partitions = append(b.Partitions, e.Partition)
	}
	return nil
}

// outcome adds an outcome to the block, with its label record.
func (j *journalSource) outcome(ctx context.Context, e *journal.Entry, b *Block) error {
	o := e.Outcome
	x := outcome{kind: o.Kind, of: o.Of, label: -1, before: int32(len(b.Records))}
	if o.Kind.ByLabel() {
		r, err := j.record(ctx, e, j.labels[o.LabelPartition], o.LabelPartition, o.LabelOffset)
		if err != nil {
			return err
		}
		x.label = int32(len(b.Labels))
		b.addLabel(*r, o.LabelPartition)
	}
	b.outcomes = append(b.outcomes, x)
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
	case e.Order == journal.OutOfPlace:
		return nil, journalError(e, "seq %d: %v", e.Seq, e.Why)
	case e.Order != journal.Next && last > 0:
		what := "the journal has a hole or begins anew"
		if len(j.labels) == 0 {
			what += ", or outcomes of labels that came later are between (name the topic of labels)"
		} else {
			what += ", or its outcomes are in another topic (name it with --outcomes)"
		}
		return nil, journalError(e, "seq %d follows seq %d: %s", e.Seq, last, what)
	}
	j.entries.Last = e.Seq
	return e, nil
}

func journalError(e *journal.Entry, format string, args ...any) error {
	return &JournalError{e.Outcome != nil, e.Output, e.Record.Offset, fmt.Sprintf(format, args...)}
}

// record returns the record of an entry, of the input or the labels.
func (j *journalSource) record(ctx context.Context, e *journal.Entry, c *topics.Cursor, partition int32, offset int64,
) (*topics.Record, error) {
	name := j.name
	if e.Outcome != nil {
		name = "the labels"
	}
	if c == nil {
		return nil, journalError(e, "it is of partition %d of %s, which is missing", partition, name)
	}
	for {
		r, err := c.Head(ctx)
		switch {
		case err != nil:
			return nil, err
		case r == nil || r.Offset > offset:
			return nil, journalError(e, "it is of partition %d offset %d of %s, which is no longer kept,"+
				" or was used before", partition, offset, name)
		}
		c.Take()
		if r.Offset == offset {
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
