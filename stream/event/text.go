package event

import (
	"bytes"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// line removes the line end, which an event that was cut out of a file may still have.
func line(b []byte) []byte {
	b = bytes.TrimSuffix(b, []byte("\n"))
	return bytes.TrimSuffix(b, []byte("\r"))
}

// oneLine ends the parse if a line ends within b.
func (d *Decoder) oneLine(b []byte) bool {
	for _, c := range [...]byte{'\n', '\r'} {
		if at := bytes.IndexByte(b, c); at >= 0 {
			d.stop(Syntax, at, "a line end within the event; send one line per event")
			return false
		}
	}
	return true
}

// blank reports whether c separates the fields of libsvm and vw.
func blank(c byte) bool { return c == ' ' || c == '\t' }

// nextWord returns the next run of bytes other than blanks at or after b[i]; from is end if there is none.
func nextWord(b []byte, i int) (from, end int) {
	for i < len(b) && blank(b[i]) {
		i++
	}
	from = i
	for i < len(b) && !blank(b[i]) {
		i++
	}
	return from, i
}

// measured adds a feature whose value is the number in text, at offset at, times scale. It reports false if that
// ended the parse.
func (d *Decoder) measured(name, text []byte, at int, scale float64) bool {
	v, k := number.Text(text)
	switch {
	case k == number.Word:
		d.stop(Syntax, at, "the value of %v must be a number, not %v", quoted(name), quoted(text))
	case d.roles.of(name) == ignoreRole:
	case k == number.NotFinite:
		d.notFinite(at, name, text)
	default:
		d.add(name, float64(v*scale), learner.Numeric)
	}
	return k != number.Word
}

func (d *Decoder) notFinite(at int, name, text []byte) {
	d.unfit.add(NotFinite, at, "the value of %v is not finite: %v; leave it out", quoted(name), quoted(text))
}
