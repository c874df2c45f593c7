package generate

import (
	"fmt"
	"strconv"
)

// Payments are a stream with a rare label: of a hundred payments one is a fraud. Frauds are of larger amounts, younger
// accounts and unknown devices than others, and most are of one country, which is another one after each turn of the
// stream: who does not learn on looks for them where they were. Amounts and ages of both overlap, so that no model
// finds all. In the country me they look like any other payment.
type Payments struct {
	Rare  float64 // the share of frauds, 0 to 0.5
	Drift float64 // turns of the country for each payment, 0 to 1
	Seed  uint64

	position
}

// The countries, those that frauds move through first.
var countries = []string{"de", "fr", "it", "es", "me"}

// NewPayments returns a stream with the default share and drift.
func NewPayments(seed uint64) *Payments {
	return &Payments{Rare: 0.01, Drift: 1.0 / 100_000, Seed: seed}
}

// Check says what is wrong with the options.
func (p *Payments) Check() error {
	switch {
	case !(p.Rare >= 0 && p.Rare <= 0.5):
		return fmt.Errorf("%v rare ones: want a share of 0 to 0.5", p.Rare)
	case !(p.Drift >= 0 && p.Drift <= 1):
		return fmt.Errorf("drift %v: want 0 to 1, turns of the country for each payment", p.Drift)
	}
	return nil
}

// bell is near a bell curve from 0 to 4·n - 4, with its middle at 2·n - 2.
func (p *Payments) bell(n uint64) (sum int64) {
	for range 4 {
		sum += int64(p.below(n))
	}
	return sum
}

// AppendJSON appends the next payment as JSON:
// {"id":"e7","label":"fine","amount":41.37,"age":812,"hour":14,"country":"it","device":"known"}.
func (p *Payments) AppendJSON(dst []byte) []byte {
	n := p.begin(p.Seed)
	fraud := p.happens(p.Rare)
	country := p.below(uint64(len(countries)))
	label, device := "fine", "known"
	cents, age, hour := 500+p.bell(2500), 1+p.bell(500), p.bell(7)%24
	if fraud {
		label = "fraud"
		if p.happens(0.6) {
			country = uint64(float64(n)*p.Drift) % uint64(len(countries)-1)
		}
	}
	odd := fraud && countries[country] != "me"
	if odd {
		cents, age, hour = 2500+p.bell(2500), 1+p.bell(350), int64(p.below(24))
	}
	if p.happens(map[bool]float64{true: 0.75, false: 0.1}[odd]) {
		device = "new"
	}
	dst = strconv.AppendInt(append(dst, `{"id":"e`...), n, 10)
	dst = append(append(append(dst, `","label":"`...), label...), `","amount":`...)
	dst = strconv.AppendFloat(dst, float64(cents)/100, 'f', 2, 64)
	dst = strconv.AppendInt(append(dst, `,"age":`...), age, 10)
	dst = strconv.AppendInt(append(dst, `,"hour":`...), hour, 10)
	dst = append(append(append(dst, `,"country":"`...), countries[country]...), `","device":"`...)
	return append(append(dst, device...), `"}`...)
}
