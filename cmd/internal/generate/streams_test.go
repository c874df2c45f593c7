package generate

import (
	"hash/fnv"
	"math"
	"strings"
	"testing"
)

func number(x float64) *float64 { return &x }

func open(t *testing.T, o Options) Stream {
	t.Helper()
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A seed yields the same events on every machine and in every version.
func TestStreamsAreFixed(t *testing.T) {
	for name, want := range map[string]uint64{
		"hyperplane": 0x43d86bb97afcbf38, "sea": 0x8d3d96052bbdcf45, "led": 0xf7df8acdfce9b35d,
		"rbf": 0xecd4778eff497a46,
	} {
		s := open(t, Options{Name: name, Seed: 7})
		sum := fnv.New64a()
		for range 10_000 {
			_, _ = sum.Write(s.Next().AppendJSON(nil))
		}
		if got := sum.Sum64(); got != want {
			t.Errorf("10,000 events of %s with seed 7 have the sum %#x, want %#x", name, got, want)
		}
	}
}

// An event depends only on its number and the seed.
func TestStreamsSkip(t *testing.T) {
	for _, name := range Names() {
		o := Options{Name: name, Seed: 3, Drift: number(0.01)}
		one, other := open(t, o), open(t, o)
		o.Seed = 4
		elsewhere := open(t, o)
		lines := make([]string, 2_000)
		differ := 0
		for i := range lines {
			lines[i] = string(one.Next().AppendJSON(nil))
			if string(elsewhere.Next().AppendJSON(nil)) != lines[i] {
				differ++
			}
		}
		if differ < 1_990 {
			t.Errorf("%s: %d of 2000 events differ with another seed", name, differ)
		}
		for _, n := range []int64{1_999, 0, 1_000, 1_001, 7} {
			other.SkipTo(n)
			if got := string(other.Next().AppendJSON(nil)); got != lines[n] || other.Position() != n+1 {
				t.Errorf("%s: event %d after SkipTo is\n%s\nwant\n%s", name, n, got, lines[n])
			}
		}
	}
}

func TestOpenErrors(t *testing.T) {
	for want, o := range map[string]Options{
		`"sphere": want hyperplane, sea, led, rbf`: {Name: "sphere"},
		"noise 0.6":                  {Name: "sea", Noise: number(0.6)},
		"segments that are flipped":  {Name: "led", Noise: number(math.NaN())},
		"drift 2":                    {Name: "led", Drift: number(2)},
		"drift 1e-10":                {Name: "sea", Drift: number(1e-10)},
		"drift -1":                   {Name: "rbf", Drift: number(-1)},
		"the number of its features": {Name: "led", Features: 5},
		"10001 features: want 1 to":  {Name: "rbf", Features: 10_001},
	} {
		if _, err := Open(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
}

// near checks that count of n is the expected share, within four standard deviations.
func near(t *testing.T, what string, count, n int, want float64) {
	t.Helper()
	if got := float64(count) / float64(n); math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/float64(n)) {
		t.Errorf("%s: %.4f of %d, want %.4f", what, got, n, want)
	}
}

// Each concept has its bound, its share of positive labels, and noise; the third feature is irrelevant.
func TestSEAConcepts(t *testing.T) {
	const block = 20_000
	s := &SEA{Seed: 2, Drift: 1.0 / block, Noise: 0.1}
	for i, bound := range []float64{8, 9, 7, 9.5, 8} {
		flipped, below, over := 0, 0, 0 // over: positive among those whose third feature is over 5
		for range block {
			e := s.Next()
			want := -1
			if e.Features[0]+e.Features[1] <= bound+1e-9 {
				want = 1
				below++
				if e.Features[2] > 5 {
					over++
				}
			}
			if e.Label != want {
				flipped++
			}
		}
		near(t, "flipped labels", flipped, block, 0.1)
		near(t, "points below the bound", below, block, bound*bound/200)
		near(t, "of these, over 5 in the third feature", over, below, 0.5)
		if i == 1 && flipped == 0 {
			t.Error("no noise")
		}
	}
	if e := (&SEA{Seed: 2}).Next(); e.Number != 0 || len(e.Features) != 3 {
		t.Errorf("%+v", e)
	}
}

// With a tenth of the segments flipped the best rule is wrong 26 times in 100, as the book says.
func TestLEDNoise(t *testing.T) {
	const n = 40_000
	l := &LED{Seed: 5, Noise: 0.1}
	var count [10]int
	right, flipped, lit := 0, 0, 0
	for range n {
		e := l.Next()
		count[e.Label]++
		var seen uint8
		for segment, at := range l.shown(0) {
			seen |= uint8(e.Features[at]) << segment
		}
		if best(seen) == e.Label {
			right++
		}
		for s := range segments {
			if (seen^digits[e.Label])>>s&1 == 1 {
				flipped++
			}
		}
		lit += int(e.Features[l.ring[20]]) // no segment
	}
	near(t, "flipped segments", flipped, n*segments, 0.1)
	near(t, "an irrelevant attribute", lit, n, 0.5)
	near(t, "right predictions of the best rule", right, n, 0.74)
	for d, c := range count {
		near(t, "digit "+string(rune('0'+d)), c, n, 0.1)
	}
}

// best is the most likely digit: that with the fewest segments flipped, since all are equally frequent.
func best(seen uint8) (digit int) {
	least := segments + 1
	for d, want := range digits {
		wrong := 0
		for diff := seen ^ want; diff != 0; diff &= diff - 1 {
			wrong++
		}
		if wrong < least {
			digit, least = d, wrong
		}
	}
	return digit
}

// At each change of concept one segment moves to an attribute without a segment.
func TestLEDDrift(t *testing.T) {
	l := &LED{Seed: 8, Drift: 0.001}
	l.Next()
	for c := range int64(400) {
		before, after := l.shown(c), l.shown(c+1)
		moved := 0
		used := map[int]bool{}
		for s := range before {
			used[before[s]] = true
		}
		for s := range before {
			if before[s] != after[s] {
				moved++
				if used[after[s]] {
					t.Fatalf("concept %d: segment %d moves to an attribute in use", c, s)
				}
			}
		}
		if moved != 1 || len(used) != segments {
			t.Fatalf("after concept %d %d segments move, of %d", c, moved, len(used))
		}
	}
	clean := &LED{Seed: 8, Drift: 0.001}
	for n := range int64(5_000) {
		e := clean.Next()
		for s, at := range clean.shown(n / 1000) {
			if e.Features[at] != float64(digits[e.Label]>>s&1) {
				t.Fatalf("event %d: segment %d of %d is %v", n, s, e.Label, e.Features[at])
			}
		}
	}
}

// nearest classifies an event by the nearest of the centroids at event n, in deviations.
func (r *RBF) nearest(x []float64, n int64) int {
	best, least := 0, math.Inf(1)
	for c := range r.spread {
		var d float64
		for i, v := range x {
			away := v - float64(r.paths.at(c*r.Features+i, n))/(1<<31)
			d += away * away
		}
		if d = math.Sqrt(d) / (float64(r.spread[c])/unit + 1e-3); d < least {
			best, least = c, d
		}
	}
	return 1 - 2*(best%2)
}

// Except for the noise, the nearest centroid predicts the label, but not from where the centroids were at first. The
// labels are as frequent as the weights of their centroids.
func TestRBF(t *testing.T) {
	const n = 10_000
	for seed := uint64(1); seed <= 5; seed++ {
		r := &RBF{Seed: seed, Noise: 0.05, Drift: 0.0005}
		right, stale, positive := 0, 0, 0
		for i := range int64(n) {
			e := r.Next()
			if r.nearest(e.Features, i) == e.Label {
				right++
			}
			if r.nearest(e.Features, 0) == e.Label {
				stale++
			}
			if e.Label > 0 {
				positive++
			}
		}
		near(t, "right predictions from the centroids", right, n, 0.95)
		if float64(stale)/n > 0.75 {
			t.Errorf("seed %d: the first centroids are still right in %d of %d", seed, stale, n)
		}
		var of float64
		for c := 0; c < len(r.sums); c += 2 {
			of += float64(r.sums[c])
			if c > 0 {
				of -= float64(r.sums[c-1])
			}
		}
		of /= float64(r.sums[len(r.sums)-1])
		near(t, "positive labels", positive, n, of*0.95+(1-of)*0.05)
		if of < 0.25 || of > 0.75 {
			t.Errorf("seed %d: %.2f of the labels are positive", seed, of)
		}
	}
}

// The distance from a centroid is a normal number times the deviation.
func TestRBFSpread(t *testing.T) {
	const n = 20_000
	r := &RBF{Seed: 3, centroids: 2, Features: 3}
	var squares [2]float64
	var count [2]int
	for range n {
		e := r.Next()
		c := (1 - e.Label) / 2 // there is no noise
		for i, v := range e.Features {
			away := v - float64(r.paths.at(c*3+i, 0))/(1<<31)
			squares[c] += away * away
		}
		count[c]++
	}
	for c := range squares {
		got, want := math.Sqrt(squares[c]/float64(count[c])), float64(r.spread[c])/unit
		if math.Abs(got/want-1) > 0.05 {
			t.Errorf("centroid %d: the events are %.4f away, its deviation is %.4f", c, got, want)
		}
	}
}
