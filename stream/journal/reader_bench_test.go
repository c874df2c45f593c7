package journal_test

import (
	"context"
	"fmt"
	"testing"

	"rosenblatt/stream/journal"
)

// turn is a partition of a journal in which all partitions have an entry in turn.
type turn struct {
	entry journal.Entry
	all   int64
}

func (s *turn) Next(context.Context) (*journal.Entry, error) {
	s.entry.Seq += s.all
	return &s.entry, nil
}

func (s *turn) Position() int64 { return 0 }

// BenchmarkReader is the merging of entries that come from another partition each.
func BenchmarkReader(b *testing.B) {
	for _, n := range []int64{1, 64, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var sources []journal.Source
			for p := range n {
				sources = append(sources, &turn{entry: journal.Entry{Kind: journal.Predicted, Seq: p + 1 - n}, all: n})
			}
			r := journal.NewReader(0, sources...)
			for b.Loop() {
				e, err := r.Next(b.Context())
				if err != nil || e.Order != journal.Next {
					b.Fatal(e, err)
				}
				r.Last = e.Seq
			}
		})
	}
}
