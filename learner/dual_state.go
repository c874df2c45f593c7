package learner

import (
	"encoding/binary"
	"fmt"
	"math"
)

// supportHead is the length of what precedes an example's terms: label (1 byte), count (8) and number of terms (4); a
// term is slot (4) and value (8). All is little-endian.
const (
	supportHead = 13
	termSize    = 12
)

func (d *dual) save() []byte {
	size := 0
	for i := range d.kept {
		size += supportHead + termSize*len(d.kept[i].terms)
	}
	text := make([]byte, 0, size)
	for i := range d.kept {
		s := &d.kept[i]
		text = append(text, byte(int8(s.label)))
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(s.count))
		text = binary.LittleEndian.AppendUint32(text, uint32(len(s.terms)))
		for _, t := range s.terms {
			text = binary.LittleEndian.AppendUint32(text, t.slot)
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(t.value))
		}
	}
	return text
}

// timesSize is the length of a kept example's entry in the column of mistakes.
const timesSize = 8

// maxTimes bounds how often a kept example may have been learned: counts up to it are exact in float64 too.
const maxTimes = 1 << 53

// saveTimes writes how often each kept example was learned, little-endian.
func (d *dual) saveTimes() []byte {
	text := make([]byte, 0, timesSize*len(d.kept))
	for i := range d.kept {
		text = binary.LittleEndian.AppendUint64(text, d.kept[i].times)
	}
	return text
}

// loadTimes reads what saveTimes wrote.
func (d *dual) loadTimes(text []byte) error {
	if len(text) != timesSize*len(d.kept) {
		return fmt.Errorf("learner: %d bytes of mistakes for %d kept examples", len(text), len(d.kept))
	}
	for i := range text {
		if i%timesSize != 0 {
			continue
		}
		times := binary.LittleEndian.Uint64(text[i:])
		if times == 0 || times > maxTimes {
			return fmt.Errorf("learner: kept example %d: %d mistakes", i/timesSize, times)
		}
		d.kept[i/timesSize].times = times
	}
	return nil
}

// saveLags writes the lag of each kept example's mean, little-endian.
func (d *dual) saveLags() []byte {
	text := make([]byte, 0, timesSize*len(d.kept))
	for i := range d.kept {
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(d.kept[i].lag))
	}
	return text
}

// loadLags reads what saveLags wrote. From a state that lacks it the means start as the counts are.
func (d *dual) loadLags(text []byte, time int64) error {
	if len(text) != 0 && len(text) != timesSize*len(d.kept) {
		return fmt.Errorf("learner: %d bytes of lags for %d kept examples", len(text), len(d.kept))
	}
	for i := range len(text) / timesSize {
		lag := math.Float64frombits(binary.LittleEndian.Uint64(text[i*timesSize:]))
		if most := d.kept[i].count * float64(time); !(lag >= 0 && lag <= most*(1+1e-6)) {
			return fmt.Errorf("learner: kept example %d: lag %v of a count of %v", i, lag, d.kept[i].count)
		}
		d.kept[i].lag = lag
	}
	return nil
}

// loadMore reads the columns beside that of the kept examples.
func (d *dual) loadMore(texts [][]byte, time int64) error {
	if err := d.loadTimes(texts[0]); err != nil {
		return err
	}
	if d.mean {
		return d.loadLags(texts[1], time)
	}
	return nil
}

// load reads what save wrote and refuses examples that could not have been learned. More examples than the budget are
// no error, since it may have been lowered: they are dropped when the next one is added.
func (d *dual) load(text []byte) error {
	d.kept = d.kept[:0]
	for rest := text; len(rest) > 0; {
		at := len(text) - len(rest)
		s, tail, ok := d.next(rest)
		if !ok {
			return fmt.Errorf("learner: kept examples: byte %d: invalid or truncated example", at)
		}
		d.kept = append(d.kept, s)
		rest = tail
	}
	return nil
}

func (d *dual) next(text []byte) (s support, rest []byte, ok bool) {
	if len(text) < supportHead {
		return s, nil, false
	}
	s.label, s.count = float64(int8(text[0])), math.Float64frombits(binary.LittleEndian.Uint64(text[1:]))
	n := int64(binary.LittleEndian.Uint32(text[9:]))
	text = text[supportHead:]
	if s.label != 1 && s.label != -1 || !(s.count > 0 && s.count <= most) || n*termSize > int64(len(text)) {
		return s, nil, false
	}
	s.terms = make([]term, n)
	x := make([]Feature, n)
	for i := range s.terms {
		t := term{binary.LittleEndian.Uint32(text), math.Float64frombits(binary.LittleEndian.Uint64(text[4:]))}
		if int64(t.slot) >= int64(len(d.dense)) || !finite(t.value) {
			return s, nil, false
		}
		s.terms[i], x[i] = t, Feature{Slot: t.slot, Value: t.value}
		text = text[termSize:]
	}
	s.square, s.hash = d.squareOf(x), hashOf(x, s.label)
	return s, text, small(s.square)
}

func (d *dual) copyTo(dst *dual) {
	dst.kept = dst.kept[:min(len(dst.kept), len(d.kept))]
	for i := range d.kept {
		if i == len(dst.kept) {
			dst.kept = append(dst.kept, support{})
		}
		terms := append(dst.kept[i].terms[:0], d.kept[i].terms...)
		dst.kept[i] = d.kept[i]
		dst.kept[i].terms = terms
	}
}

// theta computes Σ α_i·y_i·x_i. With kernels other than linear it is 0.
func (d *dual) theta(v *vector) []float64 {
	theta := make([]float64, len(d.dense))
	if d.kernel.Name != KernelLinear {
		return theta
	}
	for i := range d.kept {
		alpha := d.predicting(v, &d.kept[i])
		for _, t := range d.kept[i].terms {
			theta[t.slot] += float64(alpha * t.value)
		}
	}
	return theta
}

// weightsOf is theta at the slots of x alone, without writing to d.
func (d *dual) weightsOf(v *vector, x []Feature) []float64 {
	weights := make([]float64, len(x))
	if d.kernel.Name != KernelLinear {
		return weights
	}
	sums := make(map[uint32]float64, len(x))
	for i := range x {
		sums[x[i].Slot] = 0
	}
	for i := range d.kept {
		alpha := d.predicting(v, &d.kept[i])
		for _, t := range d.kept[i].terms {
			if sum, wanted := sums[t.slot]; wanted {
				sums[t.slot] = sum + float64(alpha*t.value)
			}
		}
	}
	for i := range x {
		weights[i] = sums[x[i].Slot]
	}
	return weights
}
