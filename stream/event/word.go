package event

import (
	"unicode"
	"unicode/utf8"
)

// addText adds the indicator `name=word` for each word of a text, once. A word is a run of Unicode letters and digits,
// lower-cased rune by rune.
func (d *Decoder) addText(name []byte, prefix int, text []byte) {
	end := d.hold(name, prefix)
	d.name = append(d.name[:end], '=')
	end++
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[i:])
		}
		i += n
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			d.name = utf8.AppendRune(d.name, unicode.ToLower(r))
			if i < len(text) {
				continue
			}
		}
		if len(d.name) > end {
			d.addOnce(d.name[d.base:])
			d.name = d.name[:end]
		}
	}
}
