package labels

import (
	"math/rand/v2"
	"slices"
	"testing"

	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
)

// besideWorld is a Waiting with challengers, and what it should hold.
type besideWorld struct {
	*Waiting
	challengers int
	want        map[int64]map[int]Beside // by seq and number of the learner; the publisher is not there
	by          map[int64]int
}

// check compares what each example keeps, and the sums of all learners.
func (w *besideWorld) check(t *testing.T, what string) {
	t.Helper()
	var kept KeptBeside
	sums, n := make([]decision.Waiting, w.challengers+1), 0
	for e := w.First(); e != nil; e = w.After(e) {
		n++
		w.Beside(&kept, e)
		if w.challengers == 0 {
			continue
		}
		if kept.By != w.by[e.Seq] || len(kept.Each) != w.challengers {
			t.Fatalf("%s: seq %d is by %d, want %d; %d are kept", what, e.Seq, kept.By, w.by[e.Seq], len(kept.Each))
		}
		e.Published.add(&sums[kept.By], 1)
		for place, k := range kept.Each {
			number := kept.Of(place)
			if kept.Place(number) != place {
				t.Fatalf("place %d of by %d", place, kept.By)
			}
			want, known := w.want[e.Seq][number]
			if !known {
				want = Beside{Published: NotPredicted}
			}
			if k != want && (known || k.Published != NotPredicted) {
				t.Fatalf("%s: seq %d of learner %d: %+v, want %+v", what, e.Seq, number, k, want)
			}
			k.Published.add(&sums[number], 1)
		}
	}
	if n != w.Len() || w.challengers > 0 && !slices.Equal(sums, w.SumsOf(nil)) {
		t.Fatalf("%s: sums %v of %d, want %v", what, w.SumsOf(nil), n, sums)
	}
}

func randomPublished(r *rand.Rand) Published {
	return NewPublished(Prediction{Class: r.IntN(2), Untrained: r.IntN(5) == 0, Calibrated: true,
		Millionths: decision.MillionthsOf(r.Float64())})
}

// grow adds so many examples, each by a learner that changes, and ends others meanwhile.
func (w *besideWorld) grow(t *testing.T, r *rand.Rand, n int64) {
	t.Helper()
	for seq := int64(1); seq <= n; seq++ {
		kept := &KeptBeside{By: int(seq) / 600}
		w.want[seq], w.by[seq] = map[int]Beside{}, kept.By
		for place := range w.challengers {
			k := Beside{Published: NotPredicted}
			if r.IntN(4) > 0 {
				k = Beside{Score: r.NormFloat64(), Published: randomPublished(r)}
				w.want[seq][kept.Of(place)] = k
			}
			kept.Each = append(kept.Each, k)
		}
		if seq%10 == 0 {
			kept, w.want[seq], w.by[seq] = nil, nil, 0
		}
		e := Example{ID: ID{byte(seq), byte(seq >> 8), 1}, Seq: seq, Offset: seq, Published: randomPublished(r)}
		if w.AddWith(e, metrics.SliceCodes{}, kept) {
			t.Fatal("a duplicate")
		}
		if r.IntN(2) == 0 {
			x := w.First()
			var of KeptBeside
			w.Beside(&of, x)
			others := w.OthersOf(nil, x, &of)
			if w.End(x, Labelled, 1); !slices.Equal(others, w.SumsOf(nil)) {
				t.Fatalf("others are %v, and what is left is %v", others, w.SumsOf(nil))
			}
		}
	}
}

// TestBesideTravels: an example keeps what each learner predicted, in snapshots, in what is saved of them, and where
// challengers come, go and change places.
func TestBesideTravels(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	const challengers = 3
	w := &besideWorld{NewBeside(Limits{Wait: 1000, Examples: 5000, Settled: 100}, challengers), challengers,
		map[int64]map[int]Beside{}, map[int64]int{}}
	w.grow(t, r, 2000)
	w.check(t, "as added")
	saved, sections := w.Snapshot(), map[string][]byte{}
	for e := w.First(); e != nil && e.Seq < 1900; e = w.First() { // what changes after a snapshot is not in it
		w.End(e, Labelled, 1)
	}
	for seq := int64(2001); seq < 2900; seq++ { // nor what comes into its memory
		w.AddWith(Example{ID: ID{byte(seq), byte(seq >> 8), 1}, Seq: seq, Offset: seq}, metrics.SliceCodes{},
			&KeptBeside{Each: make([]Beside, challengers)})
	}
	for _, s := range saved.Sections() {
		b, err := s.Append(nil, 0, s.Size)
		if err != nil {
			t.Fatal(err)
		}
		sections[s.Name] = b
	}
	find := func(name string) ([]byte, bool) { b, ok := sections[name]; return b, ok }
	restore := func() *besideWorld {
		x, err := Restore(w.Limits, challengers, find)
		if err != nil {
			t.Fatal(err)
		}
		return &besideWorld{x, challengers, w.want, w.by}
	}
	restore().check(t, "restored")
	for _, of := range [][]int{{2, 0, 1}, {1}, {-1, 2, -1, 0}, {}} {
		x := restore()
		next, err := x.Resize(x.Limits, of)
		if err != nil {
			t.Fatal(err)
		}
		(&besideWorld{next, len(of), x.renumbered(of), x.newBy(of)}).check(t, "with others")
	}
	for _, cut := range []func([]byte) []byte{
		func(b []byte) []byte { return b[:len(b)-1] }, func(b []byte) []byte { return append(slices.Clone(b), 0) },
		func(b []byte) []byte { b = slices.Clone(b); b[0] = challengers + 1; return b },
		func(b []byte) []byte { b = slices.Clone(b); b[9], b[10], b[11], b[12] = 9, 9, 9, 0x3f; return b },
	} {
		whole := sections[sectionBeside]
		sections[sectionBeside] = cut(whole)
		if _, err := Restore(w.Limits, challengers, find); err == nil {
			t.Error("what was damaged is restored")
		}
		sections[sectionBeside] = whole
	}
}

// newNumber is the number of a learner among others, -1 of one that is gone.
func newNumber(number int, of []int) int {
	if number == 0 {
		return 0
	}
	if i := slices.Index(of, number-1); i >= 0 {
		return i + 1
	}
	return -1
}

func (w *besideWorld) newBy(of []int) map[int64]int {
	by := map[int64]int{}
	for seq, number := range w.by {
		by[seq] = max(0, newNumber(number, of))
	}
	return by
}

// renumbered is what is kept under the numbers of others.
func (w *besideWorld) renumbered(of []int) map[int64]map[int]Beside {
	all, by := map[int64]map[int]Beside{}, w.newBy(of)
	for seq, each := range w.want {
		all[seq] = map[int]Beside{}
		for number, k := range each {
			if now := newNumber(number, of); now >= 0 && now != by[seq] {
				all[seq][now] = k
			}
		}
	}
	return all
}

// TestBytesBeside: each challenger takes 12 bytes of a waiting example, and all together one more.
func TestBytesBeside(t *testing.T) {
	const challengers = 3
	l := list{challengers: challengers}
	for seq := range int64(slabEntries) {
		l.push(Example{Seq: seq + 1}, metrics.SliceCodes{}, nil)
	}
	b := l.beside[0]
	if size := len(b.by) + 8*cap(b.scores) + 4*cap(b.published); size != slabEntries*(1+12*challengers) {
		t.Errorf("%d bytes for %d examples", size, slabEntries)
	}
}
