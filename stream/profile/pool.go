package profile

import (
	"cmp"
	"math"
	"slices"
)

// pool makes one summary of those of several windows, of so many events each; nil stands for one without the field.
// Numbers are as good as the points that are kept of each window, words as those that are frequent in it.
func pool(windows []*Summary, events []int) *Summary {
	all := &Summary{}
	for _, n := range events {
		all.Events += n
	}
	words := map[string]int{}
	for _, s := range windows {
		if s == nil {
			continue
		}
		all.merge(s)
		for _, w := range s.kept {
			words[w.Text] += w.Count
		}
	}
	for text, n := range words {
		all.Top = append(all.Top, Word{text, n})
	}
	all.Top = mostFrequent(all.Top, topWords)
	all.poolNumbers(windows)
	return all
}

// merge adds the counts of another window, and its mean and deviation (Chan, Golub and LeVeque 1979).
func (s *Summary) merge(o *Summary) {
	if n, m := float64(s.Numbers), float64(o.Numbers); m > 0 {
		apart := o.Mean - s.Mean
		variance := (n*s.Deviation*s.Deviation + m*o.Deviation*o.Deviation + apart*apart*n*m/(n+m)) / (n + m)
		s.Mean += apart * m / (n + m)
		s.Deviation = math.Sqrt(variance)
		if n == 0 {
			s.Least, s.Greatest = o.Least, o.Greatest
		}
		s.Least, s.Greatest = min(s.Least, o.Least), max(s.Greatest, o.Greatest)
	}
	s.Present += o.Present
	s.Nulls += o.Nulls
	s.Numbers += o.Numbers
	s.Words += o.Words
	s.Booleans += o.Booleans
	s.Distinct = max(s.Distinct, o.Distinct)
}

// poolNumbers makes the bins.
func (s *Summary) poolNumbers(windows []*Summary) {
	type point struct{ value, weight float64 }
	var all []point
	for _, w := range windows {
		if w != nil {
			for _, v := range w.points {
				all = append(all, point{v, float64(w.Numbers) / float64(len(w.points))})
			}
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b point) int { return cmp.Compare(a.value, b.value) })
	values, weights := make([]float64, len(all)), make([]float64, len(all))
	for i, p := range all {
		values[i], weights[i] = p.value, p.weight
	}
	s.Bounds = boundsOf(values, weights)
	counts, i := make([]float64, len(s.Bounds)+1), 0
	for k, v := range values {
		for i < len(s.Bounds) && v > s.Bounds[i] {
			i++
		}
		counts[i] += weights[k]
	}
	for _, n := range counts {
		s.Bins = append(s.Bins, int(math.Round(n)))
	}
}
