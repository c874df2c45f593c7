package event

import (
	"bytes"
	"testing"
)

// TestFixedMembersSpoiled changes each byte of members that fit the template. They are read as without a template, also
// near the end of the event.
func TestFixedMembersSpoiled(t *testing.T) {
	features := `{"label":1,"features":{"a":1.25,"b":-0.125,"a.long.key":3.1234567,"a.key.that.is.longer":-4.5,` +
		`"c":0.123456,` +
		`"d":-0.12345678,"e":0.123456789,"f":7.5,"g":-1.5}`
	for _, end := range []string{`,"id":"some more bytes"}`, `,"id":1}`, `}`, ``} {
		spoil(t, decoder(t, Defaults("json")), []byte(features+end))
	}
}

// TestFixedFeaturesSpoiled does the same with features of vw.
func TestFixedFeaturesSpoiled(t *testing.T) {
	features := ` a:1.25 b:-0.125 a.long.key:3.1234567 a.key.that.is.longer:-4.5 c:0.123456` +
		` d:-0.12345678 e:0.123456789` +
		` day:2 f:7.5 g:-1.5`
	for _, start := range []string{"1 |", "1 'tag|", "1 |space"} {
		for _, end := range []string{"", " ", " h:0.123456 i:0.123456", "|other h:1.5"} {
			spoil(t, decoder(t, Defaults(VW)), []byte(start+features+end))
		}
	}
}

func spoil(t *testing.T, d *Decoder, event []byte) {
	t.Helper()
	agree, from, end := agree, bytes.Index(event, []byte(`"a"`)), byte('}')
	if d.options.Format == VW {
		agree, from, end = agreeText, bytes.Index(event, []byte(" a:")), 0
	}
	sound := func() {
		eager(d)
		agree(t, d, event)
	}
	for i := from; i < len(event) && event[i-1] != end; i++ {
		for _, c := range []byte("0179-+.,:;/e}]|\"{ \t\x00") {
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
