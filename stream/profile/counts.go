package profile

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"rosenblatt/stream/event"
)

const (
	countedWords = 2048 // of a window; more are others
	maxWord      = 64   // bytes
)

// counts is what a field has in the current window.
type counts struct {
	last     int64 // the event that had it last
	present  int   // events
	nulls    int
	words    int
	booleans int
	unknown  int // words that the reference does not have

	values []float64 // numbers
	sorted bool
	of     map[string]int // words and booleans, at most countedWords
	seen   Bitmap         // of them
}

func (c *counts) reset() {
	c.present, c.nulls, c.words, c.booleans, c.unknown = 0, 0, 0, 0, 0
	c.values, c.sorted = c.values[:0], false
	clear(c.of)
	clear(c.seen)
}

// add counts a value of an event.
func (c *counts) add(of int64, v *event.Value, reference *Summary) {
	if v.Kind == event.NullValue {
		c.nulls++
		return
	}
	//mutation:array-is-one-event
	if c.last != of {
		c.last = of
		c.present++
	}
	switch v.Kind {
	case event.NumberValue:
		c.values = append(c.values, v.Number)
		//mutation:sorted-no-more
		c.sorted = false
		return
	case event.WordValue:
		c.words++
	case event.BooleanValue:
		c.booleans++
	}
	if c.of == nil {
		c.of, c.seen = map[string]int{}, make(Bitmap, bitmapSize)
	}
	word := v.Word
	if len(word) > maxWord {
		word = bytes.ToValidUTF8(word[:maxWord], nil)
	}
	if n := c.of[string(word)]; n > 0 || len(c.of) < countedWords {
		c.of[string(word)] = n + 1
	}
	h := xxhash.Sum64(v.Word)
	c.seen.set(h)
	if reference != nil && !reference.Seen.has(h) {
		c.unknown++
	}
}

func (c *counts) sort() {
	if !c.sorted {
		slices.Sort(c.values)
		c.sorted = true
	}
}

// top returns the most frequent words.
func (c *counts) top(most int) []Word {
	all := make([]Word, 0, len(c.of))
	for word, n := range c.of {
		all = append(all, Word{word, n})
	}
	return mostFrequent(all, most)
}

func mostFrequent(all []Word, most int) []Word {
	slices.SortFunc(all, func(a, b Word) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Text, b.Text)
	})
	return slices.Clip(all[:min(most, len(all))])
}

// Bitmap has a bit for each hash of a word, by which distinct words are counted and known again.
type Bitmap []byte

const bitmapSize = 2048 // bytes

func (b Bitmap) set(h uint64) { b[h>>3%bitmapSize] |= 1 << (h & 7) }

// has reports whether a word of this hash was set. Of an empty bitmap none was.
func (b Bitmap) has(h uint64) bool { return len(b) > 0 && b[h>>3%bitmapSize]>>(h&7)&1 != 0 }

// full is the share of the bits that are set.
func (b Bitmap) full() float64 {
	n := 0
	for _, x := range b {
		n += bits.OnesCount8(x)
	}
	return float64(n) / (8 * bitmapSize)
}

// distinct estimates how many hashes were set (linear counting: Whang et al. 1990).
func (b Bitmap) distinct() int {
	const places = 8 * bitmapSize
	free := max(1, places*(1-b.full()))
	return int(math.Round(places * math.Log(places/free)))
}
