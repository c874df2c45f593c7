package event

import (
	"bytes"

	"rosenblatt/stream/internal/number"
)

// Number reads all of a cell, without the blanks around it, as a number. With decimal commas a point makes it a word:
// it may separate thousands, too.
func (d Dialect) Number(cell []byte) (v float64, k number.Kind) {
	if d.Decimal != DecimalComma {
		return number.Text(cell)
	}
	return commaNumber(cell)
}

// cellNumber is Dialect.Number.
func (s *sink) cellNumber(cell []byte) (v float64, k number.Kind) {
	if !s.comma {
		return number.Text(cell)
	}
	return commaNumber(cell)
}

// longestNumber is how many bytes a number with a decimal comma may have.
const longestNumber = 128

func commaNumber(cell []byte) (v float64, k number.Kind) {
	var pointed [longestNumber]byte
	if bytes.IndexByte(cell, '.') >= 0 || len(cell) > len(pointed) {
		return 0, number.Word
	}
	b := pointed[:copy(pointed[:], cell)]
	if at := bytes.IndexByte(b, ','); at >= 0 {
		b[at] = '.'
	}
	return number.Text(b)
}

// withPoint returns the text of a label or a weight with a point instead of a decimal comma, where it is a number.
func withPoint(text []byte) []byte {
	if _, k := commaNumber(text); k != number.Finite {
		return text
	}
	return bytes.Replace(text, []byte(","), []byte("."), 1)
}
