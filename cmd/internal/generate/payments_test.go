package generate

import (
	"encoding/json"
	"hash/fnv"
	"testing"
)

// payment is one as it is sent.
type payment struct {
	ID, Label, Country, Device string
	Amount                     float64
	Age, Hour                  int
}

// TestPayments: the share of frauds, where most of them are, which moves on, and where they cannot be told.
func TestPayments(t *testing.T) {
	p := NewPayments(1)
	for turn := range 4 {
		frauds, byCountry, amounts := 0.0, map[string]float64{}, map[string]float64{}
		const n = 100_000
		for range n {
			var e payment
			if err := json.Unmarshal(p.AppendJSON(nil), &e); err != nil {
				t.Fatal(err)
			}
			if e.Age < 1 || e.Hour < 0 || e.Hour > 23 || e.Amount < 5 {
				t.Fatalf("%+v", e)
			}
			if e.Label == "fraud" {
				frauds++
				byCountry[e.Country]++
				amounts[e.Country] += e.Amount
			}
		}
		if share := frauds / n; share < 0.0085 || share > 0.0115 {
			t.Errorf("turn %d: %v are frauds", turn, share)
		}
		for i, country := range countries {
			if share := byCountry[country] / frauds; (share > 0.5) != (i == turn) {
				t.Errorf("turn %d: %v of the frauds are of %s", turn, share, country)
			}
			if mean := amounts[country] / byCountry[country]; (mean > 65) != (country != "me") {
				t.Errorf("turn %d: frauds of %s are of %v in the mean", turn, country, mean)
			}
		}
	}
}

// TestPaymentsAreFixed: the demo and the guide tell figures of the stream, which is the same everywhere.
func TestPaymentsAreFixed(t *testing.T) {
	p := NewPayments(7)
	sum := fnv.New64a()
	for range 10_000 {
		_, _ = sum.Write(p.AppendJSON(nil))
	}
	const want = uint64(0xc76c23b5d00c5d81)
	if got := sum.Sum64(); got != want {
		t.Errorf("10,000 payments of seed 7 have the sum %#x, want %#x", got, want)
	}
	line := string(p.AppendJSON(nil))
	again := NewPayments(7)
	again.SkipTo(10_000)
	if got := string(again.AppendJSON(nil)); got != line {
		t.Errorf("payment 10,000 is %s, and after a skip %s", line, got)
	}
	for _, wrong := range []Payments{{Rare: -0.1}, {Rare: 0.6}, {Drift: -1}, {Drift: 2}} {
		if wrong.Check() == nil {
			t.Errorf("%+v is taken", wrong)
		}
	}
}
