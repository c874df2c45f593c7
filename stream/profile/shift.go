package profile

import (
	"math"
	"slices"
)

const (
	fewValues = 200  // fewer than these give no shift
	large     = 0.25 // a shift above it is large
	unusual   = 3    // times the median of a field's last shifts
	chance    = 5    // deviations of a count
)

// Shift returns the population stability index of counts now and before of the same bins, less what chance gives. It is
// at least 0.
func Shift(now, before []int) float64 {
	n, m, size := 0.0, 0.0, float64(len(now))
	for i := range now {
		n += float64(now[i])
		m += float64(before[i])
	}
	sum := 0.0
	for i := range now {
		p, q := (float64(now[i])+0.5)/(n+size/2), (float64(before[i])+0.5)/(m+size/2)
		sum += (p - q) * math.Log(p/q)
	}
	//mutation:shift-by-chance
	sum -= (size - 1) * (1/n + 1/m)
	return max(0, sum)
}

// shift compares the window with what was before. It reports false where there are too few values for it, or most words
// before were none of the most frequent.
func (c *counts) shift(before *Summary) (shift float64, ok bool) {
	now, was := c.bins(before)
	//mutation:few-values
	if min(len(c.values)+c.words+c.booleans, before.values()) < fewValues {
		return 0, false
	}
	//mutation:ids-have-no-shift
	if words := before.Words + before.Booleans; 2*before.others() > words && 2*words > before.values() {
		return 0, false
	}
	return Shift(now, was), true
}

// bins counts the values of the window, and those before, in the bins of those before.
func (c *counts) bins(before *Summary) (now, was []int) {
	c.sort()
	if len(before.Bins) > 0 {
		now, was = inBins(c.values, before.Bounds), slices.Clone(before.Bins)
	} else if len(c.values) > 0 {
		now, was = []int{len(c.values)}, []int{0}
	}
	if c.words+c.booleans+before.Words+before.Booleans == 0 {
		return now, was
	}
	others := c.words + c.booleans
	for _, w := range before.Top {
		n := c.of[w.Text]
		others -= n
		now, was = append(now, n), append(was, w.Count)
	}
	return append(now, others), append(was, before.others())
}

// judgement is what the newest whole window of a field is beside what was before.
type judgement struct {
	before   *Summary // nil: there was none
	shift    Shifts
	newWords *float64
	alert    Alert
}

// Shifts are those of the newest window. They are nil where there are too few values.
type Shifts struct {
	Before    *float64 `json:"before,omitempty"`
	Reference *float64 `json:"reference,omitempty"`
}

// Alert says why a field alerts; empty if it does not.
type Alert string

// The reasons for which a field alerts.
const (
	Shifted Alert = "shifted" // its values are others than before
	Rarer   Alert = "rarer"   // less than half of the events have it that had it before
	Oftener Alert = "oftener" // more than twice as many
)

// judge compares the current window, of so many events, with those before.
func (f *field) judge(events int, before []int) {
	j := judgement{newWords: f.current.newWords(f.reference)}
	if s, ok := f.shiftFrom(f.reference); ok {
		j.shift.Reference = &s
	}
	if len(before) > 0 {
		j.before = pool(f.before, before)
		if s, ok := f.shiftFrom(j.before); ok {
			j.shift.Before = &s
			//mutation:usual-shift
			if s > large && len(f.shifts) > 0 && s > unusual*median(f.shifts) {
				j.alert = Shifted
			}
			f.shifts = keep(f.shifts, s)
		}
		if a := presence(f.current.present, events, j.before); a != "" {
			j.alert = a
		}
	}
	f.judged = j
}

func (f *field) shiftFrom(before *Summary) (float64, bool) {
	if before == nil {
		return 0, false
	}
	return f.current.shift(before)
}

// presence compares how many events of the window have a field with what was usual.
func presence(present, events int, before *Summary) Alert {
	usual, n := float64(events)*before.PresentRatio(), float64(present)
	//mutation:presence-by-chance
	if math.Abs(n-usual) <= chance*math.Sqrt(max(n, usual)) {
		return ""
	}
	switch {
	case n < usual/2:
		return Rarer
	case n > 2*usual:
		return Oftener
	}
	return ""
}

// newWords is the share of the words that the reference does not have. Of those that it does not have, some have the
// bits of others.
func (c *counts) newWords(reference *Summary) *float64 {
	if reference == nil || c.words+c.booleans == 0 || reference.Seen.full() > 0.9 ||
		reference.Seen == nil && reference.Words+reference.Booleans > 0 {
		return nil
	}
	share := float64(c.unknown) / float64(c.words+c.booleans)
	//mutation:new-words-with-known-bits
	share = min(1, share/(1-reference.Seen.full()))
	return &share
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
