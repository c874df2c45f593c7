package event

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// addText adds the indicator `name=word` for each word of a text, once. A word is a run of Unicode letters and digits,
// with the marks and joiners that follow them, lower-cased rune by rune.
func (s *sink) addText(f *field, text []byte) {
	end := s.hold(f)
	s.name = append(s.name[:end], '=')
	end++
	s.runs.reset()
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			i++
			if low := lowered[c]; low != 0 {
				if s.name = append(s.name, low); i < len(text) {
					continue
				}
			}
		} else {
			r, n := utf8.DecodeRune(text[i:])
			i += n
			//mutation:marks-in-words
			if unicode.IsLetter(r) || unicode.IsDigit(r) || len(s.name) > end && modifies(r) {
				if s.name = utf8.AppendRune(s.name, unicode.ToLower(r)); i < len(text) {
					continue
				}
			}
		}
		if len(s.name) > end {
			if s.notes != nil {
				s.notes.word(s.name[s.base:end-1], WordValue, s.name[end:])
			}
			s.addOnce(s.name[s.base:])
			if s.options.NGrams > 0 {
				s.runs.add(s.name[end:])
			}
			s.name = s.name[:end]
		}
	}
	s.addRuns(end)
}

// modifies reports whether r belongs to the word before it, if there is one: an accent, a vowel sign, or a joiner as
// Persian and Hindi words have within them (zero width, U+200C and U+200D).
func modifies(r rune) bool { return r == 0x200c || r == 0x200d || unicode.IsMark(r) }

// lowered are the letters and digits of ASCII, in lower case; 0 for other characters.
var lowered = func() (to [utf8.RuneSelf]byte) {
	for c := range to {
		if r := rune(c); unicode.IsLetter(r) || unicode.IsDigit(r) {
			to[c] = byte(unicode.ToLower(r))
		}
	}
	return to
}()

// wordBits: a template keeps the hashes of up to 2^wordBits short words (24 bytes each) from its first word on.
const wordBits = 12

// wordSum is the hash of `name=word` for a word of up to eight bytes.
type wordSum struct {
	sum, text uint64
	key       int32 // the index of the key that has the name, plus one
	size      int32 // of the word
}

// wordSum returns the hash of the name of the indicator `name=word`, where k has the name. Most words of a field are
// few and short, so their hashes are kept.
func (d *Decoder) wordSum(k *templateKey, word []byte) uint64 {
	t := d.template.template
	if len(word) > 8 {
		return d.nameSum(t.name(k), word)
	}
	if t.words == nil {
		t.words = make([]wordSum, 1<<wordBits)
	}
	text := shortText(word)
	kept := &t.words[(text+uint64(k.index))*0x9e3779b97f4a7c15>>(64-wordBits)] // Fibonacci hashing
	if kept.text != text || kept.key != int32(k.index+1) || kept.size != int32(len(word)) {
		*kept = wordSum{d.nameSum(t.name(k), word), text, int32(k.index + 1), int32(len(word))}
	}
	return kept.sum
}

// nameSum returns the hash of a name in two parts.
func (d *Decoder) nameSum(name, more []byte) uint64 {
	d.name = append(append(d.name[:0], name...), more...)
	return d.sum(d.name)
}

// shortText returns a number that differs for different texts of one size, up to eight bytes.
func shortText(b []byte) uint64 {
	switch n := len(b); {
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<32
	case n > 0:
		return uint64(b[0]) | uint64(b[n/2])<<8 | uint64(b[n-1])<<16
	}
	return 0
}
