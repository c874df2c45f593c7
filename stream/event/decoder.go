package event

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"rosenblatt/learner"
)

// Decoder turns events into examples. It keeps scratch memory from event to event, so it is for one goroutine, and
// decoding allocates nothing once that memory has grown. What Decode makes of an event depends on nothing but the
// options and the event.
type Decoder struct {
	options Options
	format  Format
	mask    uint32 // of the slots
	labels  []spelling
	outer   scope    // json: names from the top of the event; libsvm and vw: names of features
	inner   scope    // json: names within the features object
	columns []column // csv
	digest  xxhash.Digest

	// The event at hand.
	value   []byte
	example *Example
	arena   []learner.Feature
	start   int     // where its features begin in the arena
	failed  failure // what is wrong with the event
	unfit   failure // what is wrong with its features; forgotten when they are discarded
	seen    table   // its features
	visit   func(name []byte, index int)

	name []byte // scratch: the name of a feature under way, behind what is being walked further out
	base int    // where names begin in name
	text []byte // scratch: an unescaped string

	json jsonState
	vw   vwState
}

// New makes a decoder. The error is that of Options.Validate.
func New(o Options) (*Decoder, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Ignore, o.Columns, o.LabelNames = slices.Clone(o.Ignore), slices.Clone(o.Columns), slices.Clone(o.LabelNames)
	f, _ := FindFormat(o.Format)
	d := &Decoder{options: o, format: f, mask: 1<<o.Bits - 1}
	d.setLabels()
	d.setScopes()
	d.setColumns()
	return d, nil
}

// Decode reads one event. It appends its features to arena, in the order in which they stand in the event, fills e with
// the rest, whatever e held before, and returns the arena. A rejected event leaves no features. The slices of e alias value
// and arena; a csv id with doubled quotes is a copy. Nothing in an event makes it panic: what does is a mistake in this
// package, and the event is rejected as Internal.
func (d *Decoder) Decode(key, value []byte, arena []learner.Feature, e *Example) (out []learner.Feature) {
	defer func() {
		if p := recover(); p != nil {
			reject(e, len(arena), failure{Internal, fmt.Sprintf("the decoder panicked: %v; please report it with the event", p)})
			out = arena
		}
	}()
	if d.vw.quick && d.vwQuick(key, value, arena, e) {
		return d.arena
	}
	if d.json.frame.ready && d.jsonQuick(key, value, arena, e) {
		return d.arena
	}
	d.json.flat = true
	d.begin(key, value, arena, e)
	return d.arena
}

// Walk decodes an event again and hands out the name of each distinct feature with the feature itself, in the order of
// Decode. A rejected event has none. The name is valid until visit returns.
func (d *Decoder) Walk(key, value []byte, visit func(name []byte, f learner.Feature)) {
	var e Example
	features := d.Decode(key, value, nil, &e)
	if e.Reason != OK || e.Skip {
		return
	}
	// Names are known before sums are, so a second pass hands out the names, and its features are those of the first.
	d.visit = func(name []byte, index int) { visit(name, features[index]) }
	defer func() { d.visit = nil }()
	d.begin(key, value, nil, &e)
}

// begin decodes an event; json.flat is set.
func (d *Decoder) begin(key, value []byte, arena []learner.Feature, e *Example) {
	*e = Example{Weight: 1, Start: len(arena)}
	d.value, d.example, d.arena, d.start = value, e, arena, len(arena)
	d.failed, d.unfit = failure{}, failure{}
	d.name, d.base = d.name[:0], 0
	d.seen.reset()
	d.json.shape.pending, d.json.shape.learning = 0, false
	if value == nil && d.options.Tombstones == SkipTombstones {
		e.Skip, e.End = true, e.Start
		return
	}
	if d.admit(key, value) {
		d.format.parse(d, d.value)
	}
	d.finish()
}

// admit makes the checks that come before parsing.
func (d *Decoder) admit(key, value []byte) bool {
	switch n := d.options.MaxBytes; {
	case value == nil:
		d.failed.add(Empty, "the value is null; nulls can be skipped (tombstones)")
	case len(value) == 0:
		d.failed.add(Empty, "the value has no bytes")
	case len(value) > n:
		d.failed.add(TooLarge, "the value has %d bytes, more than %d; raise the limit or send less", len(value), n)
	case len(key) > n:
		d.failed.add(TooLarge, "the key has %d bytes, more than %d; raise the limit or send less", len(key), n)
	case !utf8.Valid(value):
		at := invalid(value)
		d.failed.add(Encoding, "offset %d: %v is not UTF-8", at, quoted(value[at:min(at+utf8.UTFMax, len(value))]))
	case d.options.Format == JSON:
		if at := loneSurrogate(value); at >= 0 {
			d.failed.add(Encoding, "offset %d: %v is half of a surrogate pair", at, quoted(value[at:min(at+6, len(value))]))
		}
	}
	return d.failed.reason == OK
}

// finish draws the conclusion.
func (d *Decoder) finish() {
	if d.unfit.reason != OK {
		d.failed.add(d.unfit.reason, "%s", d.unfit.text)
	}
	if d.failed.reason == OK && len(d.arena) == d.start {
		d.failed.add(NoFeatures, "there is not a single feature")
	}
	if d.failed.reason == OK {
		d.example.End = len(d.arena)
		if d.json.shape.pending != 0 { // else there are other features, if any
			d.example.Names = d.json.shape.list()
		}
		return
	}
	d.arena = d.arena[:d.start]
	reject(d.example, d.start, d.failed)
}

// reject makes e a rejected example. Its label stays only as far as a later check may still find it wrong.
func reject(e *Example, start int, f failure) {
	e.Reason, e.Error, e.Start, e.End = f.reason, f.text, start, start
	if f.reason <= BadLabel || f.reason == Internal {
		e.Label, e.Class, e.Family = 0, nil, Unlabelled
	}
}
