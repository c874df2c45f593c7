package event

import "rosenblatt/stream/avro"

// absent reports whether a value has no JSON form, and then where it ends; -1 if it is not well formed.
func (p *avroParser) absent(t *avro.Type, i int) (absent bool, next int) {
	if p.around != nil {
		if is, end := p.isUnloggedArray(t, i); is {
			return true, end
		}
	}
	switch {
	case t.Absent:
		return true, p.pass(t, i)
	case p.around != nil && (t.Kind == avro.String || t.Kind == avro.Enum):
		return p.unavailable(t, i)
	case !t.MayBeAbsent || t.Kind != avro.Array:
		return false, i
	}
	// An array of which no element has a JSON form has none.
	nothings := p.nothings
	defer func() { p.nothings = nothings }()
	none := false
	for b := p.blocks(t); b.more(p, &i); {
		of, from := p.branch(t.Element, i)
		if from < 0 {
			return false, -1
		}
		if none, i = p.absent(of, from); i < 0 {
			return false, -1
		}
		if !none {
			return false, i
		}
	}
	return none, i
}

// pass passes over a value without a JSON form, of which nothing but lengths counts.
func (p *avroParser) pass(t *avro.Type, i int) int {
	switch t.Kind {
	case avro.Bytes, avro.Fixed:
		_, end := p.sized(t, i)
		return end
	}
	for b := p.blocks(t); b.more(p, &i); {
		if t.Element.Empty {
			b.left = 0
			continue
		}
		i = p.pass(t.Element, i)
	}
	return i
}

// skip checks a value without using it.
func (p *avroParser) skip(t *avro.Type, i int) int {
	t, i = p.branch(t, i)
	if i < 0 {
		return -1
	}
	switch absent, next := p.absent(t, i); {
	case next < 0:
		return -1
	case absent:
		return next
	}
	switch t.Kind {
	case avro.Record, avro.Map, avro.Array:
		if !p.deeper(i) {
			return -1
		}
		i = p.skipParts(t, i)
		p.depth--
		return i
	case avro.Decimal:
		_, end := p.sized(t, i)
		return end
	}
	return p.read(t, i, &p.current)
}

// skipParts checks the fields, entries or elements of a value.
func (p *avroParser) skipParts(t *avro.Type, i int) int {
	if t.Kind == avro.Record {
		for n := 0; n < len(t.Fields) && i >= 0; n++ {
			i = p.skip(t.Fields[n].Type, i)
		}
		return i
	}
	for b := p.blocks(t); b.more(p, &i); {
		if t.Kind == avro.Map {
			if _, i = p.text(i); i < 0 {
				return -1
			}
		}
		i = p.skip(t.Element, i)
		if t.Kind == avro.Array && t.Element.Empty {
			b.left = 0 // the others are the same
		}
	}
	return i
}
