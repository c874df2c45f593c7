package event

import (
	"bytes"
	"unicode/utf8"

	"rosenblatt/stream/internal/number"
)

// line removes the line end, which an event that was cut out of a file may still have.
func line(b []byte) []byte {
	b = bytes.TrimSuffix(b, []byte("\n"))
	return bytes.TrimSuffix(b, []byte("\r"))
}

// open implements parser for formats of which an event is a line.
func (d *Decoder) open(value, _ []byte) (whole, content []byte, skip bool) {
	whole = d.Text(value)
	return whole, line(whole), false
}

// isUTF8 ends the parse if an event is not UTF-8.
func (d *Decoder) isUTF8(whole []byte) bool {
	if utf8.Valid(whole) {
		return true
	}
	if d.lacking != nil {
		d.failed = *d.lacking
		return false
	}
	at := invalid(whole)
	hint := registryHint(whole)
	if hint == "" || SeemsUTF16(whole) != "" {
		hint = encodingHint(whole)
	}
	d.stop(Encoding, at, "%v is not UTF-8%s", quoted(whole[at:min(at+utf8.UTFMax, len(whole))]), hint)
	return false
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

// measured takes the number in text, at offset at, times scale, as the value of f. It reports false if that ended the
// parse.
func (d *Decoder) measured(f *field, text []byte, at int, scale float64) bool {
	v, k := number.Text(text)
	switch {
	case k == number.Word:
		d.stop(Syntax, at, "the value of %v must be a number, not %v", quoted(f.name), quoted(text))
	case f.role == ignoreRole:
		d.learnWord(at, at+len(text), ignoreRole, nil)
	//mutation:absent-nan-text
	case k == number.NotFinite && d.options.AbsentNaN:
		d.template.abandon()
	case k == number.NotFinite:
		d.notFinite(at, f.name, text)
	default:
		d.number(f, text, float64(v*scale))
		if d.template.learning {
			d.learnWord(at, at+len(text), plainRole, f.name)
		}
	}
	return k != number.Word
}

// textLabel stores the label of libsvm or vw. Several numbers are no class: files of several labels for an event have
// 1,2 and those of contextual bandits and of costs 1:0.5.
func (d *Decoder) textLabel(word []byte) {
	//mutation:several-labels
	if d.isSeveral(word) {
		switch {
		case d.isCosts(word):
			d.failed.add(BadLabel, 0, "the label %v is a class with its costs; send the class alone", quoted(word))
			return
		case bytes.IndexByte(word, ',') >= 0:
			d.failed.add(BadLabel, 0, "the label %v is several; an event has one label", quoted(word))
			return
		}
	}
	d.labels.word(&d.sink, word)
}

// isSeveral reports whether a label is made of several numbers.
func (d *Decoder) isSeveral(word []byte) bool {
	return len(word) > 2 && string(word) != d.options.Positive && len(bytes.Trim(word, "0123456789.,:+-eE")) == 0
}

// isCosts reports whether a label is a class with its costs.
func (d *Decoder) isCosts(word []byte) bool {
	return d.isSeveral(word) && bytes.IndexByte(word, ':') >= 0
}

// learnWord adds the value at value[i:next] to the template, if one is being learned. A feature has a name.
func (d *Decoder) learnWord(i, next int, r role, name []byte) {
	if t := &d.template; t.learning {
		key := d.value[t.learned:i]
		alone := r == plainRole && len(key) > 0 && blank(key[0]) && bytes.IndexByte(key, '|') < 0
		d.learn(i, next, place{role: r, optional: alone}, name)
	}
}

// templateWord reads the word at offset i as the value of a key of the template. It returns the offset after it, or -1
// if the event does not fit the template or may have to be rejected.
func (d *Decoder) templateWord(i int, word []byte, k *templateKey) (next int) {
	if len(word) == 0 {
		return -1
	}
	for _, c := range word {
		if c-' ' >= utf8.RuneSelf-' ' && (c == '\n' || c == '\r' || !utf8.Valid(word)) {
			return -1
		}
	}
	switch k.role {
	case labelRole:
		d.textLabel(word)
	case weightRole:
		d.textWeight(word)
	case idRole:
		d.example.ID = word
	default:
		v, kind := number.Text(word)
		if kind == number.Word && k.role == plainRole && d.options.Format == VW && d.addTemplateWord(k, word) {
			break
		}
		if kind != number.Finite || k.role == plainRole && !d.addTemplateNumber(k, v) {
			return -1
		}
	}
	return i + len(word)
}
