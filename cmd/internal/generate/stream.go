package generate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Stream is an endless stream of labelled events.
type Stream interface {
	// Next makes the next event.
	Next() Event
	// Position is the number of the event that comes next.
	Position() int64
	// SkipTo makes event n, counted from 0, the one that comes next, before or behind the present one.
	SkipTo(n int64)
}

// Event is one labelled point.
type Event struct {
	Number   int64     // 0, 1, 2 ... : in a topic with one partition the offset
	Label    int       // +1 or -1, of LED the digit 0 to 9
	Features []float64 // of f0, f1 ..., with at most four decimals; overwritten by the next event
}

// AppendJSON appends the event to dst as an input value of the format json:
// {"id":"e7","label":-1,"features":{"f0":0.1234,"f1":-0.5}}.
func (e Event) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"id":"e`...)
	dst = strconv.AppendInt(dst, e.Number, 10)
	dst = append(dst, `","label":`...)
	dst = strconv.AppendInt(dst, int64(e.Label), 10)
	dst = append(dst, `,"features":{`...)
	for i, v := range e.Features {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `"f`...)
		dst = strconv.AppendInt(dst, int64(i), 10)
		dst = append(dst, `":`...)
		dst = strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	return append(dst, "}}"...)
}

// Options choose one of the streams by its name.
type Options struct {
	Name     string   // one of Names
	Seed     uint64   // another seed is another stream of the kind
	Features int      // of hyperplane and rbf, 1 to MaxFeatures; 0 for DefaultFeatures
	Noise    *float64 // nil for the stream's default
	Drift    *float64 // nil for the stream's default
}

// Names are the names of the streams.
func Names() []string { return []string{"hyperplane", "sea", "led", "rbf"} }

// Open makes the stream that the options choose. The error says which of them is wrong and what is allowed.
func Open(o Options) (Stream, error) {
	if !slices.Contains(Names(), o.Name) {
		return nil, fmt.Errorf("%q: want %s", o.Name, strings.Join(Names(), ", "))
	}
	if o.Features != 0 && (o.Name == "sea" || o.Name == "led") {
		return nil, fmt.Errorf("%s: the number of its features is fixed", o.Name)
	}
	s := map[string]interface {
		Stream
		Check() error
	}{
		"hyperplane": &Hyperplane{Seed: o.Seed, Features: o.Features, Noise: or(o.Noise, DefaultNoise), Drift: or(o.Drift, DefaultDrift)},
		"sea":        &SEA{Seed: o.Seed, Noise: or(o.Noise, DefaultSEANoise), Drift: or(o.Drift, DefaultSEADrift)},
		"led":        &LED{Seed: o.Seed, Noise: or(o.Noise, DefaultLEDNoise), Drift: or(o.Drift, DefaultLEDDrift)},
		"rbf":        &RBF{Seed: o.Seed, Features: o.Features, Noise: or(o.Noise, DefaultNoise), Drift: or(o.Drift, DefaultRBFDrift)},
	}[o.Name]
	return s, s.Check()
}

func or(value *float64, otherwise float64) float64 {
	if value == nil {
		return otherwise
	}
	return *value
}

// place is where a stream is, with the random numbers of the event that is being made.
type place struct {
	next int64 // number of the event to come
	pcg  rand.PCG
}

// Position is the number of the event that comes next.
func (p *place) Position() int64 { return p.next }

// SkipTo makes event n, counted from 0, the one that comes next, before or behind the present one.
func (p *place) SkipTo(n int64) { p.next = n }

// begin goes on to the next event and returns its number.
func (p *place) begin(seed uint64) int64 {
	n := p.next
	p.next++
	p.pcg.Seed(mix(seed), mix(uint64(n)))
	return n
}

// happens is true with probability p.
func (p *place) happens(probability float64) bool {
	return float64(p.pcg.Uint64()>>11) < probability*(1<<53)
}

// concept is the number of the concept that holds at event n when there are drift changes of concept an event: after every
// 1/drift events, rounded, comes the next.
func concept(n int64, drift float64) int64 {
	if drift == 0 {
		return 0
	}
	return n / max(int64(math.Round(1/drift)), 1)
}

// checkConcepts tells whether a drift is a share from 0 to 1 and no smaller than a concept in a billion events.
func checkConcepts(drift float64) error {
	if !(drift == 0 || drift >= 1e-9 && drift <= 1) {
		return fmt.Errorf("drift %v: choose 0 for none, or 1e-9 to 1, the changes of concept with each event", drift)
	}
	return nil
}

func checkNoise(noise float64, what string) error {
	if !(noise >= 0 && noise <= 0.5) {
		return fmt.Errorf("noise %v: choose 0 to 0.5, the part of the %s that are turned around", noise, what)
	}
	return nil
}
