package labels

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// put puts an event whose content follows from its seq.
func put(c *Cache, seq int64) {
	e, x, r := content(seq)
	c.Put(seq, &e, x, &r)
	clear(x) // the caller reuses its memory
	clear(e.ID)
	clear(r.Value)
}

func content(seq int64) (event.Example, []learner.Feature, topics.Record) {
	r := rand.New(rand.NewPCG(uint64(seq), 3))
	x := make([]learner.Feature, 1+r.IntN(60))
	for i := range x {
		x[i] = learner.Feature{Slot: r.Uint32(), Print: uint16(r.Uint32()), Value: r.NormFloat64()}
	}
	if seq%50 == 0 {
		x = append(x, make([]learner.Feature, 2000+r.IntN(100))...)
	}
	value := bytes.Repeat([]byte{byte(seq)}, r.IntN(1000))
	if seq%70 == 0 {
		value = bytes.Repeat([]byte{1}, 40_000)
	}
	e := event.Example{ID: fmt.Append(nil, seq), IDIsJSON: true, Weight: r.Float64(), Start: 5, End: 5 + len(x)}
	return e, x, topics.Record{Value: value, Offset: seq * 2, Timestamp: seq * 3}
}

// What is kept is what was put; the memory is bounded; what goes are features of the oldest, then the oldest.
func TestCache(t *testing.T) {
	for _, limit := range []int64{0, 200 << 10, 3 << 20, math.MaxInt64} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			w := cacheWorld{T: t, c: Cache{Limit: limit, Reuse: limit%2 == 0}}
			r := rand.New(rand.NewPCG(4, 4))
			var waiting []int64
			for seq := int64(1); seq < 5000; seq += 1 + r.Int64N(3) {
				put(&w.c, seq)
				waiting = append(waiting, seq)
				if w.c.Bytes() > limit {
					t.Fatalf("%d bytes, limit %d", w.c.Bytes(), limit)
				}
				for len(waiting) > 0 && r.IntN(3) > 0 {
					i := r.IntN(len(waiting))
					w.take(waiting[i])
					waiting = slices.Delete(waiting, i, i+1)
				}
			}
			for _, seq := range waiting {
				w.take(seq)
			}
			if len(w.c.segments) > 1 {
				t.Errorf("%d segments are left", len(w.c.segments))
			}
			if limit == math.MaxInt64 && w.dropped+w.bare > 0 {
				t.Error("something was dropped")
			}
		})
	}
}

// cacheWorld is a Cache and what is known of it.
type cacheWorld struct {
	*testing.T
	c             Cache
	dropped, bare int64 // the highest seq that was dropped, and the highest whose features were
}

// take takes what is kept of seq and checks it.
func (w *cacheWorld) take(seq int64) {
	w.Helper()
	has := w.c.Has(seq)
	k, ok := w.c.Take(seq)
	if _, again := w.c.Take(seq); again || ok != has {
		w.Errorf("seq %d: Has is %v, Take %v, and again %v", seq, has, ok, again)
	}
	e, x, r := content(seq)
	switch {
	case !ok:
		w.dropped = max(w.dropped, seq)
		return
	case k.Features == nil:
		w.bare = max(w.bare, seq)
	case seq < w.bare || !slices.Equal(k.Features, x):
		w.Errorf("seq %d has not the features that were put, or those of %d were dropped before", seq, w.bare)
	}
	if k.Record.Value == nil && k.Features != nil {
		r.Value = nil
		if k.Named().Value == nil {
			w.Errorf("seq %d has neither its record nor one with the same names", seq)
		}
	}
	if seq < w.dropped || !bytes.Equal(k.Example.ID, e.ID) || k.Example.Weight != e.Weight ||
		!bytes.Equal(k.Record.Value, r.Value) || k.Record.Offset != r.Offset || k.Record.Key != nil {
		w.Errorf("seq %d is not what was put, or %d was dropped before", seq, w.dropped)
	}
}

// The newest stay.
func TestCacheKeepsNewest(t *testing.T) {
	c := Cache{Limit: 1 << 20}
	for seq := int64(1); seq <= 2000; seq++ {
		put(&c, seq)
	}
	first := int64(0)
	for seq := int64(1); seq <= 2000; seq++ {
		if _, ok := c.Take(seq); ok && first == 0 {
			first = seq
		} else if !ok && first != 0 {
			t.Fatalf("seq %d was dropped, but not seq %d", seq, first)
		}
	}
	if first < 2 || first > 1900 {
		t.Errorf("kept from seq %d on", first)
	}
}

// Examples with the same names are got with one number, whichever numbers of theirs they were put with; those with
// other names with none, or their own.
func TestCacheNames(t *testing.T) {
	var lists [3][]learner.Feature
	for i := range lists {
		for slot := range uint32(20 + i%2) {
			lists[i] = append(lists[i], learner.Feature{Slot: slot, Print: uint16(1 + i/2*5)})
		}
	}
	c := Cache{Limit: 1 << 24}
	r := rand.New(rand.NewPCG(5, 5))
	const n = 3000
	of := func(seq int64) int { return int(seq / 400 % 3 * (seq % 5) % 3) }
	for seq := range int64(n) {
		x := lists[of(seq)]
		for i := range x {
			x[i].Value = float64(seq) + float64(i)/100
		}
		e := event.Example{Names: uint64(10*of(seq) + r.IntN(10))} // 0 among them
		c.Put(seq, &e, x, &topics.Record{})
	}
	numbers := map[uint64]int{}
	for seq := range int64(n) {
		k, ok := c.Take(seq)
		x := lists[of(seq)]
		for i := range x {
			x[i].Value = float64(seq) + float64(i)/100
		}
		if !ok || !slices.Equal(k.Features, x) {
			t.Fatalf("seq %d: %v %v", seq, ok, k.Features)
		}
		if number := k.Example.Names; number != 0 {
			if list, known := numbers[number]; known && list != of(seq) {
				t.Fatalf("%d stands for two lists of names", number)
			}
			numbers[number] = of(seq)
		}
	}
	if len(numbers) == 0 {
		t.Error("no example has a number")
	}
}

// TestCacheBytes: an event of 30 numbers in 470 bytes takes less than twice that, and where its features are dropped
// little more than itself. Of many, most records are not kept.
func TestCacheBytes(t *testing.T) {
	const n = 20_000
	x := make([]learner.Feature, 30)
	for i := range x {
		x[i].Slot = uint32(i)
	}
	e, r := event.Example{ID: []byte(`"e1234567"`)}, topics.Record{Value: make([]byte, 470)}
	fill := func(c *Cache) int64 {
		for seq := range int64(n) {
			c.Put(seq, &e, x, &r)
		}
		return c.Bytes() / n
	}
	c, many := Cache{Limit: 1 << 30}, Cache{Limit: 10 << 20}
	whole, most := fill(&c), fill(&many)
	c.Limit = 0
	for c.bare < len(c.segments) {
		c.shrink()
	}
	bare := c.Bytes() / n
	t.Logf("%d bytes, %d without features, %d of many", whole, bare, most)
	if whole > 850 || bare > 600 || most > 450 {
		t.Errorf("%d bytes, %d without features, %d of many, want at most 850, 600 and 450", whole, bare, most)
	}
	var k Kept
	records := 0
	for seq := range int64(n) {
		if !many.Get(seq, &k) {
			t.Fatalf("seq %d was dropped", seq)
		}
		if len(k.Record.Value) > 0 {
			records++
		}
	}
	if records < n/20 || records > n/4 {
		t.Errorf("%d of %d records are kept", records, n)
	}
}

// TestCacheReuses: where as many events come as labels, many at a time, nothing is allocated, and little is kept that
// is not used.
func TestCacheReuses(t *testing.T) {
	const waiting, wave = 20_000, 2000
	c := Cache{Limit: 256 << 20, Reuse: true}
	x, e, r := make([]learner.Feature, 30), event.Example{ID: []byte("e12345")}, topics.Record{Value: make([]byte, 700)}
	seq := int64(0)
	putWave := func() {
		for range wave {
			seq++
			c.Put(seq, &e, x, &r)
		}
	}
	for seq < waiting {
		putWave()
	}
	if n := testing.AllocsPerRun(50, func() {
		putWave()
		for i := range int64(wave) {
			c.Remove(seq - waiting - i)
		}
	}); n >= 1 {
		t.Errorf("%v allocations for %d events", n, wave)
	}
	for i := seq - waiting; i < seq-waiting/2; i++ {
		c.Remove(i)
	}
	if c.spareBytes > c.Bytes()/8 {
		t.Errorf("%d bytes are kept, %d are in use", c.spareBytes, c.Bytes())
	}
	if i := slices.IndexFunc(c.spare[len(c.spare):cap(c.spare)], func(s *segment) bool { return s != nil }); i >= 0 {
		t.Error("a segment that is not kept is still referred to")
	}
}

func BenchmarkCache(b *testing.B) {
	c := Cache{Limit: 256 << 20}
	x := make([]learner.Feature, 30)
	e := event.Example{ID: []byte(`"e12345"`), IDIsJSON: true}
	r := topics.Record{Value: make([]byte, 700)}
	b.ReportAllocs()
	seq := int64(0)
	for b.Loop() {
		seq++
		c.Put(seq, &e, x, &r)
		c.Take(seq - 100_000)
	}
}
