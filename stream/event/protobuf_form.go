package event

import "rosenblatt/stream/protobuf"

// protoForm writes the JSON form of values, which is what an event is in json.
type protoForm struct {
	*protobufParser
	out []byte
}

func (p *protobufParser) form(dst, content []byte) (form []byte, ok bool) {
	d := p.Decoder
	if p.envelope != nil && p.envelope.top == nil {
		return dst, false
	}
	d.value = content
	if !p.checked() {
		if d.failed.Reason != Encoding {
			return dst, false
		}
		d.failed = Error{}
	}
	p.stretches, p.heads, p.keys = p.stretches[:0], p.heads[:0], p.keys[:0]
	w := protoForm{p, dst}
	w.put(p.event())
	return w.out, true
}

// put appends a value.
func (w *protoForm) put(m *protobuf.Message, v protoValue) {
	switch v.shape {
	case objectShape:
		w.out = append(w.out, '{')
		at, stretches := w.scan(m, v.head), len(w.stretches)
		for n := range m.Fields {
			if f, head := &m.Fields[n], w.heads[at+n].head; w.has(f, head) {
				w.member(f.Name, w.valueAt(f, head, false))
				w.stretches = w.stretches[:stretches]
			}
		}
		w.heads = w.heads[:at]
		w.end('}')
	case mapShape:
		w.entries(v)
	case arrayShape:
		w.out = append(w.out, '[')
		for e := w.elementsOf(v); ; {
			v, more := e.next(w.protobufParser)
			if !more {
				break
			}
			w.put(v.message(), v)
			w.out = append(w.out, ',')
		}
		w.end(']')
	default:
		var x scalar
		w.read(v, &x)
		w.out = x.appendForm(w.out)
	}
}

// entries appends a map.
func (w *protoForm) entries(v protoValue) {
	entry := v.field.Message
	of := entry.Value()
	w.out = append(w.out, '{')
	stretches := len(w.stretches)
	for head := v.head; head >= 0; head = w.stretches[head].next {
		at := w.scan(entry, w.stretch(w.stretches[head].from, w.stretches[head].to))
		if !of.Absent {
			key := w.keyText(nil, entry, at)
			if v := w.valueAt(of, w.heads[at+entry.Place(2)].head, false); !w.isUnavailable(v) {
				w.member(key, v)
			}
		}
		w.heads, w.stretches = w.heads[:at], w.stretches[:stretches]
	}
	w.end('}')
}

func (w *protoForm) member(name []byte, v protoValue) {
	w.out = append(AppendQuoted(w.out, name), ':')
	w.put(v.message(), v)
	w.out = append(w.out, ',')
}

// end ends an object or an array, without the comma behind the last part.
func (w *protoForm) end(closing byte) {
	if n := len(w.out) - 1; w.out[n] == ',' {
		w.out = w.out[:n]
	}
	w.out = append(w.out, closing)
}
