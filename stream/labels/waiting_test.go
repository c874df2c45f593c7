package labels

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner/decision"
)

func numberID(n int) ID { return NewID(binary.LittleEndian.AppendUint64(nil, uint64(n))) }

// compared does everything to a Waiting and to the lists, and compares.
type compared struct {
	*testing.T
	r     *rand.Rand
	w     *Waiting
	n     naive
	clock Clock
	seq   int64
	ids   int // how many there are
}

// TestAgainstLists plays random events and labels against lists, with saves, copies and changed limits in between.
func TestAgainstLists(t *testing.T) {
	runs := 300
	if testing.Short() {
		runs = 60
	}
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 18))
		limits := Limits{Wait: r.Int64N(200), Examples: 1 + r.IntN(400), Settled: r.IntN(400)}
		x := compared{T: t, r: r, w: New(limits), n: naive{Limits: limits}, ids: 20 + r.IntN(2000)}
		for range 1500 {
			x.step()
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
		x.restore()
		x.compare()
	}
}

// published is a prediction of one of several classes, or of two with a probability.
func (x *compared) published() Published {
	p := Prediction{Class: int(x.r.Int32N(4) - 1), Untrained: x.r.Int32N(2) == 0}
	if x.r.Int32N(2) == 0 {
		p.Class, p.Millionths = int(x.r.Int32N(2)), decision.Millionths(1+x.r.Int32N(999_999))
		p.Calibrated = x.r.Int32N(2) == 0
	}
	if got := NewPublished(p); got.Prediction() != p || !got.valid() {
		x.Fatalf("%+v is kept as %+v", p, got.Prediction())
	}
	return NewPublished(p)
}

func (x *compared) step() {
	id, l := numberID(x.r.IntN(x.ids)), Label(1+x.r.IntN(2))
	switch x.r.IntN(10) {
	case 0:
		x.w.Own(id, l)
		x.n.own(id, l)
	case 1, 2, 3, 4:
		x.seq += 1 + x.r.Int64N(3)
		time := x.seq + x.r.Int64N(50)
		e := Example{ID: id, Seq: x.seq, Partition: x.r.Int32N(3), Offset: x.r.Int64N(1000), Time: time,
			Since: time - x.r.Int64N(20), Score: x.r.NormFloat64(), Published: x.published(),
			Baselines: [2]int16{int16(x.r.Int32N(4) - 1), int16(x.r.Int32N(3) - 1)}}
		if got, want := x.w.Add(e), x.n.add(e); got != want {
			x.Errorf("seq %d: duplicate %v, want %v", e.Seq, got, want)
		}
	case 5, 6, 7, 8:
		x.label(id, l)
		x.clock.Pass(x.r.Int32N(2), x.seq+x.r.Int64N(100)-100, 1<<40)
	case 9:
		if x.r.IntN(40) == 0 {
			x.restore()
		}
	}
	x.due()
	var sums decision.Waiting
	for _, e := range x.n.waiting {
		if p := e.Published.Prediction(); !p.Untrained && p.Millionths > 0 {
			sums.Add(p.Class == 1, p.Millionths, 1)
		}
	}
	if x.w.Sums() != sums {
		x.Fatalf("%+v wait, want %+v", x.w.Sums(), sums)
	}
	if x.w.Len() != len(x.n.waiting) || x.w.Settled() != len(x.n.settled) {
		x.Errorf("%d wait, %d settled, want %d and %d", x.w.Len(), x.w.Settled(), len(x.n.waiting), len(x.n.settled))
	}
}

func (x *compared) label(id ID, l Label) {
	verdict, e := x.w.Find(id, l)
	want, naive := x.n.find(id, l)
	if verdict != want || (e == nil) != (naive == nil) || e != nil && *e != *naive {
		x.Errorf("verdict %d on %v, want %d on %v", verdict, e, want, naive)
		return
	}
	if verdict != Waits || x.r.IntN(20) == 0 { // the model refuses it
		return
	}
	outcome := []Outcome{Labelled, Gone}[x.r.IntN(10)/9]
	x.n.end(e.Seq, outcome, l)
	x.w.End(e, outcome, l)
}

func (x *compared) due() {
	for {
		now, ok := x.clock.Time()
		assume := x.r.IntN(2) == 0
		e, o := x.w.Due(&x.clock, assume)
		naive, want := x.n.due(now, ok, assume)
		if o != want || o != 0 && *e != *naive {
			x.Errorf("due %v %v, want %v %v", e, o, naive, want)
			return
		}
		if o == 0 {
			return
		}
		x.n.end(e.Seq, o, 0)
		x.w.End(e, o, 0)
	}
}

// restore goes on with a saved copy, changed meanwhile, maybe with other limits.
func (x *compared) restore() {
	s := x.w.Snapshot()
	if x.r.IntN(2) == 0 { // what changes later is not in the snapshot
		for range 50 {
			x.w.Own(numberID(x.ids+x.r.IntN(1000)), 1)
			if e := x.w.First(); e != nil {
				x.w.End(e, Evicted, 0)
			}
			x.w.Add(Example{ID: numberID(2*x.ids + 1000 + x.r.IntN(1000)), Seq: x.seq + 1})
		}
	}
	limits := x.n.Limits
	if x.r.IntN(3) == 0 {
		limits.Settled, limits.Examples = x.r.IntN(400), 1+x.r.IntN(400)
	}
	w, err := Restore(limits, 0, sections(x.T, s.Sections(), x.r))
	if err != nil {
		x.Fatal(err)
	}
	x.w, x.n.Limits = w, limits
	x.n.settled = x.n.settled[max(len(x.n.settled)-limits.Settled, 0):]
}

func (x *compared) compare() {
	at := x.w.list.head
	for i, want := range x.n.waiting {
		if got := *x.w.list.at(at); got != want {
			x.Fatalf("example %d is %+v, want %+v", i, got, want)
		}
		at = x.w.list.link(at).next
	}
}

// sections writes sections in pieces of any size and returns what a checkpoint returns.
func sections(t *testing.T, all []checkpoint.Section, r *rand.Rand) func(name string) ([]byte, bool) {
	t.Helper()
	saved := map[string][]byte{}
	for _, s := range all {
		b := []byte{}
		for from := int64(0); from < s.Size; {
			to := min(from+1+r.Int64N(500), s.Size)
			var err error
			if b, err = s.Append(b, from, to); err != nil {
				t.Fatal(err)
			}
			from = to
		}
		if int64(len(b)) != s.Size {
			t.Fatalf("section %s has %d bytes, not %d", s.Name, len(b), s.Size)
		}
		saved[s.Name] = b
	}
	return func(name string) ([]byte, bool) {
		b, ok := saved[name]
		return b, ok
	}
}

// A section that is damaged is an error, not a panic or a Waiting.
func TestRestoreDamaged(t *testing.T) {
	w := New(Limits{Wait: 10, Examples: 100, Settled: 100})
	for i := range 20 {
		w.Add(Example{ID: numberID(i), Seq: int64(i + 1), Offset: int64(i), Time: int64(1000 + i), Since: 1000})
	}
	for range 8 {
		w.End(w.First(), Labelled, 1)
	}
	read := sections(t, w.Snapshot().Sections(), rand.New(rand.NewPCG(1, 1)))
	waiting, _ := read(sectionWaiting)
	ids, _ := read(sectionSettled)
	for name, b := range map[string][2][]byte{
		"cut in an example":     {waiting[:len(waiting)-1], ids},
		"cut in an id":          {waiting, ids[:len(ids)-1]},
		"an example twice":      {slices.Concat(waiting, waiting), ids},
		"an id twice":           {waiting, slices.Concat(ids, ids)},
		"an unknown outcome":    {waiting, append(slices.Clone(ids[:15]), 0xff)},
		"an id that also waits": {waiting, slices.Concat(waiting[:12], ids[12:16])},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Restore(w.Limits, 0, func(name string) ([]byte, bool) {
				return map[string][]byte{sectionWaiting: b[0], sectionSettled: b[1]}[name], true
			})
			if err == nil {
				t.Error("no error")
			}
		})
	}
	if _, err := Restore(w.Limits, 0, func(string) ([]byte, bool) { return nil, false }); err == nil {
		t.Error("no error without sections")
	}
}

// Ids that share a slot and a tag are told apart, also while others between them are removed.
func TestCollisions(t *testing.T) {
	w := New(Limits{Examples: 600, Settled: 1000})
	id := func(i int) (id ID) {
		binary.LittleEndian.PutUint32(id[8:], uint32(i)) // not part of the hash that the index uses
		return id
	}
	for i := range 600 {
		if w.Add(Example{ID: id(i), Seq: int64(i + 1), Offset: int64(i)}) {
			t.Fatalf("%d is known", i)
		}
	}
	for i := 0; i < 600; i += 3 {
		_, e := w.Find(id(i), 1)
		w.End(e, Labelled, 1)
	}
	for i := range 600 {
		verdict, e := w.Find(id(i), 2)
		if want := map[bool]Verdict{true: Conflicting, false: Waits}[i%3 == 0]; verdict != want ||
			want == Waits && e.Offset != int64(i) {
			t.Errorf("%d: %v, %v", i, verdict, e)
		}
	}
}

func ExampleWaiting() {
	w := New(Limits{Wait: 1000, Examples: 10, Settled: 10})
	var clock Clock
	a, b := NewID([]byte(`"a`)), NewID([]byte(`"b`))
	w.Add(Example{ID: a, Seq: 1, Since: 5000})
	w.Add(Example{ID: b, Seq: 2, Since: 5000})

	_, e := w.Find(b, 2)
	w.End(e, Labelled, 2)
	clock.Pass(0, 6001, 6001)
	for e, o := w.Due(&clock, false); o != 0; e, o = w.Due(&clock, false) {
		fmt.Println(e.Seq, o)
		w.End(e, o, 0)
	}
	// Output: 1 expired
}

// TestAfter: what waits is walked in the order of seq.
func TestAfter(t *testing.T) {
	w := New(Limits{Examples: 10, Settled: 10})
	for seq := int64(1); seq <= 6; seq++ {
		w.Add(Example{ID: numberID(int(seq)), Seq: seq})
	}
	for _, seq := range []int{3, 6} {
		_, e := w.Find(numberID(seq), 0)
		w.End(e, Expired, 0)
	}
	var got []int64
	for e := w.First(); e != nil; e = w.After(e) {
		got = append(got, e.Seq)
	}
	if !slices.Equal(got, []int64{1, 2, 4, 5}) {
		t.Error(got)
	}
	if e := w.After(&Example{ID: numberID(3)}); e != nil {
		t.Errorf("after a settled one comes %d", e.Seq)
	}
}

// TestResize: other limits keep what waits, and of the settled ids the newest.
func TestResize(t *testing.T) {
	w := New(Limits{Wait: 5, Examples: 10, Settled: 4})
	for seq := int64(1); seq <= 6; seq++ {
		w.Add(Example{ID: numberID(int(seq)), Seq: seq})
		if seq <= 4 {
			w.End(w.First(), Expired, 0)
		}
	}
	same, err := w.Resize(Limits{Wait: 6, Examples: 1, Settled: 4}, nil)
	if err != nil || same != w || same.Wait != 6 {
		t.Fatal(same, err)
	}
	less, err := w.Resize(Limits{Wait: 7, Examples: 1, Settled: 2}, nil)
	if err != nil || less.Len() != 2 || less.Settled() != 2 || less.Wait != 7 || less.First().Seq != 5 {
		t.Fatal(less, err)
	}
	for seq, want := range map[int]Verdict{1: NoExample, 2: NoExample, 3: Late, 4: Late, 5: Waits} {
		if got, _ := less.Find(numberID(seq), 1); got != want {
			t.Errorf("id %d: %v, want %v", seq, got, want)
		}
	}
}
