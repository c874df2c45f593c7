package event

import (
	"errors"
	"fmt"

	"rosenblatt/learner"
)

// What is around events (Options.Envelope).
const (
	CloudEvents = "cloudevents" // the data of a CloudEvent is the event
	Debezium    = "debezium"    // the row that Debezium says a change has left is the event
)

// Envelopes returns the names of all envelopes.
func Envelopes() []string { return []string{CloudEvents, Debezium} }

func (o *Options) validateEnvelope() error {
	switch o.Envelope {
	case "":
		return nil
	case CloudEvents:
	case Debezium:
		if o.Format != JSON && !o.HasSchema() {
			return fmt.Errorf("the envelope of Debezium holds objects, of json, avro or protobuf, not of %s", o.Format)
		}
	default:
		return fmt.Errorf("envelope %q: want %s or %s", o.Envelope, CloudEvents, Debezium)
	}
	if o.Encoding != "" {
		return errors.New("what is in an envelope is UTF-8: leave out the encoding, or the envelope")
	}
	return nil
}

// HasForm reports whether the JSON form of events is another text than their values: see Form.
func (o *Options) HasForm() bool { return o.HasSchema() || o.Envelope != "" }

// decodeEnveloped is Decode for events with an envelope. That of Debezium is written as the event is, and opened by its
// parser.
func (d *Decoder) decodeEnveloped(r *Record, arena []learner.Feature, e *Example) []learner.Feature {
	if d.guess != nil && d.template.ready() && d.guessed(r, arena, e) {
		return d.arena
	}
	d.borrowed, d.outer = false, outerID{}
	in := &inner{}
	if d.cloud != nil {
		if in = d.cloud.open(r); in.wrong.Reason != OK || in.empty {
			return d.withoutData(r, arena, e)
		}
		r, d.outer, d.borrowed = &in.record, in.id, in.borrowed
	}
	arena = d.decodeRecord(r, arena, e)
	switch p, isProtobuf := d.parser.(*protobufParser); {
	case e.Rejected == nil || e.Rejected.Offset < 0:
	case d.cloud != nil:
		in.locate(e.Rejected)
	case isProtobuf && p.envelope.moved:
		e.Rejected.Offset = -1
	}
	//mutation:envelope-borrowed
	if d.borrowed {
		e.ID, e.Class = d.outlasting(e.ID), d.outlasting(e.Class)
	}
	return arena
}

// guessable returns what reads envelopes in json around events in json; nil if nothing does.
func (d *Decoder) guessable() *outerJSON {
	switch p, isJSON := d.parser.(*jsonParser); {
	case isJSON && d.cloud != nil:
		return &d.cloud.outer
	case isJSON && p.around != nil:
		d.rows = p.around
		return &p.around.outer
	}
	return nil
}

// guessed decodes an event in an envelope in json that is like the one before: the envelope is read without a look at
// the event, and the event in a single pass. It reports false if that does not do, whatever the reason.
func (d *Decoder) guessed(r *Record, arena []learner.Feature, e *Example) bool {
	if z := d.rows; z != nil && z.types != nil {
		return false // rows are written anew
	}
	d.guess.guessing = true
	defer func() { d.guess.guessing = false }()
	d.borrowed, d.outer = false, outerID{}
	if d.cloud != nil {
		in := d.cloud.open(r)
		if in.wrong.Reason != OK || in.empty || in.borrowed {
			return false
		}
		r, d.outer = &in.record, in.id
	}
	whole, content, _ := d.parser.open(r.Value, r.Headers)
	return !d.borrowed && d.parseSinglePass(r, whole, content, arena, e)
}

// outlasting copies a text that is in memory which is used again.
func (s *sink) outlasting(text []byte) []byte {
	if text == nil {
		return nil
	}
	return s.keep(text)
}

// withoutData makes an example of an envelope that has no data, or is none.
func (d *Decoder) withoutData(r *Record, arena []learner.Feature, e *Example) []learner.Feature {
	d.sink.reset(arena, e)
	if d.failed = d.cloud.inner.wrong; d.failed.Reason == OK {
		d.tombstone("the CloudEvent has no data")
	}
	if d.records.keyed {
		e.ID, e.IDIsJSON = r.Key, false
	}
	d.finish()
	return d.arena
}

// outerID is the id that an envelope has, for events without one of their own; nil if there is none.
type outerID struct {
	id     []byte
	isJSON bool
}

// identify takes the id of the key or, for an event without one, that of the envelope.
func (d *Decoder) identify(r *Record, e *Example) {
	switch {
	case d.records.keyed:
		e.ID, e.IDIsJSON = r.Key, false
	//mutation:envelope-id
	case e.ID == nil && !d.records.field:
		e.ID, e.IDIsJSON = d.outer.id, d.outer.isJSON
	}
}

// An Opener finds the events in records of CloudEvents, for those that do not decode them. It belongs to one goroutine.
type Opener struct{ cloud *cloudEvents }

// Opener returns an opener; nil if records are events but for what a decoder opens.
func (o *Options) Opener() *Opener {
	if o.Envelope != CloudEvents {
		return nil
	}
	of := *o
	return &Opener{newCloudEvents(&of)}
}

// Open returns the record of an event, valid until the next call. It reports false if there is none. A nil opener
// returns the record itself.
func (p *Opener) Open(r *Record) (*Record, bool) {
	if p == nil {
		return r, true
	}
	in := p.cloud.open(r)
	return &in.record, in.wrong.Reason == OK && !in.empty
}

// eventOf returns the record of the event in an envelope that is not the parser's to open. It reports false if there is
// no event.
func (d *Decoder) eventOf(r *Record) (*Record, bool) {
	if d.cloud == nil {
		return r, true
	}
	return (&Opener{d.cloud}).Open(r)
}
