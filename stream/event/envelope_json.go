package event

import (
	"bytes"
	"unicode/utf8"
)

// outerJSON reads the text of an envelope: of all that is in it some fields, and whether it is well formed. What is not
// the event counts for no limit, so it may be nested as deep as the reader can go.
type outerJSON struct {
	jsonParser
	known []byte // the schema part of the envelope before, which need not be read again
	same  bool   // the current envelope has it

	// Guessing, it takes the end of the event from the number of braces in the event before. The event has then to be
	// read in a single pass, which shows that the guess is right, or the envelope is read again.
	guessing bool
	braces   int
	trusted  []part // parts of the text that others check, in order
}

// part is a part of a text.
type part struct{ from, to int }

// outerField is a field that is looked for.
type outerField struct {
	name  string
	from  int          // its value begins here; 0 if it is not there
	to    int          // and ends here
	again int          // where a second value begins; 0 if there is none
	event bool         // it is the event
	in    []outerField // what is looked for in it, where it is an object
}

// schemaPart is the name of the field that may be known.
const schemaPart = "schema"

func newOuterJSON(o *Options) outerJSON {
	s := sink{options: Options{AbsentNaN: o.AbsentNaN}, deepest: maxDepth}
	return outerJSON{jsonParser: jsonParser{Decoder: &Decoder{sink: s}}}
}

// read reads a text and finds fields of the object that it is. It reports whether it is one. If the text is not well
// formed, failed says why.
func (o *outerJSON) read(text []byte, fields []outerField) (isObject bool) {
	clearFields(fields)
	o.value, o.failed, o.depth, o.trusted, o.same = text, Error{}, 0, o.trusted[:0], false
	i := space(text, 0)
	switch {
	case i >= len(text):
		o.unexpected(i, "an envelope, an object like {...},")
	case text[i] != '{':
		o.end(o.skip(i))
	default:
		o.depth = 1
		isObject = o.end(o.fields(i+1, fields))
	}
	return o.areText(text) && isObject
}

// areText checks that a text is UTF-8, without half of a surrogate pair, but for the parts that others check.
func (o *outerJSON) areText(text []byte) bool {
	from := 0
	for _, t := range o.trusted {
		if !o.isText(text[from:t.from], from) {
			return false
		}
		from = t.to
	}
	return o.isText(text[from:], from)
}

// isText checks a part of a text at an offset.
func (o *outerJSON) isText(text []byte, from int) bool {
	if !utf8.Valid(text) {
		at := invalid(text)
		o.stop(Encoding, from+at, "%v is not UTF-8", quoted(text[at:min(at+utf8.UTFMax, len(text))]))
		return false
	}
	if at := loneSurrogate(text); at >= 0 {
		o.stop(Encoding, from+at, "%v is half of a surrogate pair", quoted(text[at:min(at+6, len(text))]))
		return false
	}
	return true
}

func clearFields(fields []outerField) {
	for i := range fields {
		f := &fields[i]
		f.from, f.to, f.again = 0, 0, 0
		clearFields(f.in)
	}
}

// fields reads an object from behind its brace.
func (o *outerJSON) fields(i int, fields []outerField) int {
	b := o.value
	if i = space(b, i); i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		key, at := o.key(i)
		if at < 0 {
			return -1
		}
		var more bool
		if i, more = o.separator(o.found(key, at, fields), '}'); !more {
			return i
		}
	}
}

// found reads the value at offset i, of a key.
func (o *outerJSON) found(key []byte, i int, fields []outerField) int {
	for n := range fields {
		f := &fields[n]
		if f.name != string(key) {
			continue
		}
		if f.from > 0 {
			f.again = i
			return o.skip(i)
		}
		f.from = i
		f.to = o.into(i, f)
		return f.to
	}
	return o.skip(i)
}

// into reads the value of a field that is looked for.
func (o *outerJSON) into(i int, f *outerField) int {
	switch {
	case f.in != nil && o.value[i] == '{':
		if !o.deeper(i) {
			return -1
		}
		i = o.fields(i+1, f.in)
		o.depth--
		return i
	//mutation:schema-part-known
	case f.name == schemaPart && len(o.known) > 0 && bytes.HasPrefix(o.value[i:], o.known):
		o.trusted, o.same = append(o.trusted, part{i, i + len(o.known)}), true
		return i + len(o.known)
	case f.event && o.value[i] == '{':
		return o.eventAt(i)
	}
	return o.skip(i)
}

// eventAt returns where the event ends, an object.
func (o *outerJSON) eventAt(i int) int {
	if !o.guessing {
		end := o.skip(i)
		if end >= 0 {
			o.braces = bytes.Count(o.value[i:end], []byte{'}'})
		}
		return end
	}
	end := guessEnd(o.value, i, o.braces)
	if end < 0 {
		return o.skip(i)
	}
	o.trusted = append(o.trusted, part{i, end})
	return end
}

// guessEnd returns where an object ends, if it has as many braces as the one before; -1 if there are not as many.
func guessEnd(b []byte, i, braces int) int {
	if braces == 0 {
		return -1
	}
	for range braces {
		n := 1 + bytes.IndexByte(b[i:], '}')
		if n == 0 {
			return -1
		}
		i += n
	}
	return i
}

// isNull reports whether a field is absent or null.
func (o *outerJSON) isNull(f *outerField) bool { return f.from == 0 || o.value[f.from] == 'n' }

// twice returns the error of a field that is there twice; OK if none is.
func twice(fields []outerField) (wrong Error) {
	for i := range fields {
		if f := &fields[i]; f.again > 0 && (wrong.Reason == OK || f.again < wrong.Offset) {
			wrong = Error{DuplicateField, f.again, "duplicate field " + quoted(f.name).String() +
				" of the envelope; send it once"}
		}
	}
	return wrong
}
