package metrics

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
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

// naiveLosses computes the three means from a list.
func naiveLosses(ps []float64) (all, last, fading float64) {
	var n, window, inWindow, weights float64
	weight := 1.0
	for i := len(ps) - 1; i >= 0; i-- {
		if p := ps[i]; p >= 0 {
			n++
			all += lossOf(p)
			weights += weight
			fading += weight * lossOf(p)
			if i >= len(ps)-Window {
				inWindow++
				window += lossOf(p)
			}
		}
		weight *= Fade
	}
	return all / n, window / inWindow, fading / weights
}

func TestLogLoss(t *testing.T) {
	ps := given(1, 3500)
	var s Binary
	var m Multiclass
	for i, p := range ps {
		s.Add(1, 1, 0, false)
		m.Add(0, i%3, 0)
		if p >= 0 {
			s.AddProbability(p)
			m.AddProbability(p)
		}
		if i != 10 && i != 999 && i != 1000 && i != len(ps)-1 {
			continue
		}
		all, last, fading := naiveLosses(ps[:i+1])
		r, c := s.Report(), m.Report()
		for _, f := range []struct{ got, want float64 }{
			{r.LogLoss, all}, {r.Last.LogLoss, last}, {r.Fading.LogLoss, fading},
			{c.LogLoss, all}, {c.Last.LogLoss, last}, {c.Fading.LogLoss, fading},
		} {
			if math.Abs(f.got-f.want) > 1e-12*f.want {
				t.Errorf("after %d: %v, want %v", i+1, f.got, f.want)
			}
		}
		for _, b := range r.Baselines {
			if b.LogLoss != 0 {
				t.Errorf("%s has a log-loss", b.Name)
			}
		}
	}
}

// Without probabilities a saved score has no losses in it, as before there were any.
func TestNoLosses(t *testing.T) {
	var s Binary
	var m Multiclass
	s.Add(1, -1, 1, true)
	m.Add(-1, 0, 1)
	text := slices.Concat(encode(t, s), encode(t, &m))
	if bytes.Contains(text, []byte("losses")) || s.Report().LogLoss != 0 {
		t.Errorf("%s", text)
	}
}

// A score saved in the middle ends with the same bytes; one saved before there were losses counts them from then on.
func TestLossesSurviveASave(t *testing.T) {
	for _, n := range []int{1, 999, 1000, 2345} {
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
		for _, c := range []struct{ from, to any }{{s, &loaded}, {&m, &loadedMulti}} {
			if err := json.Unmarshal(encode(t, c.from), c.to); err != nil {
				t.Fatal(err)
			}
		}
		add(n, len(ps), []*Binary{&s, &loaded}, []*Multiclass{&m, &loadedMulti})
		if !bytes.Equal(encode(t, s), encode(t, loaded)) || !bytes.Equal(encode(t, &m), encode(t, &loadedMulti)) {
			t.Errorf("%d: another score in the end", n)
		}
		if a, b := s.Report().Row, loaded.Report().Row; a != b || a.LogLoss == 0 {
			t.Errorf("%d: %+v and %+v", n, a, b)
		}
		if a, b := m.Report().Row, loadedMulti.Report().Row; a != b || a.LogLoss == 0 {
			t.Errorf("%d: %+v and %+v", n, a, b)
		}
	}
	var old, now Binary
	for range 30 {
		old.Add(1, 1, 1, false)
	}
	if err := json.Unmarshal(encode(t, old), &now); err != nil {
		t.Fatal(err)
	}
	now.Add(1, 1, 1, false)
	now.AddProbability(0.5)
	if r := now.Report(); r.LogLoss != math.Ln2 || r.Last.LogLoss != math.Ln2 || r.Fading.LogLoss != math.Ln2 {
		t.Errorf("%+v", r.Row)
	}
}

func TestHostileLosses(t *testing.T) {
	s := scoreOf(randomScored(2, 2))
	s.AddProbability(0.25)
	for key, values := range map[string][]string{
		"examples":     {"0", "-1", "3"},
		"sum":          {"0", "-1", "36", "1e999"},
		"fadingWeight": {"-1", "1.5"},
		"fading":       {"-1", "36"},
		"last":         {`""`, `"AAAAAAAAAAA="`, `"AAAAAAAAAAAAAAAAAADwfw=="`, `"AAAAAAAAAAAAAAAAAADwvw=="`},
	} {
		for _, value := range values {
			fields, losses := map[string]json.RawMessage{}, map[string]json.RawMessage{}
			if err := json.Unmarshal(encode(t, s), &fields); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(fields["losses"], &losses); err != nil || losses[key] == nil {
				t.Fatal(err, key)
			}
			losses[key] = json.RawMessage(value)
			fields["losses"] = encode(t, losses)
			var got Binary
			if err := json.Unmarshal(encode(t, fields), &got); err == nil || got != (Binary{}) {
				t.Errorf("%s = %s was taken", key, value)
			}
		}
	}
}
