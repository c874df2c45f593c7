package event

import (
	"encoding/binary"

	"rosenblatt/stream/protobuf"
)

// debeziumProtobuf opens envelopes of Debezium in protobuf.
type debeziumProtobuf struct {
	root  *protobuf.Message                     // of envelopes
	top   *protobuf.Message                     // of the current row; nil if there is none
	row   *protobuf.Message                     // of the last row
	plans map[*protobuf.Message]*protoPlan      // of rows
	maps  map[*protobuf.Field]*protobuf.Message // of rows that are maps

	joined []byte // the row, where it is not at one place of the value
	moved  bool   // it is there: offsets in it are none in the value
	wrong  Error
	gone   bool // there is no row
}

func newDebeziumProtobuf(root *protobuf.Message) *debeziumProtobuf {
	return &debeziumProtobuf{root: root, plans: map[*protobuf.Message]*protoPlan{},
		maps: map[*protobuf.Field]*protobuf.Message{}}
}

// openRow finds the row in an envelope of Debezium, and how its bytes are read. It returns the bytes up to the row's
// end, or nil if there is none.
func (p *protobufParser) openRow(value []byte) (content []byte) {
	z := p.envelope
	z.wrong, z.gone, z.moved, z.top = Error{}, false, false, nil
	if len(value) > p.options.MaxBytes || len(value) == 0 && !p.defaults {
		return nil // to be rejected
	}
	start := 0
	if p.options.Schema == "" {
		start = p.schemas.frame.Bytes
	}
	p.value, p.failed = value, Error{}
	p.stretches, p.heads, p.keys, p.around = p.stretches[:0], p.heads[:0], p.keys[:0], p.around[:0]
	p.depth, p.nested, p.absent, p.wary, p.tooDeep = 1, 0, true, false, -1
	if p.check(z.root, start, len(value), 0) < 0 {
		z.wrong = p.failed
		return nil
	}
	op, hasOp, row, hasRow := p.changeAt(p.stretch(start, len(value)))
	what := noOp
	if hasOp {
		z.gone, what = change(op, hasRow && (row.shape == objectShape || row.shape == mapShape))
	}
	if what != "" {
		z.wrong = Error{Envelope, -1, what}
	}
	if z.gone || what != "" {
		return nil
	}
	content = p.rowAt(row)
	if z.row != z.top || !p.planned {
		p.useRow()
	}
	p.top = z.top
	return content
}

// changeAt returns the operation and the row of an envelope.
func (p *protobufParser) changeAt(head int) (op []byte, hasOp bool, row protoValue, hasRow bool) {
	root := p.envelope.root
	at := p.scan(root, head)
	for n := range root.Fields {
		f, head := &root.Fields[n], p.heads[at+n].head
		if !p.has(f, head) {
			continue
		}
		switch string(f.Name) {
		case "op":
			hasOp = true
			if v := p.valueAt(f, head, false); v.shape == scalarShape {
				if p.read(v, &p.current); p.current.kind == textScalar {
					op = p.current.text
				}
			}
		case "after":
			row, hasRow = p.valueAt(f, head, false), true
		}
	}
	return op, hasOp, row, hasRow
}

// rowAt finds the bytes of a row. Messages that are written at several places are merged, which is what their bytes
// one behind the other are.
func (p *protobufParser) rowAt(row protoValue) (content []byte) {
	z := p.envelope
	first := p.stretches[row.head]
	//mutation:protobuf-row-parts
	if row.shape == objectShape && first.next < 0 {
		z.top, p.start = row.message(), first.from
		return p.value[:first.to]
	}
	z.joined = z.joined[:0]
	if z.top = row.message(); row.shape == mapShape {
		if z.top = z.maps[row.field]; z.top == nil {
			z.top = protobuf.ObjectOf(row.field)
			z.maps[row.field] = z.top
		}
	}
	for head := row.head; head >= 0; head = p.stretches[head].next {
		s := p.stretches[head]
		if row.shape == mapShape {
			z.joined = append(z.joined, 1<<3|byte(protobuf.Sized))
			z.joined = binary.AppendUvarint(z.joined, uint64(s.to-s.from))
		}
		z.joined = append(z.joined, p.value[s.from:s.to]...)
	}
	p.start, z.moved, p.borrowed = 0, true, true
	return z.joined
}

// useRow goes on with rows of another message.
func (p *protobufParser) useRow() {
	z := p.envelope
	plan, planned := z.plans[z.top]
	if !planned {
		plan = p.newPlan(z.top)
		z.plans[z.top] = plan
	}
	z.row, p.plan, p.planned = z.top, plan, true
}

// openedRow reports whether there is a row, and what is wrong or missing.
func (p *protobufParser) openedRow() bool {
	z := p.envelope
	switch {
	case z == nil:
		return true
	case z.gone:
		p.tombstone(deleted)
		return false
	}
	p.failed = z.wrong
	return z.wrong.Reason == OK
}

// isUnavailable reports whether a value is that which the database did not log.
func (p *protobufParser) isUnavailable(v protoValue) bool {
	if p.envelope == nil || v.shape != scalarShape || v.field.Kind != protobuf.String &&
		v.field.Kind != protobuf.Enum && v.field.Kind != protobuf.Nested {
		return false
	}
	var x scalar
	p.read(v, &x)
	return x.isUnavailable()
}

// lacks reports whether the value of a field is one that the database did not log.
func (p *protobufParser) lacks(f *protobuf.Field, head int) bool {
	if p.envelope == nil || f.Repeated {
		return false
	}
	stretches := len(p.stretches)
	is := p.isUnavailable(p.valueAt(f, head, false))
	p.stretches = p.stretches[:stretches]
	return is
}
