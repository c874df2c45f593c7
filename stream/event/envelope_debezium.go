package event

import (
	"bytes"

	"rosenblatt/stream/avro"
)

// The errors of values that are no envelope of Debezium.
const (
	noOp = "the value is no envelope of Debezium: it has neither op nor a payload that has it; is it flattened? then " +
		"leave --envelope out"
	strangeOp = "op of the envelope of Debezium is none of c, u, r, d, t and m"
	noAfter   = "the envelope of Debezium has no object after; is it flattened? then leave --envelope out"
)

// change says what an operation of Debezium means: a row is there after it, or not. It returns what is wrong with the
// envelope, or an empty text.
func change(op []byte, hasRow bool) (gone bool, wrong string) {
	switch string(op) {
	case "c", "u", "r":
		//mutation:envelope-no-after
		if !hasRow {
			return false, noAfter
		}
		return false, ""
	//mutation:envelope-deleted
	case "d", "t", "m":
		return true, ""
	}
	return false, strangeOp
}

// deleted is why an event of Debezium is a tombstone.
const deleted = "the envelope of Debezium has no row"

// debeziumJSON opens envelopes of Debezium in json, with their schema part or without it.
type debeziumJSON struct {
	outer  outerJSON
	fields []outerField
	types  *connectType // of the rows, by the schema part that is known
	clocks []clockAt    // of the numbers in the event that are times, where that is of interest
	form   rowForm
	last   outerText // around the row before

	wrong Error
	gone  bool // there is no row
}

// clockAt says what the number at an offset of the event counts.
type clockAt struct {
	at    int
	clock avro.Clock
}

const (
	opField = iota
	afterField
	payloadField
	schemaField
)

func newDebeziumJSON(o *Options) *debeziumJSON {
	row := func() []outerField { return []outerField{{name: "op"}, {name: "after", event: true}} }
	z := &debeziumJSON{outer: newOuterJSON(o),
		fields: append(row(), outerField{name: "payload", in: row()}, outerField{name: schemaPart})}
	z.form.timed = len(o.TimeParts) > 0
	return z
}

// open returns the text of the row in the envelope that content is.
func (z *debeziumJSON) open(content []byte) (row []byte) {
	z.wrong, z.gone, z.clocks = Error{}, false, z.clocks[:0]
	z.form.reset()
	if z.outer.guessing {
		if row := z.alike(content); row != nil {
			return row
		}
	}
	isObject := z.outer.read(content, z.fields)
	if z.wrong = z.outer.failed; z.wrong.Reason != OK {
		return nil
	}
	fields, types := z.fields, (*connectType)(nil)
	switch payload := &z.fields[payloadField]; {
	case !isObject:
		z.gone = content[space(content, 0)] == 'n'
		z.refuse(!z.gone, -1, noOp)
	case fields[opField].from > 0:
	case payload.from == 0:
		z.refuse(true, -1, noOp)
	case content[payload.from] == 'n':
		z.gone = true
	case payload.in[opField].from == 0:
		z.refuse(true, payload.from, noOp)
	default:
		fields, types = payload.in, z.typesOf(content)
	}
	if !z.gone && z.wrong.Reason == OK {
		z.judge(content, fields)
	}
	if z.wrong.Reason == OK {
		z.wrong = twice(z.fields)
	}
	if z.wrong.Reason == OK {
		z.wrong = twice(fields)
	}
	if z.gone || z.wrong.Reason != OK {
		return nil
	}
	after := &fields[afterField]
	//mutation:guessed-row-form
	if z.outer.guessing && (types != nil || !isForm(content[after.from:after.to])) {
		return nil // only a row that is well formed has another form
	}
	row, z.wrong = z.form.of(&z.outer, after.from, after.to, types)
	if z.clocks = z.form.clocks; z.wrong.Reason != OK {
		return nil
	}
	//mutation:envelope-text-schema
	if part := &z.fields[schemaField]; types == nil && !z.form.changed() && part.from <= after.from {
		z.last.learn(content, after.from, after.to, fields[opField].from)
	}
	return row
}

// alike returns the row of an envelope whose text around it is that of the one before; nil if it is another one. The
// row has then to be read in a single pass, as one whose end is guessed.
func (z *debeziumJSON) alike(content []byte) (row []byte) {
	if !z.last.begins(content) {
		return nil
	}
	from := len(z.last.before)
	to := guessEnd(content, from, z.outer.braces)
	if to < 0 || !z.last.ends(content[to:]) || !isForm(content[from:to]) {
		return nil
	}
	z.outer.value = content
	row, _ = z.form.of(&z.outer, from, to, nil)
	return row
}

func (z *debeziumJSON) refuse(is bool, at int, what string) {
	if is {
		z.wrong = Error{Envelope, at, what}
	}
}

// judge decides by the operation.
func (z *debeziumJSON) judge(content []byte, fields []outerField) {
	op, after := &fields[opField], &fields[afterField]
	if content[op.from] != '"' {
		z.refuse(true, op.from, strangeOp)
		return
	}
	name, _ := z.outer.str(op.from, &z.outer.text)
	gone, wrong := change(name, after.from > 0 && content[after.from] == '{')
	z.gone = gone
	z.refuse(wrong != "", op.from, wrong)
}

// typesOf returns what the schema part says of the rows; nil if there is none.
func (z *debeziumJSON) typesOf(content []byte) *connectType {
	part := &z.fields[schemaField]
	switch {
	case z.outer.isNull(part):
		return nil
	case z.outer.same: // to compare a long text again takes longer than to read a row
		return z.types
	}
	//mutation:schema-part-again
	if text := content[part.from:part.to]; !bytes.Equal(text, z.outer.known) {
		z.outer.known = append(z.outer.known[:0], text...)
		z.types = connectTypes(text)
	}
	return z.types
}

// clockOf returns what the number at an offset of the event counts.
func (z *debeziumJSON) clockOf(at int) avro.Clock {
	for _, c := range z.clocks {
		if c.at == at {
			return c.clock
		}
	}
	return avro.NoClock
}
