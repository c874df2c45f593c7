package drift

import (
	"math"

	"rosenblatt/learner/internal/exact"
)

// Bounds that River has as parameters, at its defaults. Its grace period of 10 values changes nothing: parts of 5 never
// differ by more than chance.
const (
	perRow  = 5  // buckets of one size that are kept; of one more, the two oldest are merged
	least   = 5  // values in each part of a window that is cut
	maxRows = 52 // a window has at most 2^53 values, so that counts are exact
)

// Detector detects changes of the mean of values from 0 to 1. Add takes constant time on average.
type Detector struct {
	spec Spec

	seen    int64 // values, over the whole stream
	changes int64 // detected, with drifts
	drifts  int64
	latest  Detection
	drifted Detection // the latest drift

	window
}

// window is what the current window holds.
type window struct {
	n       float64 // values
	total   float64 // their sum
	squares float64 // and that of their squares
	wait    int     // values until the next check
	rows    int     // that have buckets
	row     [maxRows]row
}

// row is a ring of the sums of buckets of 2^i values each. Row 0 has the latest values themselves.
type row struct {
	first uint // where the oldest one is
	n     uint
	sum   [places]float64
}

const places = 8 // perRow + 1 at least, and a power of two

// at is the i-th sum, the oldest first.
func (r *row) at(i uint) *float64 { return &r.sum[(r.first+i)%places] }

// Detection is a change of the mean.
type Detection struct {
	Drift  bool    `json:"drift"`  // the mean has risen
	At     int64   `json:"at"`     // the number of the value at which it was found, from 1
	Before float64 `json:"before"` // the mean of the older part of the window
	After  float64 `json:"after"`  // and of the newer one
	Newer  int64   `json:"newer"`  // values in the newer part
}

// New returns a detector that has seen nothing. The spec is valid.
func New(s Spec) Detector {
	d := Detector{spec: s}
	d.wait = s.Clock
	return d
}

// Spec returns the settings.
func (d *Detector) Spec() Spec { return d.spec }

// Seen counts the values, Changes the detected changes, Drifts those among them that are drifts.
func (d *Detector) Seen() int64    { return d.seen }
func (d *Detector) Changes() int64 { return d.changes }
func (d *Detector) Drifts() int64  { return d.drifts }

// Latest returns the latest change, LatestDrift the latest drift; false without one.
func (d *Detector) Latest() (Detection, bool)      { return d.latest, d.changes > 0 }
func (d *Detector) LatestDrift() (Detection, bool) { return d.drifted, d.drifts > 0 }

// Window is how many values there are since the latest change, and their mean.
func (d *Detector) Window() (values int64, mean float64) {
	if d.n == 0 {
		return 0, 0
	}
	return int64(d.n), d.total / d.n
}

// Add takes the next value, from 0 to 1, and reports whether the mean has changed. Latest says how.
func (d *Detector) Add(x float64) (changed bool) {
	d.seen++
	d.insert(x)
	if d.wait--; d.wait > 0 {
		return false
	}
	d.wait = d.spec.Clock
	if d.n < 2*least {
		return false
	}
	found, changed := d.check()
	if changed {
		d.detected(found)
	}
	return changed
}

func (d *Detector) detected(found Detection) {
	found.At = d.seen
	//mutation:drift-is-a-rise
	found.Drift = found.After > float64(found.Before*(1+d.spec.Rise))
	d.changes++
	d.latest = found
	if found.Drift {
		d.drifts++
		d.drifted = found
	}
	//mutation:adwin-empty-window
	d.window = window{wait: d.spec.Clock}
}

// insert adds a value to the window. A row that is full gives its two oldest buckets to the next one.
func (w *window) insert(x float64) {
	w.n++
	w.total += x
	w.squares += float64(x * x)
	for i := 0; ; i++ {
		r := &w.row[i]
		*r.at(r.n) = x
		if r.n++; r.n <= perRow {
			w.rows = max(w.rows, i+1)
			return
		}
		x = *r.at(0) + *r.at(1)
		r.first = (r.first + 2) % places
		r.n -= 2
	}
}

// check tries all cuts of the window. If one is a change, it returns that whose means are furthest apart, measured in
// the bound that chance has there.
func (d *Detector) check() (found Detection, changed bool) {
	// Of values with the sum of squares s around their mean, parts of n0 and n1 values may differ by
	// ε = sqrt(2·m·s/n·δ') + 2/3·δ'·m, with m = 1/(n0-4) + 1/(n1-4) and δ' = ln(2·ln(n)/δ).
	bound := exact.Log(float64(2*exact.Log(d.n)) / d.spec.Delta)
	spread := max(0, d.squares-float64(d.total*d.total)/d.n)
	scale := 2 * (spread / d.n) * bound
	factor := scale * (d.n - 2*(least-1))
	n0, u0, most := 0.0, 0.0, 1.0
	for i := d.rows - 1; i >= 0; i-- {
		r, size := &d.row[i], float64(int64(1)<<i)
		for k := range r.n {
			n0 += size
			u0 += *r.at(k)
			n1, u1 := d.n-n0, d.total-u0
			if n0 < least {
				continue
			}
			if n1 < least {
				return found, changed
			}
			// Most cuts differ by less than the first term of ε alone, which is seen without a division. The second
			// term is much larger than what rounding may do here.
			apart := float64(u0*n1) - float64(u1*n0)
			both := float64(n0 * n1)
			if float64(float64(apart*apart)*float64((n0-least+1)*(n1-least+1))) <= float64(factor*float64(both*both)) {
				continue
			}
			m := 1/(n0-least+1) + 1/(n1-least+1)
			epsilon := math.Sqrt(float64(m*scale)) + float64(2.0/3*float64(bound*m))
			//mutation:cut-that-shows-most
			if ratio := math.Abs(u0/n0-u1/n1) / epsilon; ratio > most {
				most, changed = ratio, true
				found = Detection{Before: u0 / n0, After: u1 / n1, Newer: int64(n1)}
			}
		}
	}
	return found, changed
}
