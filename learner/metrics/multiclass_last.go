package metrics

import "encoding/binary"

const outcomeSize = 2 * (1 + predictors)

// AppendLast appends the latest examples, which MarshalJSON leaves out, up to 160 kB: four little-endian uint16 for
// each, its label and what was predicted, the oldest first, and then what Binary.AppendLast appends of probabilities.
func (s *Multiclass) AppendLast(dst []byte) []byte {
	for i := range s.filled {
		for _, class := range s.outcomes[s.place(i)] {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(class))
		}
	}
	return s.appendGiven(dst)
}

// LoadLast reads what AppendLast appended: see Binary.LoadLast.
func (s *Multiclass) LoadLast(data []byte) error {
	n := int(min(LongWindow, s.Examples()))
	if len(data) < n*outcomeSize {
		return errScore
	}
	text := data[:n*outcomeSize]
	for i := range n {
		o := &s.outcomes[i]
		for j := range o {
			class := binary.LittleEndian.Uint16(text)
			if text = text[2:]; int(class) >= len(s.all.labels()) {
				return errScore
			}
			o[j] = int32(class)
		}
		s.long.add(o, 1)
		if i >= n-Window {
			s.last.add(o, 1)
		}
	}
	for i, counts := range s.long.counts {
		for class, of := range counts {
			if of > s.all.counts[i][class] {
				return errScore
			}
		}
	}
	s.filled, s.next = n, n%LongWindow
	if !s.loadGiven(data[n*outcomeSize:]) {
		return errScore
	}
	return nil
}
