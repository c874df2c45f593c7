package learner

import (
	"math/rand/v2"
	"testing"
)

// TestTiesByMargin compares with votes and sums over pairs counted in maps, on classes that tie often.
func TestTiesByMargin(t *testing.T) {
	first, margin := newMulti(t, "pa1:C=0.1", OVO, ScaleNone, 6), newMulti(t, "pa1:C=0.1", OVO, ScaleNone, 6)
	margin.spec.Ties = TiesMargin
	r := rand.New(rand.NewPCG(61, 1))
	ties, changed := 0, 0
	for i := range 2000 {
		e := classStream(uint64(i), 60)[59]
		e.label = []byte{byte('a' + r.IntN(5))}
		if _, _, err := first.Predict(e.x); err != nil {
			t.Fatal(err)
		}
		class, votes, err := margin.Predict(e.x)
		if err != nil {
			t.Fatal(err)
		}
		count, sums := map[int]float64{}, map[int]float64{}
		for pair, score := range pairsOf(len(margin.classes)) {
			s := margin.raw[score]
			sums[pair[0]] += s
			sums[pair[1]] -= s
			if s >= 0 {
				count[pair[0]]++
			} else {
				count[pair[1]]++
			}
		}
		best := -1
		for c := range margin.classes {
			switch {
			case best < 0 || count[c] > count[best]:
				best = c
			case count[c] == count[best]:
				ties++
				if sums[c] > sums[best] {
					best = c
				}
			}
		}
		if class != best || best >= 0 && votes != count[best] {
			t.Fatalf("example %d: class %d with %v votes, want %d of %v, %v", i, class, votes, best, count, sums)
		}
		if class != first.best {
			changed++
		}
		for _, m := range []*Multi{first, margin} {
			if _, err := m.Prepare(e.label, 1); err != nil {
				t.Fatal(err)
			}
			m.Learn()
		}
	}
	if ties < 100 || changed < 20 {
		t.Errorf("%d ties, of which %d change the prediction: the test shows little", ties, changed)
	}
}

// pairsOf numbers the separators of all pairs, the class seen first first.
func pairsOf(classes int) map[[2]int]int {
	pairs := map[[2]int]int{}
	for j := range classes {
		for i := range j {
			pairs[[2]int{i, j}] = len(pairs)
		}
	}
	return pairs
}

func TestParseScheme(t *testing.T) {
	for text, want := range map[string]MultiSpec{"direct": {Scheme: Direct}, "ova": {Scheme: OVA},
		"ovo": {Scheme: OVO}, "ovo:ties=margin": {Scheme: OVO, Ties: TiesMargin}} {
		var s MultiSpec
		if err := ParseScheme(text, &s); err != nil || s != want || s.SchemeText() != text || s.Validate() != nil {
			t.Errorf("%s: %+v, %v, %s", text, s, err, s.SchemeText())
		}
	}
	var s MultiSpec
	if err := ParseScheme("ovo:ties=first", &s); err != nil || s.Ties != "" {
		t.Error(s, err)
	}
	for _, text := range []string{"", "tree", "ova:ties=margin", "ovo:", "ovo:ties", "ovo:ties=x", "ovo:tie=margin"} {
		if err := ParseScheme(text, &s); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	if (MultiSpec{Scheme: OVA, Ties: TiesMargin}).Validate() == nil ||
		(MultiSpec{Scheme: OVO, Ties: TiesFirst + "x"}).Validate() == nil {
		t.Error("ties out of range are valid")
	}
}
