package event

import (
	"math"

	"rosenblatt/stream/avro"
)

// formWriter writes the JSON form of values, which is what an event is in json.
type formWriter struct {
	*avroParser
	out []byte
}

// JSONForm appends what the value of a record is in json. It is slow, and for people. A value that is not well formed
// has none.
func (d *Decoder) JSONForm(dst []byte, r *Record) (form []byte, ok bool) {
	r, ok = d.eventOf(r)
	if !ok {
		return dst, false
	}
	var e Example
	d.sink.reset(nil, &e)
	whole, content, skip := d.parser.open(r.Value, r.Headers)
	p, ok := d.parser.(schemaParser)
	switch {
	case !ok:
		return append(dst, content...), !skip && len(content) > 0
	case !d.admit(r.Key, whole) || p.names().wrong.Reason != OK:
		return dst, false
	}
	return p.form(dst, content)
}

func (p *avroParser) form(dst, content []byte) (form []byte, ok bool) {
	d := p.Decoder
	if p.around != nil && p.around.top == nil {
		return dst, false
	}
	d.value, p.ignored, p.nothings = content, true, 0
	d.depth = 0
	w := formWriter{p, dst}
	t, i := p.branch(p.top, p.start)
	if i >= 0 {
		i = w.put(t, i)
	}
	return w.out, i == len(p.value) && d.failed.Reason == OK
}

// put appends a value that has a JSON form, and returns where it ends.
func (w *formWriter) put(t *avro.Type, i int) int {
	switch t.Kind {
	case avro.Record, avro.Map:
		return w.around('{', '}', func() int { return w.members(t, i) })
	case avro.Array:
		return w.around('[', ']', func() int { return w.elements(t, i) })
	}
	var x scalar
	next := w.read(t, i, &x)
	w.out = x.appendForm(w.out)
	return next
}

// appendForm appends the value in JSON, and for what JSON lacks the words that Python writes.
func (x *scalar) appendForm(dst []byte) []byte {
	switch {
	case x.kind == nullScalar:
		return append(dst, "null"...)
	case x.kind == textScalar:
		return AppendQuoted(dst, x.text)
	case x.finite():
		return x.appendToken(dst)
	case math.IsNaN(x.v):
		return append(dst, "NaN"...)
	case x.v < 0:
		dst = append(dst, '-')
	}
	return append(dst, "Infinity"...)
}

// around appends an object or an array.
func (w *formWriter) around(open, closing byte, parts func() int) int {
	if !w.deeper(0) {
		return -1
	}
	w.out = append(w.out, open)
	next := parts()
	if n := len(w.out) - 1; w.out[n] == ',' {
		w.out = w.out[:n]
	}
	w.out = append(w.out, closing)
	w.depth--
	return next
}

func (w *formWriter) members(t *avro.Type, i int) int {
	if t.Kind == avro.Record {
		for n := 0; n < len(t.Fields) && i >= 0; n++ {
			i = w.member(t.Fields[n].Type, i, t.Fields[n].Name)
		}
		return i
	}
	for b := w.blocks(t); b.more(w.avroParser, &i); {
		var key []byte
		if key, i = w.avroParser.text(i); i >= 0 {
			i = w.member(t.Element, i, key)
		}
	}
	return i
}

func (w *formWriter) member(t *avro.Type, i int, name []byte) int {
	before := len(w.out)
	w.out = append(AppendQuoted(w.out, name), ':')
	return w.unlessAbsent(t, i, before)
}

func (w *formWriter) elements(t *avro.Type, i int) int {
	for b := w.blocks(t); b.more(w.avroParser, &i); {
		i = w.unlessAbsent(t.Element, i, len(w.out))
	}
	return i
}

// unlessAbsent appends a value and a comma. If the value has no JSON form, it cuts the text off instead.
func (w *formWriter) unlessAbsent(t *avro.Type, i, before int) int {
	t, i = w.branch(t, i)
	if i < 0 {
		return -1
	}
	absent, next := w.absent(t, i)
	if absent || next < 0 {
		w.out = w.out[:before]
		return next
	}
	if i = w.put(t, i); i >= 0 {
		w.out = append(w.out, ',')
	}
	return i
}
