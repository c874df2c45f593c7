package event

import (
	"fmt"
	"slices"

	"rosenblatt/learner"
)

// recordKind is what records must have: the zero value with weight 1 is an event.
type recordKind struct {
	bare   bool    // no features
	labels bool    // an id and a label
	field  bool    // one field is read, as if it were the id
	keyed  bool    // the key is the id, and a json value that is no object is the label
	weight float64 // of a record that gives none
}

// NoKey ends the error of a keyed label record whose key is null.
const NoKey = "the label record has no key, which would be its id"

// NoWeight is Example.Weight of a label record that gives no weight: the event's counts.
const NoWeight = -1

// NewLabels returns a decoder of label records: their examples have an id, a label, maybe a weight, and no features.
// The options are those of events; what is about features is not used. A record without an id is rejected as NoID,
// one without a label as NoLabel, else reasons are those of events. Text formats without fields have no label records.
//
// Keyed records have the id of their event in the key, as a string, and may have the label alone as the value.
func NewLabels(o Options, keyed bool) (*Decoder, error) {
	if !o.HasObjects() && o.Format != CSV {
		return nil, fmt.Errorf("format %s: label records are %s, %s or %s", o.Format, JSON, CSV, Avro)
	}
	required := []string{o.LabelField}
	if o.IDField != "" && !keyed {
		required = append(required, o.IDField)
	}
	if o.IDField == "" && !keyed && o.Envelope != CloudEvents || o.LabelField == "" {
		return nil, fmt.Errorf("label records need the names of the fields of id and label")
	}
	for i, name := range required {
		if o.Format == CSV && !slices.Contains(o.Columns, name) {
			//mutation:column-of-labels-named
			flag := [...]string{"--labels-label-field NAME names the label", "--labels-id-field NAME names the id"}[i]
			return nil, fmt.Errorf("%q is none of the columns %q: label records need an id and a label; %s", name,
				o.Columns, flag)
		}
	}
	d, err := newBare(o)
	if err == nil {
		d.records.labels, d.records.keyed = true, keyed
	}
	return d, err
}

// newBare returns a decoder of records without features.
func newBare(o Options) (*Decoder, error) {
	if o = o.WithoutFeatures(); o.HasObjects() {
		o.Missing = nil
	}
	for _, name := range o.Columns {
		if !slices.Contains(o.named(), name) {
			o.Ignore = append(o.Ignore, name)
		}
	}
	d, err := New(o)
	if err == nil {
		d.records = recordKind{bare: true, weight: NoWeight}
	}
	return d, err
}

// ReadLabel reads a label that a user names, as Decode reads the label of a text format.
func (d *Decoder) ReadLabel(name string) (e Example, err error) {
	if name == "" {
		return e, NewError(BadLabel, "the label is empty")
	}
	e.Weight = d.records.weight
	d.example, d.failed = &e, Error{}
	if d.labels.word(&d.sink, []byte(name)); d.failed.Reason != OK {
		failed := d.failed
		return Example{}, &failed
	}
	return e, nil
}

// FieldReader reads one field of events, json or a table, apart from decoding them. It belongs to one goroutine.
type FieldReader struct {
	d     *Decoder
	e     Example
	arena []learner.Feature // the decoder's scratch
	text  []byte
}

// NewFieldReader returns a reader of a field, a dotted path or a column. The options are those of the events.
func NewFieldReader(o Options, field string) (*FieldReader, error) {
	if !o.HasObjects() && o.Format != CSV {
		return nil, fmt.Errorf("format %s: its events have no named fields", o.Format)
	}
	if o.Format == CSV && !slices.Contains(o.Columns, field) {
		return nil, fmt.Errorf("%q is none of the columns %q", field, o.Columns)
	}
	o.IDField, o.LabelField, o.WeightField = field, "", ""
	d, err := newBare(o)
	if err == nil {
		d.records.field = true
	}
	return &FieldReader{d: d}, err
}

// Skips reports whether the event that was read last is none, as a row of column names.
func (r *FieldReader) Skips() bool { return r.e.Skip }

// Read returns the content of the field: of a string without quotes, else as written. It is nil where the field is
// absent. It is valid until the next call. The error says that the event is no record of
// its format.
func (r *FieldReader) Read(from *Record) ([]byte, *Error) {
	r.arena = r.d.Decode(from, r.arena[:0], &r.e)[:0]
	if r.e.Rejected != nil || r.e.ID == nil {
		return nil, r.e.Rejected
	}
	if r.text = AppendIDKey(r.text[:0], &r.e); r.text[0] == '"' {
		return r.text[1:], nil
	}
	return r.text, nil
}
