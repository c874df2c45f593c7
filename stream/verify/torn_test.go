package verify_test

import (
	"fmt"
	"slices"
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// TestTornFlightBelowTheFloor: what the last flight lacks is pending without a checkpoint that includes it, and
// missing with one. The predictions after it are audited all the same.
func TestTornFlightBelowTheFloor(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	tested := 0
	for p := range 3 {
		f := h.forge(t)
		flight := f.bySeq[len(f.bySeq)-20:]
		f.asFlight(flight)
		k := slices.IndexFunc(flight, func(x published) bool { return x.Partition == p })
		if k < 0 {
			continue
		}
		last := flight[k]
		for _, x := range flight {
			if x.Partition == p {
				last = x
			}
		}
		if last.Seq == flight[k].Seq || last.Seq == f.bySeq[len(f.bySeq)-1].Seq {
			continue
		}
		tested++
		f.drop(last)
		f.finds(t, h, fmt.Sprintf("seq %d lacking in the last flight", last.Seq), hole(last.Seq, 1),
			at(verify.NoPrediction, last))
	}
	if tested == 0 {
		t.Error("no partition's share ends within the flight")
	}
}

// asFlight gives the last predictions the layout of one flight.
func (f *forger) asFlight(flight []published) {
	layout := journal.Layout{First: flight[0].Seq}
	for _, x := range flight {
		layout.Add(journal.Predicted, int32(x.Partition), 1)
	}
	header := layout.Header()
	first := map[int]bool{}
	for _, x := range flight {
		r := &f.records[topics.Output][x.p][x.i]
		r.Headers = rawHeaders()
		if !first[x.p] {
			first[x.p] = true
			r.Headers = rawHeaders(header.Key, string(header.Value))
		}
	}
}

// TestCopyOfTheOutput: dead letters name the output that they belong to, of which another topic may be a copy.
func TestCopyOfTheOutput(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	f := h.forge(t)
	name := f.top.Output.Name
	f.top.Output.Name = "copy"
	f.finding(t, h, "an audit of a copy", func(a *verify.Audit) { a.From.Output = name }, true, nil)
	f.findsAmong(t, h, "dead letters of another output", at(verify.NoDeadLetter, f.dead[0]))
}
