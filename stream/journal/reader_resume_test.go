package journal_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"rosenblatt/stream/journal"
)

// growing is a partition to which entries are added.
type growing struct {
	seqs  []int64
	entry journal.Entry
}

func (s *growing) Next(context.Context) (*journal.Entry, error) {
	if len(s.seqs) == 0 {
		return nil, nil
	}
	s.entry = journal.Entry{Kind: journal.Predicted, Seq: s.seqs[0]}
	s.seqs = s.seqs[1:]
	return &s.entry, nil
}

func (s *growing) Position() int64 { return 0 }

// TestReaderResume: partitions that had ended and have more are merged with those that have not, whose next entry may
// be a later one: the ends of partitions are not as of the same moment.
func TestReaderResume(t *testing.T) {
	const partitions, rounds = 20, 200
	r := rand.New(rand.NewPCG(22, 1))
	var all []*growing
	var sources []journal.Source
	for range partitions {
		s := &growing{}
		all, sources = append(all, s), append(sources, s)
	}
	unseen := make([][]int64, partitions) // written and not readable yet
	merged := journal.NewReader(0, sources...)
	seq, settled := int64(0), int64(0)
	merged.Settled = func(e *journal.Entry) bool { return e.Seq <= settled }
	for range rounds {
		for range r.IntN(2 * partitions) {
			seq++
			p := r.IntN(partitions)
			unseen[p] = append(unseen[p], seq)
		}
		settled = seq
		for p, s := range all {
			n := r.IntN(len(unseen[p]) + 1)
			s.seqs, unseen[p] = append(s.seqs, unseen[p][:n]...), unseen[p][n:]
			if len(unseen[p]) > 0 {
				settled = min(settled, unseen[p][0]-1)
			}
		}
		merged.Resume()
		for merged.Last < settled {
			e, err := merged.Next(t.Context())
			if err != nil || e == nil || e.Seq != merged.Last+1 {
				t.Fatalf("%+v, %v; want seq %d", e, err, merged.Last+1)
			}
			merged.Last = e.Seq
		}
		if e, err := merged.Next(t.Context()); e != nil || err != nil {
			t.Fatalf("%+v, %v behind seq %d", e, err, settled)
		}
	}
}
