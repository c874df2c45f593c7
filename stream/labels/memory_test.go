package labels

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"rosenblatt/stream/internal/awake"
)

// full returns a Waiting at its limits, whose ids came in any order.
func full(examples, settled int) *Waiting {
	w := New(Limits{Wait: 1 << 40, Examples: examples, Settled: settled})
	r := rand.New(rand.NewPCG(1, 1))
	next := 0
	add := func() {
		next++
		w.Add(Example{ID: numberID(next), Seq: 2 * int64(next), Partition: int32(next % 4), Offset: int64(next / 4),
			Time: 1_795_257_554_199 + int64(next/20) + r.Int64N(5), Since: 1_795_257_554_199 + int64(next/20),
			Score: r.NormFloat64(), Published: NewPublished(Prediction{Class: next % 2, Millionths: 500_000})})
	}
	for w.Len() < examples {
		add()
	}
	for i := 0; w.Settled() < settled; i++ { // each in a place of its own, in any order
		_, e := w.Find(numberID(i*7919%examples+i/examples*examples+1), 1)
		w.End(e, Labelled, 1)
		add()
	}
	return w
}

// heap is how much memory is in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A waiting example takes at most 80 bytes and a settled id at most 24, with their share of the index.
func TestBytesPerExample(t *testing.T) {
	for _, n := range [][2]int{{100_000, 100_000}, {200_000, 0}, {50_000, 200_000}} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			before := heap()
			w := full(n[0], n[1])
			used := heap() - before
			t.Logf("%d bytes for %d examples and %d ids", used, w.Len(), w.Settled())
			if most := int64(80*w.Len() + 24*w.Settled()); used > most {
				t.Errorf("%d bytes, want at most %d", used, most)
			}
			runtime.KeepAlive(w)
		})
	}
}

// A million examples and a million ids are saved in under a second, and read back in a few.
func TestSaveMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("a million examples")
	}
	w := full(1_000_000, 1_000_000)
	before := awake.ProcessorTime(t)
	n, err := write(w.Snapshot(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	took := awake.ProcessorTime(t) - before
	t.Logf("%d bytes in %v", n, took)
	if took > time.Second {
		t.Errorf("saving takes %v", took)
	}
}

// write writes a snapshot in the pieces of a checkpoint.
func write(s *Snapshot, to io.Writer) (n int64, err error) {
	var piece []byte
	for _, section := range s.Sections() {
		for from := int64(0); from < section.Size; from += int64(len(piece)) {
			if piece, err = section.Append(piece[:0], from, min(from+64<<10, section.Size)); err != nil {
				return n, err
			}
			if _, err := to.Write(piece); err != nil {
				return n, err
			}
			n += int64(len(piece))
		}
	}
	return n, nil
}

// BenchmarkWaiting measures an event and its label at the limits, the label at random among those that wait.
func BenchmarkWaiting(b *testing.B) {
	const n = 1_000_000
	w := full(n, n)
	r := rand.New(rand.NewPCG(2, 2))
	var clock Clock
	next := int64(1 << 30)
	ids := make([]ID, n)
	for i, at := 0, w.list.head; i < n; i, at = i+1, w.list.link(at).next {
		ids[i] = w.list.at(at).ID
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		i := r.IntN(n)
		_, e := w.Find(ids[i], 1)
		w.End(e, Labelled, 1)
		next++
		ids[i] = numberID(int(next))
		w.Add(Example{ID: ids[i], Seq: next})
		clock.Pass(0, next, next)
		if _, o := w.Due(&clock, false); o != 0 {
			b.Fatal(o)
		}
	}
}

// BenchmarkSnapshot measures the pause of a save of a million examples and ids.
func BenchmarkSnapshot(b *testing.B) {
	w := full(1_000_000, 1_000_000)
	for b.Loop() {
		w.Snapshot()
	}
}

// BenchmarkSave measures the encoding, beside the learner.
func BenchmarkSave(b *testing.B) {
	s := full(1_000_000, 1_000_000).Snapshot()
	for b.Loop() {
		n, err := write(s, io.Discard)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(n)
	}
}

// BenchmarkRestore measures a start.
func BenchmarkRestore(b *testing.B) {
	w := full(1_000_000, 1_000_000)
	saved := map[string][]byte{}
	for _, s := range w.Snapshot().Sections() {
		saved[s.Name], _ = s.Append(nil, 0, s.Size)
	}
	for b.Loop() {
		_, err := Restore(w.Limits, 0, func(name string) ([]byte, bool) { return saved[name], true })
		if err != nil {
			b.Fatal(err)
		}
	}
}
