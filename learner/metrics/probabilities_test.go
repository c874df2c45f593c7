package metrics

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// given makes n probabilities, some of them absent (-1), some certain.
func given(seed uint64, n int) []float64 {
	r := rand.New(rand.NewPCG(seed, 9))
	out := make([]float64, n)
	for i := range out {
		switch p := r.Float64(); r.IntN(20) {
		case 0:
			out[i] = -1
		case 1:
			out[i] = math.Round(p)
		default:
			out[i] = p
		}
	}
	return out
}

func lossOf(p float64) float64 { return -math.Log(min(max(p, 1e-15), 1-1e-15)) }

// forecast is the probability that was given to the label of an example, -1 for none.
type forecast struct {
	given float64
	label int8
}

// naiveForecasts computes the figures of the last examples with probabilities, with weights that fall by fade.
func naiveForecasts(list []forecast, last int, fade float64) (f Figures) {
	type bin struct{ p, y float64 }
	var n, loss, brier, expected, positives float64
	bins := map[int]*bin{}
	for i := max(0, len(list)-last); i < len(list); i++ {
		if list[i].given < 0 {
			continue
		}
		weight, y := math.Pow(fade, float64(len(list)-1-i)), float64(list[i].label+1)/2
		p := list[i].given
		if y == 0 {
			p = 1 - p
		}
		n += weight
		loss += weight * lossOf(list[i].given)
		brier += weight * (p - y) * (p - y)
		expected += weight * p
		positives += weight * y
		k := int(math.Floor(15 * p))
		if k == 15 {
			k = 14
		}
		if bins[k] == nil {
			bins[k] = new(bin)
		}
		bins[k].p += weight * p
		bins[k].y += weight * y
	}
	if n == 0 {
		return f
	}
	gaps := 0.0
	for _, b := range bins {
		gaps += math.Abs(b.p - b.y)
	}
	f.LogLoss, f.Brier, f.CalibrationError = Known(loss/n), Known(brier/n), Known(gaps/n)
	if positives > 0 {
		f.ExpectedPositives = Known(expected / positives)
	}
	return f
}

// TestProbabilities compares their figures with the definitions, in all scopes.
func TestProbabilities(t *testing.T) {
	ps, r := given(1, 12_500), rand.New(rand.NewPCG(6, 6))
	var s Binary
	var m Multiclass
	var list []forecast
	for i, p := range ps {
		label := int8(1)
		if r.Float64() < 0.8 {
			label = -1
		}
		list = append(list, forecast{p, label})
		s.Add(1, label, 0, false)
		m.Add(0, i%3, 0)
		if p >= 0 {
			s.AddProbability(p)
			m.AddProbability(p)
		}
		if i != 0 && i != 10 && i != 999 && i != 1000 && i != 10_500 && i != len(ps)-1 {
			continue
		}
		two, several := s.Report(), m.Report()
		for _, scope := range []struct {
			name      string
			got, also *Figures
			last      int
			fade      float64
		}{{"all", &two.Figures, &several.Figures, len(ps), 1}, {"last", &two.Last, &several.Last, Window, 1},
			{"last10000", &two.Last10000, &several.Last10000, LongWindow, 1},
			{"fading", &two.Fading, &several.Fading, len(ps), Fade}} {
			want := naiveForecasts(list, scope.last, scope.fade)
			got := Figures{LogLoss: scope.got.LogLoss, Brier: scope.got.Brier,
				CalibrationError: scope.got.CalibrationError, ExpectedPositives: scope.got.ExpectedPositives}
			if !alike(reflect.ValueOf(got), reflect.ValueOf(want)) {
				t.Errorf("after %d, %s: %+v, want %+v", i+1, scope.name, got, want)
			}
			if !alike(reflect.ValueOf(scope.also.LogLoss), reflect.ValueOf(want.LogLoss)) ||
				scope.also.Brier != (Optional{}) || scope.also.ExpectedPositives != (Optional{}) {
				t.Errorf("after %d, %s: of classes %+v", i+1, scope.name, scope.also)
			}
		}
		for _, b := range two.Baselines {
			if b.LogLoss != (Optional{}) || b.Brier != (Optional{}) {
				t.Errorf("%s has a log-loss", b.Name)
			}
		}
	}
}

// TestFadingProbabilitiesOfALongStream passes the place where the weights of fading figures start anew.
func TestFadingProbabilitiesOfALongStream(t *testing.T) {
	var s Binary
	for i := range 240_000 { // weights reach 1e100 at 230,143
		s.Add(1, 1, 1, false)
		s.AddProbability([]float64{0.5, 0.25}[i%2])
	}
	if s.probabilities.scale > 1e90 {
		t.Errorf("the weight %v did not start anew", s.probabilities.scale)
	}
	want := (math.Ln2 + 2*math.Ln2) / 2
	if r := s.Report(); math.Abs(r.Fading.LogLoss.Value()-want) > 1e-3 ||
		math.Abs(r.Fading.Brier.Value()-(0.25+0.5625)/2) > 1e-3 {
		t.Errorf("%+v, want %v", r.Fading, want)
	}
}

// TestNoProbabilities: a saved score has nothing of them.
func TestNoProbabilities(t *testing.T) {
	var s Binary
	var m Multiclass
	s.Add(1, -1, 1, true)
	m.Add(-1, 0, 1)
	text := slices.Concat(encode(t, &s), encode(t, &m))
	if bytes.Contains(text, []byte("probabilities")) || s.Report().LogLoss != (Optional{}) ||
		len(s.AppendLast(nil)) != 9 || len(m.AppendLast(nil)) != 8 {
		t.Errorf("%s", text)
	}
}

// A score saved in the middle ends with the same bytes. One saved before there were probabilities counts them from then
// on.
func TestProbabilitiesSurviveASave(t *testing.T) {
	for _, n := range []int{1, 999, 1000, 2345, 9000, 11_000} {
		ps := given(uint64(n), n+1500)
		var s, loaded Binary
		var m, loadedMulti Multiclass
		add := func(from, to int, scores []*Binary, multis []*Multiclass) {
			for _, p := range ps[from:to] {
				for _, s := range scores {
					s.Add(-1, 1, p, true)
					if p >= 0 {
						s.AddProbability(p)
					}
				}
				for _, m := range multis {
					m.Add(1, 2, 0)
					if p >= 0 {
						m.AddProbability(p)
					}
				}
			}
		}
		add(0, n, []*Binary{&s}, []*Multiclass{&m})
		for _, c := range []struct{ from, to any }{{&s, &loaded}, {&m, &loadedMulti}} {
			kept := save(t, c.from)
			if err := kept.load(c.to); err != nil {
				t.Fatal(err)
			}
		}
		add(n, len(ps), []*Binary{&s, &loaded}, []*Multiclass{&m, &loadedMulti})
		if !sameSaved(t, &s, &loaded) || !sameSaved(t, &m, &loadedMulti) {
			t.Errorf("%d: another score in the end", n)
		}
		if a, b := s.Report().Row, loaded.Report().Row; a != b || a.LogLoss == (Optional{}) {
			t.Errorf("%d: %+v and %+v", n, a, b)
		}
		if a, b := m.Report().Row, loadedMulti.Report().Row; a != b || a.LogLoss == (Optional{}) {
			t.Errorf("%d: %+v and %+v", n, a, b)
		}
	}
	var old Binary
	for range 30 {
		old.Add(1, 1, 1, false)
	}
	now := again(t, &old)
	now.Add(1, 1, 1, false)
	now.AddProbability(0.5)
	half := Known(math.Ln2)
	if r := now.Report(); r.LogLoss != half || r.Last.LogLoss != half || r.Fading.LogLoss != half {
		t.Errorf("%+v", r.Row)
	}
}

func TestHostileProbabilities(t *testing.T) {
	s := scoreOf(randomScored(2, 2))
	s.AddProbability(0.25)
	for scope, keys := range map[string]map[string][]string{
		"all": {"examples": {"0", "-1", "3", "0.5"}, "loss": {"-1", "36"}, "brier": {"-1", "2"},
			"expected": {"-1", "2"}, "positives": {"-1", "0.5", "2"}, "gaps": {"[2]", "[-2]"}},
		"fading": {"examples": {"-1", "1e9"}, "loss": {"-1", "36"}, "brier": {"2"}, "expected": {"-1"},
			"positives": {"2"}, "gaps": {"[2]"}},
		"": {"scale": {"0", "0.5", "-1", "1e200"}},
	} {
		for key, values := range keys {
			for _, value := range values {
				var state binaryState
				if err := json.Unmarshal(encode(t, s), &state); err != nil {
					t.Fatal(err)
				}
				to := map[string]any{"all": &state.Probabilities.All, "fading": &state.Probabilities.Fading,
					"": state.Probabilities}[scope]
				if err := json.Unmarshal([]byte(`{"`+key+`":`+value+`}`), to); err != nil {
					t.Fatal(err)
				}
				var got Binary
				if err := json.Unmarshal(encode(t, &state), &got); err == nil || got != (Binary{}) {
					t.Errorf("%s %s = %s was taken", scope, key, value)
				}
			}
		}
	}
}
