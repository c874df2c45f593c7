package verify

import (
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/readahead"
)

// notAudited names the predictions before the one that the audit begins with.
func (a *auditor) notAudited() error {
	//mutation:not-audited
	if a.From.Seq > 0 {
		a.result.NotAudited = append(a.result.NotAudited, Range{From: 1, To: a.From.Seq})
		return nil
	}
	first, err := a.earlierLife()
	if err == nil && first < math.MaxInt64 {
		a.result.NotAudited = append(a.result.NotAudited, Range{From: first, Earlier: true})
	}
	return err
}

// earlierLife returns the lowest seq of those with which the partitions of the output begin, of the predictions that
// stand before this life of the model.
func (a *auditor) earlierLife() (seq int64, err error) {
	seq = math.MaxInt64
	for _, t := range a.top.Journal() {
		ends := *a.From.Ends.Of(t)
		for p, b := range a.top.Of(t).Partitions {
			to := at(ends, p, 0)
			if to <= b.Start {
				continue
			}
			before := readahead.Entries{Cursor: a.read(t, int32(p), b.Start, to)}
			for {
				e, err := before.Next(a.ctx)
				if err != nil {
					return 0, err
				}
				if e == nil {
					break
				}
				if e.Kind != journal.Foreign {
					seq = min(seq, e.Seq)
					break
				}
			}
		}
	}
	return seq, nil
}
