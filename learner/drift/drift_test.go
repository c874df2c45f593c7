package drift_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rosenblatt/learner/drift"
)

// coin gives mistakes with the rates of parts of 20,000 examples each.
func coin(seed uint64, rates ...float64) (mistakes []float64) {
	r := rand.New(rand.NewPCG(seed, 38))
	for _, rate := range rates {
		for range 20_000 {
			x := 0.0
			if r.Float64() < rate {
				x = 1
			}
			mistakes = append(mistakes, x)
		}
	}
	return mistakes
}

// TestDrift finds a rise soon, counts a fall and a small rise as changes alone, and finds nothing where nothing
// changes.
func TestDrift(t *testing.T) {
	for _, test := range []struct {
		name            string
		rise            float64
		rates           []float64
		changes, drifts int64
	}{
		{"nothing", 0, []float64{0.1, 0.1, 0.1, 0.1, 0.1}, 0, 0},
		{"rise", 0.2, []float64{0.1, 0.2}, 1, 1},
		{"fall", 0, []float64{0.2, 0.1}, 1, 0},
		{"rise, fall, rise", 0.2, []float64{0.1, 0.2, 0.1, 0.3}, 3, 2},
		{"a rise by less", 1, []float64{0.2, 0.3}, 1, 0},
		{"from no mistake", 0.2, []float64{0, 0.05}, 1, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := drift.New(drift.Spec{Delta: 1e-7, Rise: test.rise, Clock: 256})
			for i, x := range coin(1, test.rates...) {
				if d.Add(x) && (i < 20_000 || i%20_000 > 4000) {
					t.Errorf("a change at example %d", i+1)
				}
			}
			if d.Changes() != test.changes || d.Drifts() != test.drifts {
				t.Errorf("%d changes and %d drifts, want %d and %d", d.Changes(), d.Drifts(), test.changes, test.drifts)
			}
			latest, changed := d.LatestDrift()
			n, mean := d.Window()
			if rate := test.rates[len(test.rates)-1]; n == 0 || math.Abs(mean-rate) > 0.02 {
				t.Errorf("a window of %d with the mean %v, want %v", n, mean, rate)
			}
			if changed != (test.drifts > 0) || changed && !(latest.Drift && latest.After > latest.Before) {
				t.Errorf("the latest drift: %+v", latest)
			}
		})
	}
}

// TestShortRise finds a rise that is short beside the window: the window is cut where it shows, not at the first
// border where chance is excluded.
func TestShortRise(t *testing.T) {
	d := drift.New(drift.Spec{Delta: 1e-7, Rise: 0.5, Clock: 1024})
	mistakes := append(coin(2, 0.1, 0.1, 0.1, 0.1, 0.1), make([]float64, 0, 2048)...)
	for range 1024 {
		mistakes = append(mistakes, 1)
	}
	for _, x := range mistakes {
		d.Add(x)
	}
	if latest, _ := d.Latest(); !latest.Drift || latest.After < 0.8 {
		t.Errorf("%+v: want a drift to nearly 1", latest)
	}
}

func TestSpec(t *testing.T) {
	if err := drift.DefaultSpec().Check(); err != nil {
		t.Error(err)
	}
	for _, s := range []drift.Spec{{}, {Delta: 1, Clock: 1}, {Delta: math.NaN(), Clock: 1}, {Delta: 0.1},
		{Delta: 0.1, Clock: 1<<20 + 1}, {Delta: 0.1, Clock: 1, Rise: -1}, {Delta: 0.1, Clock: 1, Rise: math.NaN()}} {
		if s.Check() == nil {
			t.Errorf("%+v is valid", s)
		}
	}
}

// TestHostileState refuses states that no detector has.
func TestHostileState(t *testing.T) {
	d := drift.New(drift.DefaultSpec())
	for _, x := range coin(1, 0.1, 0.3) {
		d.Add(x)
	}
	text, err := json.Marshal(&d)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for name, values := range map[string][]string{
		"delta": {"0", "2"}, "rise": {"-1"}, "clock": {"0"}, "seen": {"5", "-1"}, "changes": {"0", "-1", "1e9"},
		"drifts": {"-1", "0", "2"}, "latest": {"null", `{"at":-1}`, `{"at":50000,"newer":1}`, `{"at":9,"newer":9}`},
		"latestDrift": {"null", `{"at":5,"newer":1,"drift":false}`}, "wait": {"0", "257"},
		"total": {"-1", "1e9"}, "squares": {"-1", "1e9"},
		"rows": {"[[0,1]]", "[[0,0,0,0],[]]", "[[0,0,0,0,2],[0]]", "[[0,0,0,0,-1],[0]]", "[[0,0,0,0,0,0]]",
			"[" + strings.Repeat("[0,0,0,0],", 52) + "[0]]", "3"},
	} {
		good := fields[name]
		if good == nil {
			t.Errorf("%s: no such field in %s", name, text)
		}
		for _, value := range values {
			fields[name] = json.RawMessage(value)
			broken, err := json.Marshal(fields)
			if err != nil {
				t.Fatal(err)
			}
			loaded := drift.New(drift.DefaultSpec())
			if err := json.Unmarshal(broken, &loaded); err == nil {
				t.Errorf("%s: %s is taken", name, value)
			} else if loaded != drift.New(drift.DefaultSpec()) {
				t.Errorf("%s: %s has changed the detector", name, value)
			}
		}
		fields[name] = good
	}
}

// BenchmarkAdd is an event of a stream whose window is long.
func BenchmarkAdd(b *testing.B) {
	for _, clock := range []int{32, 256} {
		b.Run(map[int]string{32: "clock=32", 256: "clock=256"}[clock], func(b *testing.B) {
			d := drift.New(drift.Spec{Delta: 1e-7, Rise: 0.2, Clock: clock})
			mistakes := coin(1, 0.1)[:1<<14]
			for i := range 1 << 24 {
				d.Add(mistakes[i%(1<<14)])
			}
			b.ResetTimer()
			for i := range b.N {
				d.Add(mistakes[i%(1<<14)])
			}
			if d.Changes() > 0 {
				b.Error("a change of a mean that does not change")
			}
		})
	}
}
