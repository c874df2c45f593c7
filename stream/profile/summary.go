package profile

import (
	"math"
	"slices"
	"sort"
)

const (
	bins     = 10
	topWords = 20
	keptTop  = 50  // words of a window that are kept, of which those before are made
	points   = 100 // numbers of a window that are kept for the same
)

// Summary is what a field had in one window, or in several together.
type Summary struct {
	Events   int `json:"events"`             // in the window, with the field and without
	Present  int `json:"present"`            // of these have it
	Nulls    int `json:"nulls,omitempty"`    // values that are null, blank or a word for a missing value
	Numbers  int `json:"numbers,omitempty"`  // values that are numbers
	Words    int `json:"words,omitempty"`    // values that are words
	Booleans int `json:"booleans,omitempty"` // values that are true or false

	Mean      float64 `json:"mean,omitempty"` // of the numbers
	Deviation float64 `json:"deviation,omitempty"`
	Least     float64 `json:"least,omitempty"`
	Greatest  float64 `json:"greatest,omitempty"`

	// Bins count the numbers up to each bound, those before not counted again, and then those above the last one.
	Bounds []float64 `json:"bounds,omitempty"`
	Bins   []int     `json:"bins,omitempty"`

	Top      []Word `json:"top,omitempty"` // the most frequent words and booleans
	Distinct int    `json:"distinct,omitempty"`
	Seen     Bitmap `json:"seen,omitempty"` // of the reference: the hashes of the words

	points []float64 // of numbers, for pool
	kept   []Word
}

// Word is a word and how often it came.
type Word struct {
	Text  string `json:"word"`
	Count int    `json:"count"`
}

// PresentRatio is the share of the events that have the field.
func (s *Summary) PresentRatio() float64 { return float64(s.Present) / float64(max(1, s.Events)) }

// others counts the words and booleans that are not among the most frequent.
func (s *Summary) others() int {
	n := s.Words + s.Booleans
	for _, w := range s.Top {
		n -= w.Count
	}
	return n
}

// values counts all that are present.
func (s *Summary) values() int { return s.Numbers + s.Words + s.Booleans }

// summary sums the window up, of so many events. A reference knows its words again.
func (c *counts) summary(events int, reference bool) *Summary {
	c.sort()
	s := &Summary{Events: events, Present: c.present, Nulls: c.nulls, Numbers: len(c.values), Words: c.words,
		Booleans: c.booleans}
	s.measure(c.values)
	if len(c.of) > 0 {
		s.kept, s.Distinct = c.top(keptTop), c.seen.distinct()
		s.Top = s.kept[:min(topWords, len(s.kept))]
	}
	if n := len(c.values); n > 0 {
		s.Bounds = boundsOf(c.values, nil)
		s.Bins = inBins(c.values, s.Bounds)
		for i := range min(points, n) {
			s.points = append(s.points, c.values[(2*i+1)*n/(2*min(points, n))])
		}
	}
	if reference {
		s.Seen, s.points, s.kept = slices.Clone(c.seen), nil, nil
	}
	return s
}

// measure takes sorted numbers.
func (s *Summary) measure(sorted []float64) {
	if len(sorted) == 0 {
		return
	}
	n := float64(len(sorted))
	for _, v := range sorted {
		s.Mean += v
	}
	s.Mean /= n
	squares := 0.0
	for _, v := range sorted {
		squares += (v - s.Mean) * (v - s.Mean) / n
	}
	s.Deviation, s.Least, s.Greatest = math.Sqrt(squares), sorted[0], sorted[len(sorted)-1]
}

// boundsOf returns bounds between which there are equally many of sorted values, a tenth each. With weights each value
// stands for so many. A value that is two bounds has a bin of its own.
func boundsOf(sorted, weights []float64) (bounds []float64) {
	total := float64(len(sorted))
	if weights != nil {
		total = 0
		for _, w := range weights {
			total += w
		}
	}
	below, k := 0.0, 1
	for i, v := range sorted {
		if weights == nil {
			below++
		} else {
			below += weights[i]
		}
		for ; k < bins && below >= total*float64(k)/bins; k++ {
			n, less := len(bounds), math.Nextafter(v, math.Inf(-1))
			switch {
			case n == 0 || bounds[n-1] != v:
				bounds = append(bounds, v)
			//mutation:value-with-its-own-bin
			case n == 1 || bounds[n-2] != less:
				bounds = append(bounds[:n-1], less, v)
			}
		}
	}
	return bounds
}

// inBins counts sorted values between bounds.
func inBins(sorted, bounds []float64) []int {
	counts, from := make([]int, 0, len(bounds)+1), 0
	for _, b := range bounds {
		upTo := sort.Search(len(sorted), func(i int) bool { return sorted[i] > b })
		counts = append(counts, upTo-from)
		from = upTo
	}
	return append(counts, len(sorted)-from)
}
