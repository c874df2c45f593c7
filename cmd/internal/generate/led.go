package generate

// The defaults of LED: the noise of the book, with which nobody can be right in more than 74 of 100 cases, and one segment
// that moves each 5,000 events.
const (
	DefaultLEDNoise = 0.1
	DefaultLEDDrift = 0.0002
)

const (
	segments   = 7
	attributes = 24
)

// digits tells which segments are lit, bit 0 first: top, upper left, upper right, middle, lower left, lower right, bottom.
var digits = [10]uint8{0b1110111, 0b0100100, 0b1011101, 0b1101101, 0b0101110, 0b1101011, 0b1111011, 0b0100101, 0b1111111, 0b1101111}

// LED is the display of Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees" (1984), section 2.6: a
// digit, 0 to 9 and equally often, is shown by seven segments, each 1 or 0, and each of them is turned around with the
// probability of the noise. With them come seventeen attributes, 1 or 0 by a coin, that mean nothing. The label is the digit:
// these are ten classes.
//
// It drifts as in the generators of MOA (Bifet, Holmes, Kirkby and Pfahringer, JMLR 2010): attributes that meant something
// change places with some that did not. Here one does at each change of concept: the segments stand on seven neighbours of
// a ring of all 24, whose order comes from the seed, and the last of the seven goes over the others to the front.
//
// Everything said of Hyperplane holds here too: an event is computed from its number, and the fields are set before the
// first one.
type LED struct {
	Noise float64 // the part of the segments that are turned around, 0 to 0.5
	Drift float64 // changes of concept with each event, 0 or 1e-9 to 1: 0.0002 is one each 5,000 events
	Seed  uint64  // another seed is other digits, and other attributes that show them

	place
	ring    [attributes]int
	values  [attributes]float64
	started bool
}

// Check tells whether the fields are in their ranges. A stream whose fields are not makes no sense.
func (l *LED) Check() error {
	if err := checkNoise(l.Noise, "segments"); err != nil {
		return err
	}
	return checkConcepts(l.Drift)
}

// Next makes the next event.
func (l *LED) Next() Event {
	if !l.started {
		l.start()
	}
	n := l.begin(l.Seed)
	digit := int(below(&l.pcg, uint64(len(digits))))
	coins := l.pcg.Uint64()
	for i := range l.values {
		l.values[i] = float64(coins >> i & 1)
	}
	for segment, attribute := range l.shown(concept(n, l.Drift)) {
		lit := digits[digit]>>segment&1 == 1
		l.values[attribute] = 0
		if lit != l.happens(l.Noise) {
			l.values[attribute] = 1
		}
	}
	return Event{Number: n, Label: digit, Features: l.values[:]}
}

// shown gives the attribute that shows each segment in a concept. The next concept has the same ones, but for one segment.
func (l *LED) shown(concept int64) (at [segments]int) {
	for k := concept; k < concept+segments; k++ {
		at[k%segments] = l.ring[k%attributes]
	}
	return at
}

// start draws the order of the ring (Fisher and Yates; Durstenfeld 1964).
func (l *LED) start() {
	l.started = true
	for i := range l.ring {
		l.ring[i] = i
	}
	l.seedFixed(l.Seed)
	for i := attributes - 1; i > 0; i-- {
		j := int(below(&l.pcg, uint64(i+1)))
		l.ring[i], l.ring[j] = l.ring[j], l.ring[i]
	}
}
