package generate

const (
	segments   = 7
	attributes = 24
)

// digits are the lit segments, from the lowest bit: top, upper left, upper right, middle, lower left, lower right,
// bottom.
var digits = [10]uint8{0b1110111, 0b0100100, 0b1011101, 0b1101101, 0b0101110, 0b1101011, 0b1111011, 0b0100101,
	0b1111111, 0b1101111}

// LED is the display of Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees" (1984), section
// 2.6: a uniform digit, the label, is shown by seven segments, 1 or 0, each flipped with the probability Noise.
// Seventeen more attributes are random.
//
// As in the generators of MOA (Bifet, Holmes, Kirkby and Pfahringer, JMLR 2010), it drifts by exchanging relevant
// with irrelevant attributes, here one at each change of concept: the segments are seven neighbours of a ring of all
// 24, in a random order, and the last of the seven moves to the front.
type LED struct {
	Noise float64 // the share of segments that are flipped, 0 to 0.5
	Drift float64 // changes of concept per event, 0 or 1e-9 to 1
	Seed  uint64

	position
	ring    [attributes]int
	values  [attributes]float64
	started bool
}

func (l *LED) check() error {
	if err := checkNoise(l.Noise, "segments"); err != nil {
		return err
	}
	return checkConcepts(l.Drift)
}

// Next implements Stream.
func (l *LED) Next() Event {
	if !l.started {
		l.start()
	}
	n := l.begin(l.Seed)
	digit := int(l.below(uint64(len(digits))))
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
	return Event{n, digit, l.values[:]}
}

// shown returns the attribute of each segment in a concept. The next concept changes one of them.
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
		j := int(l.below(uint64(i + 1)))
		l.ring[i], l.ring[j] = l.ring[j], l.ring[i]
	}
}
