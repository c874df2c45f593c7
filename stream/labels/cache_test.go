package labels

import (
	"bytes"
	"fmt"
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
	x := make([]learner.Feature, r.IntN(60))
	for i := range x {
		x[i] = learner.Feature{Slot: r.Uint32(), Print: uint16(r.Uint32()), Value: r.NormFloat64()}
	}
	if seq%50 == 0 {
		x = append(x, make([]learner.Feature, segmentFeatures+r.IntN(100))...)
	}
	value := bytes.Repeat([]byte{byte(seq)}, r.IntN(1000))
	if seq%70 == 0 {
		value = bytes.Repeat([]byte{1}, segmentText+1)
	}
	e := event.Example{ID: fmt.Append(nil, seq), IDIsJSON: true, Weight: r.Float64(), Start: 5, End: 5 + len(x)}
	return e, x, topics.Record{Value: value, Offset: seq * 2, Timestamp: seq * 3}
}

// What is kept is what was put; the memory is bounded; what goes is the oldest.
func TestCache(t *testing.T) {
	for _, limit := range []int64{0, 200 << 10, 3 << 20} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			c := Cache{Limit: limit}
			r := rand.New(rand.NewPCG(4, 4))
			var waiting []int64
			dropped := int64(0) // highest that was dropped
			for seq := int64(1); seq < 5000; seq += 1 + r.Int64N(3) {
				put(&c, seq)
				waiting = append(waiting, seq)
				if c.Bytes() > limit {
					t.Fatalf("%d bytes, limit %d", c.Bytes(), limit)
				}
				for len(waiting) > 0 && r.IntN(3) > 0 {
					i := r.IntN(len(waiting))
					dropped = max(dropped, check(t, &c, waiting[i], dropped))
					waiting = slices.Delete(waiting, i, i+1)
				}
			}
			for _, seq := range waiting {
				dropped = max(dropped, check(t, &c, seq, dropped))
			}
			if len(c.segments) > 1 {
				t.Errorf("%d segments are left", len(c.segments))
			}
		})
	}
}

// check takes what is kept of seq, and returns seq if it was dropped.
func check(t *testing.T, c *Cache, seq, dropped int64) int64 {
	t.Helper()
	k, ok := c.Take(seq)
	if _, again := c.Take(seq); again {
		t.Errorf("seq %d can be taken twice", seq)
	}
	if !ok {
		return seq
	}
	e, x, r := content(seq)
	if !slices.Equal(k.Features, x) || !bytes.Equal(k.Example.ID, e.ID) || k.Example.Weight != e.Weight ||
		!bytes.Equal(k.Record.Value, r.Value) || k.Record.Offset != r.Offset || k.Record.Key != nil {
		t.Errorf("seq %d is not what was put", seq)
	}
	return 0
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

// TestKeep: a copy apart from the cache has the same content, and none of the memory.
func TestKeep(t *testing.T) {
	e, x, r := content(7)
	k := Keep(&e, x, &r)
	var c Cache
	c.Limit = 1 << 30
	c.Put(7, &e, x, &r)
	if c.Oldest() != 7 {
		t.Errorf("the oldest is %d", c.Oldest())
	}
	clear(x)
	clear(r.Value)
	clear(e.ID)
	want, _ := c.Take(7)
	if !slices.Equal(k.Features, want.Features) || !bytes.Equal(k.Record.Value, want.Record.Value) ||
		!bytes.Equal(k.Example.ID, want.Example.ID) || k.Example.End != want.Example.End {
		t.Errorf("%+v, want %+v", k, want)
	}
	if k.Bytes() < int64(len(r.Value)) {
		t.Errorf("%d bytes", k.Bytes())
	}
}
