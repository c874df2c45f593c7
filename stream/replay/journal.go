package replay

import (
	"context"
	"fmt"
	"io"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// journalSource is a Source of a topic's records in the order in which a daemon answered them.
type journalSource struct {
	name   string // of the input
	inputs map[int32]*partition
	tails  []*tail
	seq    int64 // of the last answer followed
	passed int64
	total  int64
}

// tail is a partition of the journal with its next answer.
type tail struct {
	*partition
	answer journal.Prediction
	have   bool
}

// JournalError is met when what stands in a journal is no journal, or does not fit the input.
type JournalError struct {
	Partition int32 // of the journal
	Offset    int64
	What      string
}

func (e *JournalError) Error() string {
	return fmt.Sprintf("journal partition %d offset %d: %s", e.Partition, e.Offset, e.What)
}

// FromJournal gives the records of a topic that a daemon has answered, in the order in which it did: that of the seq in its
// answers, which journalParts are the stretches of. Records it did not answer, because it rejected them, are passed by. The stretches must begin at the logs' starts.
// A journal that no longer begins with seq 1 is followed from where it begins: scores are then not those published. Errors:
// *JournalError, or the log's.
func FromJournal(name string, log Opener, parts, journalParts []Part) Source {
	j := &journalSource{name: name, inputs: map[int32]*partition{}}
	for _, p := range parts {
		j.inputs[p.Partition] = openPartition(log, topics.Input, p)
	}
	for _, p := range journalParts {
		if p.To > p.From {
			j.tails = append(j.tails, &tail{partition: openPartition(log, topics.Output, p)})
			j.total += p.To - p.From
		}
	}
	return j
}

// Fill implements Source.
func (j *journalSource) Fill(ctx context.Context, b *Block) error {
	for !b.Full() {
		t, err := j.next(ctx)
		if err != nil {
			return err
		}
		if t == nil {
			j.count()
			return io.EOF
		}
		record, err := j.record(ctx, t)
		if err != nil {
			return err
		}
		b.Records = append(b.Records, *record)
		b.Partitions = append(b.Partitions, t.answer.Partition)
		t.have = false
	}
	j.count()
	return nil
}

// next returns the partition with the next answer; nil at the end.
func (j *journalSource) next(ctx context.Context) (*tail, error) {
	var first *tail
	for _, t := range j.tails {
		if err := t.fill(ctx); err != nil {
			return nil, err
		}
		if t.have && (first == nil || t.answer.Seq < first.answer.Seq) {
			first = t
		}
	}
	if first == nil {
		return nil, nil
	}
	if j.seq > 0 && first.answer.Seq != j.seq+1 {
		return nil, first.error("seq %d follows seq %d: the journal has a hole or begins anew", first.answer.Seq, j.seq)
	}
	j.seq = first.answer.Seq
	return first, nil
}

// fill reads the next answer.
func (t *tail) fill(ctx context.Context) error {
	if t.have {
		return nil
	}
	r, err := t.head(ctx)
	if err != nil || r == nil {
		return err
	}
	if t.answer, err = journal.ParsePrediction(r.Value); err != nil {
		return &JournalError{t.Partition, r.Offset, err.Error()}
	}
	t.have = true
	t.take()
	return nil
}

func (t *tail) error(format string, args ...any) error {
	return &JournalError{t.Partition, t.chunk.Records[t.i-1].Offset, fmt.Sprintf(format, args...)}
}

// record finds the answered record.
func (j *journalSource) record(ctx context.Context, t *tail) (*topics.Record, error) {
	p := j.inputs[t.answer.Partition]
	if p == nil {
		return nil, t.error("it answers partition %d of %s, which is not there", t.answer.Partition, j.name)
	}
	for {
		r, err := p.head(ctx)
		switch {
		case err != nil:
			return nil, err
		case r == nil || r.Offset > t.answer.Offset:
			return nil, t.error("it answers partition %d offset %d of %s, which is no longer there, or was answered before",
				t.answer.Partition, t.answer.Offset, j.name)
		}
		p.take()
		if r.Offset == t.answer.Offset {
			return r, nil
		}
	}
}

func (j *journalSource) count() {
	var n int64
	for _, t := range j.tails {
		n += t.done()
	}
	j.passed = n
}

// Done implements Source, in offsets of the journal.
func (j *journalSource) Done() (done, total int64) { return j.passed, j.total }

// Where implements Source.
func (j *journalSource) Where(b *Block, i int) string { return where(j.name, b, i) }
