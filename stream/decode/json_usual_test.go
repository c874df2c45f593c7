package decode

import (
	"bytes"
	"testing"
)

// What stands where the shape of the event before has a usual number is read as if there had been no event before, also where little
// stands behind it.
func TestUsualNumbersSpoiled(t *testing.T) {
	features := `{"label":1,"features":{"a":1.25,"b":-0.125,"a.long.key":3.1234567,"a.key.that.is.longer":-4.5,"c":0.123456,"d":-0.12345678,"e":0.123456789,"f":7.5,"g":-1.5}`
	for _, end := range []string{`,"id":"some more bytes"}`, `,"id":1}`, `}`, ``} {
		spoil(t, decoder(t, Defaults("json")), []byte(features+end))
	}
}

func spoil(t *testing.T, d *Decoder, event []byte) {
	t.Helper()
	sound := func() {
		d.json.frame.wait = 0
		agree(t, d, event)
	}
	for i := bytes.Index(event, []byte(`"a"`)); event[i-1] != '}'; i++ {
		for _, c := range []byte("0179-+.,:;/e}]\"{ \x00") {
			sound()
			other := bytes.Clone(event)
			other[i] = c
			agree(t, d, other)
		}
		for _, more := range []string{"0", "-", ".", "12345", "0000000000"} {
			sound()
			agree(t, d, append(append(bytes.Clone(event[:i]), more...), event[i:]...))
		}
		for _, less := range []int{1, 2, 5} {
			sound()
			agree(t, d, append(bytes.Clone(event[:i]), event[min(i+less, len(event)):]...))
			sound()
			agree(t, d, event[:i])
		}
	}
}
