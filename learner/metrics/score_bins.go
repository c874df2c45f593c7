package metrics

import (
	"encoding/binary"
	"math"
)

// scoreBins counts labels by score, so that areas under curves are known over all examples. A bin holds the
// scores of one sign, one exponent of 2 and the same ten bits of the fraction: equal ones, and those that differ by
// less than a thousandth. Scores beyond the exponents are in the outermost bins.
type scoreBins struct {
	zero   binCounts
	signed [2][exponents]*binPage // negative scores first; nil: no such score occurred
}

const (
	lowestExponent = -32
	exponents      = 128
	fractionBits   = 10
	pageBins       = 1 << fractionBits
	signedBins     = exponents * pageBins
)

// binCounts are the numbers of negative and positive labels.
type binCounts [2]uint64

type binPage [pageBins]binCounts

// magnitudeBin is the bin of a score other than 0 among those of its sign, by magnitude.
func magnitudeBin(score float64) int {
	bits := math.Float64bits(score)
	exponent := int(bits>>52&0x7ff) - 1023 - lowestExponent
	switch {
	case exponent < 0:
		return 0
	case exponent >= exponents:
		return signedBins - 1
	}
	return exponent<<fractionBits | int(bits>>(52-fractionBits)&(pageBins-1))
}

func (b *scoreBins) add(score float64, positive bool) {
	label := 0
	if positive {
		label = 1
	}
	b.at(score)[label]++
}

func (b *scoreBins) at(score float64) *binCounts {
	if score == 0 {
		return &b.zero
	}
	sign := 1
	if score < 0 {
		sign = 0
	}
	m := magnitudeBin(score)
	return b.bin(sign, m)
}

func (b *scoreBins) bin(sign, m int) *binCounts {
	page := &b.signed[sign][m>>fractionBits]
	if *page == nil {
		*page = new(binPage)
	}
	return &(*page)[m&(pageBins-1)]
}

// each calls f with the bins that hold scores, the lowest scores first, and their place among all bins.
func (b *scoreBins) each(f func(place int, c binCounts)) {
	for exponent := exponents - 1; exponent >= 0; exponent-- {
		if page := b.signed[0][exponent]; page != nil {
			for i := pageBins - 1; i >= 0; i-- {
				if page[i] != (binCounts{}) {
					f(signedBins-1-(exponent<<fractionBits|i), page[i])
				}
			}
		}
	}
	if b.zero != (binCounts{}) {
		f(signedBins, b.zero)
	}
	for exponent, page := range b.signed[1] {
		if page == nil {
			continue
		}
		for i := range page {
			if page[i] != (binCounts{}) {
				f(signedBins+1+(exponent<<fractionBits|i), page[i])
			}
		}
	}
}

// rank sets the areas. Scores of one bin count as equal.
func (b *scoreBins) rank(f *Figures) {
	var r ranking
	b.each(func(_ int, c binCounts) {
		r.negatives += float64(c[0])
		r.positives += float64(c[1])
	})
	b.each(func(_ int, c binCounts) { r.add(float64(c[0]), float64(c[1])) })
	r.set(f)
}

// copyTo makes to equal, in the memory that it has.
func (b *scoreBins) copyTo(to *scoreBins) {
	to.zero = b.zero
	for sign := range b.signed {
		for i, page := range b.signed[sign] {
			was := to.signed[sign][i]
			switch {
			case page == nil:
				to.signed[sign][i] = nil
			case was == nil:
				copied := *page
				to.signed[sign][i] = &copied
			default:
				*was = *page
			}
		}
	}
}

// CopyTo makes to an equal score that shares nothing with s. It uses the memory of to.
func (s *Binary) CopyTo(to *Binary) {
	bins := to.bins
	*to = *s
	s.bins.copyTo(&bins)
	to.bins = bins
}

// AppendBins appends the counts by score, which MarshalJSON leaves out: for each bin that holds scores, the lowest
// first, three unsigned varints, its distance from the bin before (the first: its place) and the numbers of negative
// and positive labels. It appends nothing for a score without labelled examples.
func (s *Binary) AppendBins(dst []byte) []byte {
	before := 0
	s.bins.each(func(place int, c binCounts) {
		dst = binary.AppendUvarint(dst, uint64(place-before))
		dst = binary.AppendUvarint(dst, c[0])
		dst = binary.AppendUvarint(dst, c[1])
		before = place
	})
	return dst
}

// LoadBins reads what AppendBins appended, all of it, into a score that UnmarshalJSON has read. On an error s is
// unchanged.
func (s *Binary) LoadBins(data []byte) error {
	var b scoreBins
	var total binCounts
	most := [2]float64{s.all[learned].negatives(), s.all[learned].positives()}
	for place, first := 0, true; len(data) > 0; first = false {
		var distance uint64
		var c binCounts
		for _, to := range []*uint64{&distance, &c[0], &c[1]} {
			n := 0
			if *to, n = binary.Uvarint(data); n <= 0 {
				return errScore
			}
			data = data[n:]
		}
		if place += int(min(distance, 2*signedBins+1)); place > 2*signedBins || distance == 0 && !first ||
			c == (binCounts{}) {
			return errScore
		}
		for i := range c {
			if total[i] += c[i]; c[i] > 1<<53 || float64(total[i]) > most[i] {
				return errScore
			}
		}
		switch {
		case place < signedBins:
			*b.bin(0, signedBins-1-place) = c
		case place == signedBins:
			b.zero = c
		default:
			*b.bin(1, place-signedBins-1) = c
		}
	}
	if [2]float64{float64(total[0]), float64(total[1])} != most {
		return errScore
	}
	s.bins = b
	return nil
}
