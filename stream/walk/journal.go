package walk

import (
	"context"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/topics"
)

// Journal is the entries of a model in the order of seq.
type Journal struct {
	*journal.Reader
	Partitions []*Entries // of the output, then of the outcomes
}

// Entries is a partition of the journal as a journal.Source.
type Entries struct {
	readahead.Entries
	Topic topics.Topic
	After int64 // entries up to this seq, with which it begins, are passed over
	First int64 // the seq of the first entry that was read; the highest number before
}

// NewJournal makes a journal that goes on behind an entry: partitions of the output, then of the outcomes.
func NewJournal(last int64, partitions []*Entries) *Journal {
	sources := make([]journal.Source, len(partitions))
	for i, p := range partitions {
		p.First, sources[i] = math.MaxInt64, p
	}
	return &Journal{Reader: journal.NewReader(last, sources...), Partitions: partitions}
}

// Next implements journal.Source.
func (p *Entries) Next(ctx context.Context) (*journal.Entry, error) {
	for {
		e, err := p.Entries.Next(ctx)
		switch {
		case e == nil || e.Kind == journal.Foreign:
			return e, err
		case e.Seq > p.After:
			if p.After = 0; p.First == math.MaxInt64 {
				p.First = e.Seq
			}
			return e, nil
		}
	}
}

// Extend lets the partitions be read up to ends that are above those before.
func (j *Journal) Extend(to topics.Ends) {
	for _, p := range j.Partitions {
		p.To = (*to.Of(p.Topic))[p.Partition]
	}
	j.Resume()
}

// Ends are the offsets from which the partitions are still to be read, after the current entry.
func (j *Journal) Ends() (ends topics.Ends) {
	for i, at := range j.Positions() {
		of := ends.Of(j.Partitions[i].Topic)
		*of = append(*of, at)
	}
	return ends
}
