package labels

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"testing"

	"rosenblatt/learner/metrics"
)

// TestSlicesTravel: an example that waits keeps its slices, in the list, in snapshots, and in what is saved of them.
func TestSlicesTravel(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	w := New(Limits{Wait: 1000, Examples: 5000, Settled: 100})
	want := map[int64]metrics.SliceCodes{}
	for seq := int64(1); seq <= 3000; seq++ {
		var codes metrics.SliceCodes
		if seq > 300 && r.IntN(3) > 0 {
			codes = metrics.SliceCodes{uint8(1 + r.IntN(52)), uint8(r.IntN(53))}
		}
		e := Example{ID: ID{byte(seq), byte(seq >> 8), 1}, Seq: seq, Offset: seq,
			Published: NewPublished(Prediction{Untrained: seq%7 == 0}), Score: float64(seq)}
		if w.AddWith(e, codes, nil) {
			t.Fatal("a duplicate")
		}
		if want[seq] = codes; r.IntN(2) == 0 { // another takes its place
			first := w.First()
			delete(want, first.Seq)
			w.End(first, Labelled, 1)
		}
	}
	same := func(what string, w *Waiting) {
		t.Helper()
		n := 0
		for e := w.First(); e != nil; e = w.After(e) {
			untrained := e.Published.Prediction().Untrained
			if n++; w.Slices(e) != want[e.Seq] || untrained != (e.Seq%7 == 0) || e.Score != float64(e.Seq) {
				t.Fatalf("%s: of seq %d they are %v, want %v", what, e.Seq, w.Slices(e), want[e.Seq])
			}
		}
		if n != len(want) {
			t.Errorf("%s: %d examples, want %d", what, n, len(want))
		}
	}
	same("as added", w)
	sections := map[string][]byte{}
	saved := w.Snapshot()
	for e := w.First(); e != nil && e.Seq < 2900; e = w.First() { // what changes after a snapshot is not in it
		w.End(e, Labelled, 1)
	}
	w.ForgetSlices()
	for e := w.First(); e != nil; e = w.After(e) {
		if w.Slices(e) != (metrics.SliceCodes{}) {
			t.Fatal("slices are not forgotten")
		}
	}
	for _, s := range saved.Sections() {
		b, err := s.Append(nil, 0, s.Size)
		if err != nil {
			t.Fatal(err)
		}
		sections[s.Name] = b
	}
	find := func(name string) ([]byte, bool) { b, ok := sections[name]; return b, ok }
	restored, err := Restore(w.Limits, 0, find)
	if err != nil {
		t.Fatal(err)
	}
	same("restored", restored)
	whole := sections[sectionWaiting]
	for cut := 1; cut < 40; cut++ {
		sections[sectionWaiting] = whole[:len(whole)-cut]
		if _, err := Restore(w.Limits, 0, find); err == nil && (len(whole)-cut)%31 != 0 {
			if x, _ := Restore(w.Limits, 0, find); x.Len() == restored.Len() {
				t.Errorf("cut off by %d it is whole", cut)
			}
		}
	}
}

// TestBytesWithSlices: with slices a waiting example takes at most 88 bytes.
func TestBytesWithSlices(t *testing.T) {
	const n = 100_000
	before, r := heap(), rand.New(rand.NewPCG(1, 1))
	w := New(Limits{Wait: 1000, Examples: n})
	for seq := range int64(n) {
		id := ID{}
		binary.LittleEndian.PutUint64(id[:], r.Uint64())
		w.AddWith(Example{ID: id, Seq: seq + 1}, metrics.SliceCodes{1, 2, 3, 4}, nil)
	}
	used := heap() - before
	t.Logf("%d bytes for %d examples", used, w.Len())
	if used > 88*n {
		t.Errorf("%d bytes an example", used/n)
	}
	runtime.KeepAlive(w)
}
