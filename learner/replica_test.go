package learner

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// copied is what the tests need of a Model or Multi.
type copied interface {
	replicated
	Columns() []Column
	ClearChanged()
}

// contentOf is all of a model's long state, and the short one.
func contentOf(m copied) (columns map[string][]uint64, state any) {
	columns = map[string][]uint64{}
	for _, c := range m.Columns() {
		var bits []uint64
		for _, v := range c.Float64 {
			bits = append(bits, math.Float64bits(v))
		}
		for _, v := range c.Uint16 {
			bits = append(bits, uint64(v))
		}
		for _, v := range c.Bytes {
			bits = append(bits, uint64(v))
		}
		columns[c.Name] = bits
	}
	if multi, ok := m.(*Multi); ok {
		return columns, multi.State()
	}
	return columns, m.(*Model).State()
}

// follower is a replica under test.
type follower struct {
	*Replica
	to        copied
	active    bool
	want      map[string][]uint64 // as of Begin
	wantState any
	base      map[string][]uint64 // as of ClearChanged; nil: not compared
	copies    int
}

func (f *follower) begin(m copied) {
	f.Begin()
	f.want, f.wantState = contentOf(m)
	f.active = true
}

// finish compares the complete copy with the model at Begin, and what is not in Changed with the base.
func (f *follower) finish(t *testing.T, clear bool) {
	t.Helper()
	got, state := contentOf(f.to)
	if !reflect.DeepEqual(got, f.want) || !reflect.DeepEqual(state, f.wantState) {
		t.Fatal("the copy is not the model at Begin")
	}
	f.active = false
	f.copies++
	if f.base == nil {
		return
	}
	wantUnchanged(t, f.to, f.base, got)
	if clear {
		f.to.ClearChanged()
		f.base = got
	}
}

func wantUnchanged(t *testing.T, m copied, base, now map[string][]uint64) {
	t.Helper()
	for _, c := range m.Columns() {
		outside, was := slices.Clone(now[c.Name]), base[c.Name]
		end := 0
		for from, to := range c.Changed {
			if from < end || to <= from || to > len(outside) {
				t.Fatalf("%s: %d to %d has changed, after %d, of %d", c.Name, from, to, end, len(outside))
			}
			end = to
			for i := from; i < to; i++ {
				if i < len(was) {
					outside[i] = was[i]
				}
			}
			if to > len(was) {
				was = append(slices.Clone(was), outside[len(was):to]...)
			}
		}
		if !slices.Equal(outside, was[:min(len(was), len(outside))]) && len(outside) > 0 {
			t.Fatalf("%s: what has changed is not in Changed", c.Name)
		}
	}
}

// followModel learns with two replicas of a model, copied at odd moments and in small steps.
func followModel(t *testing.T, m copied, new func() (*Replica, copied), n int, learn func(i int)) {
	for i := range n / 10 {
		learn(i)
	}
	m.ClearChanged()
	base, _ := contentOf(m)
	for i := n / 10; i < n/5; i++ {
		learn(i)
	}
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	var followers []*follower
	for i := range 2 {
		r, to := new()
		f := &follower{Replica: r, to: to}
		if i == 0 {
			f.base = base
		}
		followers = append(followers, f)
	}
	for i := n / 5; i < n; i++ {
		for _, f := range followers {
			switch {
			case !f.active && rng.IntN(4) == 0:
				f.begin(m)
			case f.active && f.Step(1+rng.IntN(200)):
				f.finish(t, rng.IntN(3) == 0)
			}
		}
		learn(i)
	}
	for _, f := range followers {
		if f.copies < 2 {
			t.Errorf("only %d copies", f.copies)
		}
	}
}

// TestReplicas: a copy made in steps beside learning is the model at Begin, bit for bit, and what it does not list as
// changed is as it was.
func TestReplicas(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m, examples := fresh(), stream(8, 300, 8, 6)
		followModel(t, m, func() (*Replica, copied) {
			to := new(Model)
			return m.NewReplica(to), to
		}, len(examples), func(i int) { step(t, m, examples[i]) })
	})
}

func TestMultiReplicas(t *testing.T) {
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		m, examples := fresh(), classStream(8, 300)
		followModel(t, m, func() (*Replica, copied) {
			to := new(Multi)
			return m.NewReplica(to), to
		}, len(examples), func(i int) { multiStep(t, m, nil, examples[i]) })
	})
}

// TestReplicaOfAnotherModel: the memory of a replica serves another model of the same Spec.
func TestReplicaOfAnotherModel(t *testing.T) {
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		a, b, to := fresh(), fresh(), new(Multi)
		for i, e := range classStream(9, 120) {
			multiStep(t, a, nil, e)
			if i < 25 {
				multiStep(t, b, nil, e)
			}
		}
		for _, m := range []*Multi{a, b, a} {
			r := m.NewReplica(to)
			for r.Begin(); !r.Step(100); {
			}
			same(t, snapMulti(to), snapMulti(m))
		}
	})
}

// TestBlocks compares sets of blocks with sets of numbers.
func TestBlocks(t *testing.T) {
	for _, slots := range []int{2, 8, 64, 512, 520, 4096, 1 << 15} {
		b := newBlocks(slots)
		n := (slots + blockSlots - 1) / blockSlots
		if from, to := b.run(0); from != to {
			t.Errorf("%d slots: %d to %d in the empty set", slots, from, to)
		}
		b.fill(slots)
		if from, to := b.run(0); from != 0 || to != n {
			t.Errorf("%d slots: %d to %d of %d in the full set", slots, from, to, n)
		}
		rng := rand.New(rand.NewPCG(1, uint64(slots)))
		want := make([]bool, n)
		clear(b)
		for range n / 2 {
			i := rng.IntN(n)
			b.add(uint32(i))
			want[i] = true
			if rng.IntN(3) == 0 {
				b.remove(uint32(i))
				want[i] = false
			}
		}
		got := make([]bool, n)
		for from, to := b.run(0); from < to; from, to = b.run(to) {
			for i := from; i < to; i++ {
				got[i] = true
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d slots: the runs are not the set", slots)
		}
	}
}
