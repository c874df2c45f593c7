package profile

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"rosenblatt/stream/event"
)

// knuth is the generator of testdata/shift.py.
type knuth uint64

func (k *knuth) next() int {
	*k = *k*6364136223846793005 + 1442695040888963407
	return int(*k >> 33)
}

// sample makes the numbers of testdata/shift.py; of words those behind the w.
func sample(seed knuth, kind string, n int) (out []float64) {
	for range n {
		a, b := seed.next(), seed.next()
		v := 5.0 // same
		switch kind {
		case "even":
			v = float64(a%100000) / 100
		case "skewed":
			v = float64(a%1000*(b%1000)) / 1000
		case "counts":
			v = float64(min(a%7, b%7))
		case "mostly":
			if v = float64(b%1000) / 10; a%10 < 6 {
				v = 0
			}
		case "word":
			v = float64(min(a%40, b%40))
		}
		out = append(out, v)
	}
	return out
}

// counted is a window that has these values.
func counted(kind string, values []float64) *counts {
	c := &counts{last: -1}
	for i, v := range values {
		x := event.Value{Kind: event.NumberValue, Number: v}
		if kind == "word" {
			x = event.Value{Kind: event.WordValue, Word: fmt.Appendf(nil, "w%g", v)}
		}
		c.add(int64(i), &x, nil)
	}
	return c
}

// TestShiftOfNumpy holds shifts against those that numpy computes. Against several windows, of which some points are
// kept, they are nearly the same.
func TestShiftOfNumpy(t *testing.T) {
	text, err := os.ReadFile("testdata/shift.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Kind, What string
		N          int
		Shift      float64
	}
	if err := json.Unmarshal(text, &rows); err != nil || len(rows) < 20 {
		t.Fatal(len(rows), err)
	}
	for _, row := range rows {
		now := sample(2, row.Kind, row.N)
		if row.N < Window {
			now = sample(3, row.Kind, row.N)
		}
		for i := range now {
			switch row.What {
			case "twice":
				now[i] *= 2
			case "half more":
				now[i] += 0.5
			case "half less":
				now[i] -= 0.5
			}
		}
		if row.What == "as skewed" {
			for i, v := range sample(2, "skewed", row.N) {
				now[i] = float64(int(v) % 40)
			}
		}
		before := sample(1, row.Kind, Window)
		c := counted(row.Kind, now)
		got, ok := c.shift(counted(row.Kind, before).summary(Window, true))
		if !ok || math.Abs(got-row.Shift) > 1e-9*(1+row.Shift) {
			t.Errorf("%+v: shift %v, %v", row, got, ok)
		}
		var parts []*Summary
		for part := range slices.Chunk(before, Window/10) {
			parts = append(parts, counted(row.Kind, part).summary(Window/10, false))
		}
		got, ok = c.shift(pool(parts, []int{Window}))
		if off := math.Abs(got - row.Shift); !ok || off > 0.01+0.1*row.Shift {
			t.Errorf("%+v: shift %v against windows, %v", row, got, ok)
		}
	}
}

// TestNoShift: too few values have none, nor have words of which most are others.
func TestNoShift(t *testing.T) {
	var ids []float64
	for i := range 1000 {
		ids = append(ids, float64(i))
	}
	few, same := sample(1, "even", fewValues-1), sample(1, "even", Window)
	for _, test := range []struct {
		what        string
		kind        string
		now, before []float64
		want        bool
	}{
		{"few before", "even", same, few, false},
		{"few now", "even", few, same, false},
		{"enough", "even", append(few, 1), append(few, 1), true},
		{"ids", "word", ids, ids, false},
		{"words", "word", ids[:200], slices.Repeat(ids[:20], 10), true},
		{"numbers", "even", ids, ids, true},
	} {
		_, ok := counted(test.kind, test.now).shift(counted(test.kind, test.before).summary(Window, true))
		if ok != test.want {
			t.Errorf("%s: shift %v", test.what, ok)
		}
	}
}

// TestMixedKinds: numbers where there were words, and words where there were numbers, are a shift.
func TestMixedKinds(t *testing.T) {
	numbers, words := sample(1, "even", Window), sample(1, "word", Window)
	for _, test := range []struct{ now, before *counts }{
		{counted("even", numbers), counted("word", words)},
		{counted("word", words), counted("even", numbers)},
	} {
		if s, ok := test.now.shift(test.before.summary(Window, true)); !ok || s < 1 {
			t.Errorf("shift %v, %v", s, ok)
		}
	}
}

func TestBitmap(t *testing.T) {
	for _, n := range []int{1, 20, 1000, 10_000} {
		c := counted("word", nil)
		for i := range n {
			c.add(int64(i), &event.Value{Kind: event.WordValue, Word: fmt.Appendf(nil, "id%d", i)}, nil)
		}
		if got := c.summary(n, false).Distinct; math.Abs(float64(got-n)) > 0.03*float64(n) {
			t.Errorf("%d distinct words of %d", got, n)
		}
		reference := c.summary(n, true)
		c.reset()
		for i := range 4000 { // a quarter is new
			word := fmt.Appendf(nil, "id%d", i%n)
			if i%4 == 0 {
				word = fmt.Appendf(nil, "other%d", i)
			}
			c.add(int64(i), &event.Value{Kind: event.WordValue, Word: word}, reference)
		}
		if got := c.newWords(reference); got == nil || math.Abs(*got-0.25) > 0.02 {
			t.Errorf("%d words: a share of %v is new", n, got)
		}
	}
}
