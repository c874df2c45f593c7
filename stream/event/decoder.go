package event

import (
	"fmt"
	"slices"

	"rosenblatt/learner"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/schema"
)

// Decoder turns events into examples. What it makes of an event depends only on the options and on the event. It reuses
// its memory from event to event, so decoding does not allocate once that memory has grown, and only one goroutine at a
// time may use it.
type Decoder struct {
	sink
	parser   parser
	charset  *Charset // of events; nil: UTF-8
	framed   bool     // a value may have a frame before its text
	lacking  *Error   // what the charset lacks of the current event
	endings  *fieldEndings
	template templates
	defaults bool         // an event without a byte is the message of defaults
	along    func() bool  // reads an event along the plan of its schema; nil: the format has no schema
	place    schema.Place // of the current record
	value    []byte       // what is parsed of the current event
	text     []byte       // scratch: an unescaped string
	strays   []int        // columns of numbers in which the event has a word
	noted    notes        // scratch of Values

	cloud    *cloudEvents  // opens what is around each event; nil: nothing is, or the parser opens it
	guess    *outerJSON    // reads envelopes in json around events in json; else nil
	rows     *debeziumJSON // of the parser
	outer    outerID       // of the current event
	borrowed bool          // what is parsed of it is in memory that is used again

	// In a single pass.
	words  bool         // one of the event's features is a word
	moved  bool         // its keys are not those of the event before
	rest   []byte       // the event, or a copy of its end
	before int          // bytes of the event before rest
	loads  int          // bytes of rest that can be loaded
	ending [ending]byte // scratch: the copy
}

// A parser reads values of one format.
type parser interface {
	// open finds the event in the value of a record with these headers: all of it, whose bytes the limits count, and
	// what is parsed. A value may also be no event, as a row of column names.
	open(value, headers []byte) (whole, content []byte, skip bool)
	// parse tells the sink what is in the current event, which is not empty. It checks all that the format demands of
	// its bytes.
	parse(whole []byte)
	// scalar reads the value at offset i of the current event, of a key of the template. The offset may be the event's
	// end. It returns the offset after the value, or -1 if the event does not fit or may have to be rejected.
	scalar(i int, key *templateKey) int
}

// A schemaParser reads values that schemas describe.
type schemaParser interface {
	// names is what the current event names, where it does.
	names() *naming
	// form appends what the current event is in json. It is opened.
	form(dst, content []byte) (form []byte, ok bool)
}

// New returns a decoder. The error is that of Options.Validate.
func New(o Options) (*Decoder, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Ignore, o.Columns, o.LabelNames = slices.Clone(o.Ignore), slices.Clone(o.Columns), slices.Clone(o.LabelNames)
	o.Missing, o.Categorical, o.Numeric = slices.Clone(o.Missing), slices.Clone(o.Categorical), slices.Clone(o.Numeric)
	o.TimeParts, o.Log, o.Cross = slices.Clone(o.TimeParts), slices.Clone(o.Log), slices.Clone(o.Cross)
	d := &Decoder{sink: newSink(o), template: newTemplates()}
	d.charset, _ = NewCharset(o.Encoding) // it is valid
	f, _ := FindFormat(o.Format)
	d.endings = &f.endings
	d.parser = f.newParser(d)
	if o.Envelope == CloudEvents {
		d.cloud = newCloudEvents(&d.options)
	}
	d.guess = d.guessable()
	return d, nil
}

// Record is a record of a topic, of which an event is made. One that comes from elsewhere, as a line of a file, has a
// value alone.
type Record = recordbatch.Record

// nameRoles sets the roles and kinds of the fields of a format whose fields have names of their own.
func (d *Decoder) nameRoles() {
	d.roles.named(&d.options)
	d.roles.kinds(&d.options)
	d.within.within(&d.options, &d.roles)
}

// Decode reads one event. It appends its features to arena in the order of the event, overwrites e, and returns the
// arena. A rejected event leaves no features. The slices of e alias the record and arena, except for an id or a class
// that had to be unescaped. A panic of the parser, which would be a bug, rejects the event as Internal.
func (d *Decoder) Decode(r *Record, arena []learner.Feature, e *Example) (out []learner.Feature) {
	defer func() {
		//mutation:decoder-panic
		if p := recover(); p != nil {
			text := fmt.Sprintf("the decoder panicked: %v; please report it with the event", p)
			d.template.abandon()
			reject(e, len(arena), Error{Internal, -1, text})
			out = arena
		}
	}()
	d.strays, d.place = d.strays[:0], schema.PlaceOf(r, d.records.labels)
	if d.options.Envelope != "" {
		return d.decodeEnveloped(r, arena, e)
	}
	return d.decodeRecord(r, arena, e)
}

// decodeRecord decodes a record around which there is nothing but what the parser opens.
func (d *Decoder) decodeRecord(r *Record, arena []learner.Feature, e *Example) []learner.Feature {
	whole, content, skip := d.parser.open(r.Value, r.Headers)
	//mutation:header-again
	if skip {
		*e = Example{Weight: d.records.weight, Start: len(arena), End: len(arena), Skip: true}
		return arena
	}
	if d.parseSinglePass(r, whole, content, arena, e) {
		return d.arena
	}
	d.template.begin()
	d.decode(r, whole, content, arena, e)
	d.template.complete(e, content, d.options.MaxFeatures)
	return d.arena
}

// Walk decodes an event again and calls visit with the name of each distinct feature and the feature itself, in the
// order of Decode. A rejected event has none. The name is valid until visit returns.
func (d *Decoder) Walk(r *Record, visit func(name []byte, f learner.Feature)) {
	var e Example
	d.place = schema.PlaceOf(r, d.records.labels)
	r, ok := d.eventOf(r)
	if !ok {
		return
	}
	whole, content, skip := d.parser.open(r.Value, r.Headers)
	if skip {
		return
	}
	d.decode(r, whole, content, nil, &e)
	features := d.arena
	if e.Rejected != nil || e.Skip {
		return
	}
	// A name is known before the feature's sum is, so a second pass visits the names, with the features of the first.
	d.visit = func(name []byte, index int) { visit(name, features[index]) }
	defer func() { d.visit = nil }()
	d.decode(r, whole, content, nil, &e)
}

// decode decodes an event without the template.
func (d *Decoder) decode(r *Record, whole, content []byte, arena []learner.Feature, e *Example) {
	d.sink.reset(arena, e)
	d.value, d.strays = content, d.strays[:0]
	if whole == nil && d.options.Tombstones == SkipTombstones {
		e.Skip, e.End = true, e.Start
		return
	}
	if d.admit(r.Key, whole) {
		d.parser.parse(whole)
	}
	d.identify(r, e)
	d.finish()
	if e.Rejected != nil && d.options.NamesSchemas() {
		d.parser.(schemaParser).names().nameSchema(e.Rejected)
	}
}

// admit makes the checks that precede parsing.
func (d *Decoder) admit(key, value []byte) bool {
	switch n := d.options.MaxBytes; {
	case value == nil:
		d.failed.add(Empty, -1, "the value is null; nulls can be skipped (tombstones)")
	//mutation:protobuf-defaults
	case len(value) == 0 && !d.defaults:
		d.failed.add(Empty, -1, "the value has no bytes")
	case len(value) > n:
		d.failed.add(TooLarge, -1, "the value has %d bytes, more than %d; raise the limit or send less", len(value), n)
	case len(key) > n:
		d.failed.add(TooLarge, -1, "the key has %d bytes, more than %d; raise the limit or send less", len(key), n)
	}
	return d.failed.Reason == OK
}
