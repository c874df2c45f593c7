package silence_test

import (
	"testing"
	"time"

	"rosenblatt/stream/silence"
)

// step is a look, so long after the one before.
type step struct {
	after   time.Duration
	failed  bool
	written bool
	heads   []int64
	waited  time.Duration // of the record that waited longest, from here on
	of      int64         // its offset
}

const ms = time.Millisecond

// TestCount is on a clock of its own.
func TestCount(t *testing.T) {
	t.Parallel()
	waits, none := []int64{7}, []int64{silence.None}
	for name, steps := range map[string][]step{
		"counted from the first look that sees it": {
			{100 * ms, false, false, none, 0, silence.None}, {100 * ms, false, false, waits, 0, 7},
			{100 * ms, false, false, waits, 100 * ms, 7}, {150 * ms, false, false, waits, 250 * ms, 7},
		},
		"another record begins anew": {
			{100 * ms, false, false, waits, 0, 7}, {100 * ms, false, false, waits, 100 * ms, 7},
			{100 * ms, false, false, []int64{8}, 0, 8}, {100 * ms, false, false, []int64{8}, 100 * ms, 8},
		},
		"none waits any more": {
			{100 * ms, false, false, waits, 0, 7}, {100 * ms, false, false, none, 0, silence.None},
			{100 * ms, false, false, waits, 0, 7},
		},
		"a flight is being written": {
			{100 * ms, false, false, waits, 0, 7}, {100 * ms, false, false, waits, 100 * ms, 7},
			{100 * ms, false, true, waits, 0, 7}, {100 * ms, false, true, waits, 0, 7},
			{100 * ms, false, false, waits, 100 * ms, 7},
		},
		"failed looks count nothing": {
			{100 * ms, false, false, waits, 0, 7}, {100 * ms, false, false, waits, 100 * ms, 7},
			{100 * ms, true, false, waits, 0, silence.None}, {100 * ms, true, false, waits, 0, silence.None},
			{100 * ms, false, false, waits, 0, 7}, {100 * ms, false, false, waits, 100 * ms, 7},
		},
		"a slow look counts 200 ms": {
			{100 * ms, false, false, waits, 0, 7}, {900 * ms, false, false, waits, 200 * ms, 7},
			{200 * ms, false, false, waits, 400 * ms, 7}, {201 * ms, false, false, waits, 600 * ms, 7},
		},
		"a pause begins anew": {
			{100 * ms, false, false, waits, 0, 7}, {100 * ms, false, false, waits, 100 * ms, 7},
			{1001 * ms, false, false, waits, 0, 7}, {100 * ms, false, false, waits, 100 * ms, 7},
		},
		"each partition for itself": {
			{100 * ms, false, false, []int64{7, silence.None}, 0, 7},
			{100 * ms, false, false, []int64{7, 3}, 100 * ms, 7},
			{100 * ms, false, false, []int64{8, 3}, 100 * ms, 3},
			{100 * ms, false, false, []int64{8, 3, 9}, 200 * ms, 3},
		},
	} {
		var c silence.Count
		now := time.Now()
		for i, s := range steps {
			now = now.Add(s.after)
			l := silence.Look{At: now, Reached: !s.failed, Written: s.written, Heads: s.heads}
			got := c.Note(&l)
			if got.Offset != s.of || got.For != s.waited {
				t.Errorf("%s: look %d: offset %d waited for %v, want %d for %v", name, i+1, got.Offset, got.For, s.of,
					s.waited)
			}
			if l.Waits() != (s.heads[0] != silence.None) {
				t.Errorf("%s: look %d: %v", name, i+1, l.Waits())
			}
		}
	}
}

// TestReset: what was counted is forgotten.
func TestReset(t *testing.T) {
	t.Parallel()
	var c silence.Count
	l := silence.Look{At: time.Now(), Reached: true, Heads: []int64{7}}
	for range 3 {
		l.At = l.At.Add(100 * ms)
		c.Note(&l)
	}
	c.Reset()
	if l.At = l.At.Add(100 * ms); c.Note(&l).For != 0 {
		t.Error("it counts on")
	}
}
