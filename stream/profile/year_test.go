package profile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/event"
)

// days is how many days the year has, at perDay windows a day.
const (
	days   = 365
	perDay = 1
)

// yearly is an event of a year: what the stationary stream has, and fields that follow the clock and the calendar.
func yearly(r *rand.Rand, i int) row {
	e := stationary(r, i)
	year := float64(i) / float64(days*perDay*Window)
	hour := float64(i%(perDay*Window)) / float64(perDay*Window)
	e["temperature"] = fmt.Sprintf("%.2f", 12-9*math.Cos(2*math.Pi*year)+4*math.Sin(2*math.Pi*hour)+r.NormFloat64()*3)
	e["clock"] = fmt.Sprintf("%.3f", 24*hour)
	e["date"] = fmt.Sprint(1_700_000_000 + int(365*86400*year))
	e["price"] = fmt.Sprintf("%.2f", math.Exp(r.NormFloat64()/2+0.05*year))
	e["weekend"] = fmt.Sprint(i/(perDay*Window)%7 > 4)
	return e
}

// TestYearOfFaults runs a year in which a field breaks every 33 days, for two days, and prints how soon it alerts and
// what else does (cmd/rosenblatt/docs/data-shifts.md). ROSENBLATT_TEST_LONG=1 go test ./stream/profile -run TestYear -v
func TestYearOfFaults(t *testing.T) {
	if os.Getenv("ROSENBLATT_TEST_LONG") == "" {
		t.Skip("set ROSENBLATT_TEST_LONG=1")
	}
	set := func(name, value string) func(row) { return func(e row) { e.replace(name, value) } }
	faults := []struct {
		name, field string
		change      func(row)
	}{
		{"unit changed", "amount", func(e row) { e.replace("amount", e["amount"]+"e2") }},
		{"unit changed, in 5 %", "rareNumber", func(e row) { e.replace("rareNumber", e["rareNumber"]+"e2") }},
		{"absent", "heat", func(e row) { delete(e, "heat") }},
		{"absent, in 5 %", "rareWord", func(e row) { delete(e, "rareWord") }},
		{"new category", "country", set("country", `"new"`)},
		{"new category, in 5 %", "rareWord", set("rareWord", `"new"`)},
		{"swapped columns", "amount", func(e row) { e["amount"], e["heat"] = e["heat"], e["amount"] }},
		{"swapped columns, in 5 %", "rareNumber", func(e row) {
			if x, has := e["rareNumber"]; has {
				e["rareNumber"], e["heat"] = e["heat"], x
			}
		}},
		{"frozen sensor", "temperature", set("temperature", "20.5")},
		{"frozen sensor, in 5 %", "rareNumber", set("rareNumber", "0.5")},
	}
	r, p := rand.New(rand.NewPCG(38, 365)), newProfile(t, nil)
	const every, lasts = 33 * perDay, 2 * perDay // windows
	mended, others := map[string]int{}, map[string]int{}
	var lines []string
	for w := range days * perDay {
		k, at := w/every-1, w%every
		broken := w >= every && k < len(faults) && at < lasts
		for i := range Window {
			e := yearly(r, w*Window+i)
			if broken {
				faults[k].change(e)
			}
			p.Add(&event.Record{Value: e.json()})
		}
		var alerting []string
		for _, f := range p.Report().Alerting() {
			alerting = append(alerting, f.Name+" "+string(f.Alert))
		}
		switch {
		case broken && at == 0:
			own := func(a string) bool { return strings.HasPrefix(a, faults[k].field+" ") }
			if !slices.ContainsFunc(alerting, own) {
				t.Errorf("%s: %s does not alert", faults[k].name, faults[k].field)
			}
			lines = append(lines, fmt.Sprintf("| %s | `%s` | %s |", faults[k].name, faults[k].field,
				strings.Join(alerting, ", ")))
		case !broken && w >= every && k < len(faults) && at < 2*lasts: // mended, which is another change
			for _, a := range alerting {
				mended[a]++
			}
		case !broken:
			for _, a := range alerting {
				others[a]++
			}
		}
	}
	for a := range others {
		if name, _, _ := strings.Cut(a, " "); !slices.Contains([]string{"country", "rareWord", "weekend"}, name) {
			t.Errorf("without a fault: %s", a)
		}
	}
	t.Logf("in the first window of each fault:\n%s\nalerts in the %d days behind a fault: %v\nelsewhere: %v",
		strings.Join(lines, "\n"), lasts/perDay, mended, others)
}
