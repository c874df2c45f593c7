package event

import "rosenblatt/stream/avro"

// debeziumAvro opens envelopes of Debezium in avro.
type debeziumAvro struct {
	plans map[*avro.Type]*avroPlan // of rows
	top   *avro.Type               // of the current row; nil if there is none

	wrong Error
	gone  bool // there is no row
}

func newDebeziumAvro() *debeziumAvro { return &debeziumAvro{plans: map[*avro.Type]*avroPlan{}} }

// isUnavailable reports whether a value is that which the database did not log.
func (x *scalar) isUnavailable() bool {
	return x.kind == textScalar && isUnlogged(x.text)
}

// unavailable reports whether the text at i is that of a value which the database did not log, and where it ends.
func (p *avroParser) unavailable(t *avro.Type, i int) (is bool, next int) {
	ignored := p.ignored
	p.ignored = true // UTF-8 is checked where it is read
	next = p.readText(t, i, &p.current)
	p.ignored = ignored
	if next < 0 || !p.current.isUnavailable() {
		return false, min(i, next)
	}
	return true, next
}

// row is what is found of an envelope.
type row struct {
	op       []byte
	hasOp    bool
	of       *avro.Type // of after; nil if there is none
	from, to int        // of after
}

// openRow finds the row in an envelope of Debezium, and how its bytes are read. It returns the value up to the row's
// end, or nil if there is none.
func (p *avroParser) openRow(value []byte) (content []byte) {
	z := p.around
	z.wrong, z.gone, z.top = Error{}, false, nil
	if len(value) == 0 || len(value) > p.options.MaxBytes {
		return nil // to be rejected
	}
	p.value, p.failed = value, Error{}
	p.deepest, p.depth, p.ignored, p.nothings = maxDepth, 1, true, 0
	found, end := p.envelope()
	p.deepest, p.ignored = p.options.MaxDepth, false
	if end < 0 {
		z.wrong = p.failed
		return nil
	}
	if end < len(value) {
		p.stop(Syntax, end, "%d bytes follow the end of the envelope; is it written with another schema?",
			len(value)-end)
		z.wrong = p.failed
		return nil
	}
	if z.gone {
		return nil
	}
	what := noOp
	if found.hasOp {
		z.gone, what = change(found.op, found.of != nil && found.of.IsObject())
	}
	if what != "" {
		z.wrong = Error{Envelope, -1, what}
	}
	if z.gone || what != "" {
		return nil
	}
	z.top, p.start = found.of, found.from
	if p.top != found.of || !p.planned {
		p.useRow(found.of)
	}
	return value[:found.to]
}

// envelope reads all of an envelope, and returns where it ends.
func (p *avroParser) envelope() (found row, end int) {
	i := 0
	if p.options.Schema == "" {
		i = p.schemas.frame.Bytes
	}
	t, i := p.branch(p.root, i)
	if i < 0 {
		return found, -1
	}
	if t.Kind != avro.Record {
		p.around.gone = t.Kind == avro.Null
		return found, p.skip(t, i)
	}
	for n := range t.Fields {
		of := &t.Fields[n]
		next := p.skip(of.Type, i)
		if next < 0 {
			return found, -1
		}
		switch string(of.Name) {
		case "op":
			found.op, found.hasOp = p.opAt(of.Type, i), true
		case "after":
			found.of, found.from = p.branch(of.Type, i)
			found.to = next
		}
		i = next
	}
	return found, i
}

// opAt returns the text of a field; nil if it has none.
func (p *avroParser) opAt(t *avro.Type, i int) []byte {
	if t, i = p.branch(t, i); !isString(t) {
		return nil
	}
	var x scalar
	p.readText(t, i, &x)
	return x.text
}

// useRow goes on with rows of another type.
func (p *avroParser) useRow(t *avro.Type) {
	plan, planned := p.around.plans[t]
	if !planned {
		plan = p.newPlan(t)
		p.around.plans[t] = plan
	}
	p.top, p.plan, p.planned = t, plan, true
}
