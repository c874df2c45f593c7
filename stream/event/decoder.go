package event

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"rosenblatt/learner"
	"rosenblatt/stream/recordbatch"
)

// Decoder turns events into examples. What it makes of an event depends only on the options and on the event. It reuses
// its memory from event to event, so decoding does not allocate once that memory has grown, and only one goroutine at a
// time may use it.
type Decoder struct {
	options  Options
	mask     uint32 // of the slots
	labels   labelReader
	roles    fieldRoles // of fields, columns and, in the formats without either, of feature names
	parser   parser
	table    *csvParser // the parser, if it is of csv
	charset  *Charset   // of events; nil: UTF-8
	lacking  *Error     // what the charset lacks of the current event
	records  recordKind // events, or label records
	endings  *fieldEndings
	template templates
	digest   xxhash.Digest

	// The current event.
	value   []byte
	example *Example
	arena   []learner.Feature
	start   int       // where its features begin in the arena
	failed  Error     // what is wrong with the event
	unfit   Error     // what is wrong with its features; forgotten if they are discarded
	seen    nameTable // its features; in a single pass, only its words
	empty   bool      // it has neither a field nor a label
	words   bool      // in a single pass: one of its features is a word
	moved   bool      // in a single pass: its keys are not those of the event before
	strays  []int     // columns of numbers in which it has a word
	visit   func(name []byte, index int)

	rest   []byte       // in a single pass: the event, or a copy of its end
	before int          // in a single pass: bytes of the event before rest
	loads  int          // in a single pass: bytes of rest that can be loaded
	ending [ending]byte // scratch: the copy
	name   []byte       // scratch: the name of the current feature, after the names of the objects around it
	base   int          // where names begin in name
	text   []byte       // scratch: an unescaped string

	prefixes []prefixHash // of long prefixes in name, each of which continues the one before
}

// A parser reads values of one format.
type parser interface {
	// parse adds the features of the current event and fills the example. The value is UTF-8 and not empty.
	parse(value []byte)
	// scalar reads the value at offset i of the current event, of a key of the template. The offset may be the event's
	// end. It returns the offset after the value, or -1 if the event does not fit or may have to be rejected.
	scalar(i int, key *templateKey) int
}

// New returns a decoder. The error is that of Options.Validate.
func New(o Options) (*Decoder, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Ignore, o.Columns, o.LabelNames = slices.Clone(o.Ignore), slices.Clone(o.Columns), slices.Clone(o.LabelNames)
	o.Missing, o.Categorical, o.Numeric = slices.Clone(o.Missing), slices.Clone(o.Categorical), slices.Clone(o.Numeric)
	d := &Decoder{options: o, mask: 1<<o.Bits - 1, records: recordKind{weight: 1},
		template: newTemplates()}
	d.charset, _ = NewCharset(o.Encoding) // it is valid
	d.setLabels()
	f, _ := FindFormat(o.Format)
	d.endings = &f.endings
	d.parser = f.newParser(d)
	return d, nil
}

// Record is a record of a topic, of which an event is made. One that comes from elsewhere, as a line of a file, has a
// value alone.
type Record = recordbatch.Record

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
	value := d.Text(r.Value)
	d.strays = d.strays[:0]
	//mutation:header-again
	if d.table != nil && d.table.isHeader(value) {
		*e = Example{Weight: d.records.weight, Start: len(arena), End: len(arena), Skip: true}
		return arena
	}
	if d.parseSinglePass(r.Key, value, arena, e) {
		return d.arena
	}
	d.template.begin()
	d.decode(r.Key, value, arena, e)
	d.template.complete(e, d.trimmed(value), d.options.MaxFeatures)
	return d.arena
}

// Walk decodes an event again and calls visit with the name of each distinct feature and the feature itself, in the
// order of Decode. A rejected event has none. The name is valid until visit returns.
func (d *Decoder) Walk(r *Record, visit func(name []byte, f learner.Feature)) {
	var e Example
	value := d.Text(r.Value)
	if d.table != nil && d.table.isHeader(value) {
		return
	}
	d.decode(r.Key, value, nil, &e)
	features := d.arena
	if e.Rejected != nil || e.Skip {
		return
	}
	// A name is known before the feature's sum is, so a second pass visits the names, with the features of the first.
	d.visit = func(name []byte, index int) { visit(name, features[index]) }
	defer func() { d.visit = nil }()
	d.decode(r.Key, value, nil, &e)
}

// trimmed returns an event without the line end that the text formats allow.
func (d *Decoder) trimmed(value []byte) []byte {
	if d.endings.strict {
		return value
	}
	return line(value)
}

// decode decodes an event without the template.
func (d *Decoder) decode(key, value []byte, arena []learner.Feature, e *Example) {
	*e = Example{Weight: d.records.weight, Start: len(arena)}
	d.value, d.example, d.arena, d.start = value, e, arena, len(arena)
	d.failed, d.unfit, d.empty, d.strays = Error{}, Error{}, false, d.strays[:0]
	d.name, d.base, d.prefixes = d.name[:0], 0, d.prefixes[:0]
	d.seen.reset()
	if value == nil && d.options.Tombstones == SkipTombstones {
		e.Skip, e.End = true, e.Start
		return
	}
	if d.admit(key, value) {
		d.parser.parse(value)
	}
	if d.records.keyed {
		e.ID, e.IDIsJSON = key, false
	}
	d.finish()
}

// admit makes the checks that precede parsing.
func (d *Decoder) admit(key, value []byte) bool {
	switch n := d.options.MaxBytes; {
	case value == nil:
		d.failed.add(Empty, -1, "the value is null; nulls can be skipped (tombstones)")
	case len(value) == 0:
		d.failed.add(Empty, -1, "the value has no bytes")
	case len(value) > n:
		d.failed.add(TooLarge, -1, "the value has %d bytes, more than %d; raise the limit or send less", len(value), n)
	case len(key) > n:
		d.failed.add(TooLarge, -1, "the key has %d bytes, more than %d; raise the limit or send less", len(key), n)
	case !utf8.Valid(value):
		if d.lacking != nil {
			d.failed = *d.lacking
			break
		}
		at := invalid(value)
		hint := registryHint(value)
		if hint == "" || SeemsUTF16(value) != "" {
			hint = encodingHint(value)
		}
		d.failed.add(Encoding, at, "%v is not UTF-8%s", quoted(value[at:min(at+utf8.UTFMax, len(value))]), hint)
	case d.options.Format == JSON:
		if at := loneSurrogate(value); at >= 0 {
			d.failed.add(Encoding, at, "%v is half of a surrogate pair", quoted(value[at:min(at+6, len(value))]))
		}
	}
	return d.failed.Reason == OK
}

// finish completes the example.
func (d *Decoder) finish() {
	if d.example.Skip {
		d.arena = d.arena[:d.start]
		return
	}
	if d.unfit.Reason != OK && d.failed.replacedBy(d.unfit.Reason) {
		d.failed = d.unfit
	}
	if d.failed.Reason == OK {
		d.checkContent()
	}
	if d.failed.Reason == OK {
		d.example.End = len(d.arena)
		return
	}
	d.arena = d.arena[:d.start]
	reject(d.example, d.start, d.failed)
}

// checkContent checks that the record has what its kind needs.
func (d *Decoder) checkContent() {
	switch k := &d.records; {
	//mutation:empty-event
	case d.empty && !k.bare && !d.options.EmptyIsZero:
		d.failed.add(NoFeatures, -1, "neither a field nor a label: is the format another? "+
			"--no-features zero takes the event")
	case k.labels && d.example.ID == nil:
		d.failed.add(NoID, -1, "the label record has no id (%s)", d.options.IDField)
	case k.labels && d.example.Label == 0 && d.example.Class == nil:
		d.failed.add(NoLabel, -1, "the label record has no label (%s)", d.options.LabelField)
	}
}

// reject makes e a rejected example. The label is kept only if a later check may still reject it.
func reject(e *Example, start int, err Error) {
	e.Rejected, e.Start, e.End = &err, start, start
	if err.Reason <= BadLabel || err.Reason == Internal {
		e.Label, e.Class, e.Family = 0, nil, Unlabelled
	}
}
