package journal_test

import (
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"rosenblatt/stream/journal"
)

func layout(first int64, runs ...int64) *journal.Layout {
	l := &journal.Layout{First: first}
	for i := 0; i < len(runs); i += 2 {
		l.Add(journal.Predicted, int32(runs[i]), runs[i+1])
	}
	return l
}

// TestLayout: what is encoded is read again, within the size that is promised; runs that follow each other are one.
func TestLayout(t *testing.T) {
	wide := layout(math.MaxInt64 - 1<<40)
	for p := range int64(1000) {
		wide.Add(journal.Predicted, int32(math.MaxInt32-p), 1<<20-1)
	}
	for _, l := range []*journal.Layout{layout(1, 0, 1), layout(300, 5, 2, 4, 1, 5, 70_000), wide} {
		h := l.Header()
		if size := len(h.Key) + len(h.Value) + 8; size > journal.LayoutBytes+journal.RunBytes*len(l.Runs) {
			t.Errorf("%d runs take %d bytes", len(l.Runs), size)
		}
		got, err := journal.ParseLayout(h.Value)
		if err != nil || !reflect.DeepEqual(got, l) {
			t.Errorf("%v, %v", got, err)
		}
	}
	if l := layout(1, 3, 2, 3, 5, 4, 1); len(l.Runs) != 2 || l.Runs[0].N != 7 {
		t.Errorf("%v", l.Runs)
	}
}

// TestDamagedLayout: nothing but a layout is read as one.
func TestDamagedLayout(t *testing.T) {
	sound := layout(300, 5, 2, 4, 1).Header().Value
	for n := range sound {
		if l, err := journal.ParseLayout(sound[:n]); err == nil {
			t.Errorf("%d bytes of %d: %v", n, len(sound), l)
		}
	}
	wide := layout(1)
	for p := range int32(journal.MostRuns + 1) {
		wide.Add(journal.Predicted, p, 1)
	}
	var far []byte
	for _, v := range []uint64{math.MaxInt64 - 2, 2, 1, 0, 2, 1, 1, 1} {
		far = binary.AppendUvarint(far, v)
	}
	for name, b := range map[string][]byte{
		"more": append(sound[:len(sound):len(sound)], 0), "seq 0": {0, 1, 1, 0, 1}, "no runs": {1, 0},
		"kind 0": {1, 1, 0, 0, 1}, "an empty run": {1, 1, 1, 0, 0}, "beyond the last seq": far,
		"many runs": {1, 255, 255, 255, 255, 7, 1, 0, 1}, "a run of 2^20": layout(1, 3, 1<<20).Header().Value,
		"2^62 entries": layout(1, 3, 1<<62).Header().Value, "1,025 runs": wide.Header().Value,
	} {
		if l, err := journal.ParseLayout(b); err == nil {
			t.Errorf("%s: %v", name, l)
		}
	}
}

func FuzzParseLayout(f *testing.F) {
	f.Add(layout(300, 5, 2, 4, 1).Header().Value)
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := journal.ParseLayout(b)
		if err != nil {
			return
		}
		again, err := journal.ParseLayout(l.Header().Value)
		if err != nil || again.First != l.First {
			t.Errorf("%v, read again %v, %v", l, again, err)
		}
	})
}
