package event

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// enveloped returns decoders of events in an envelope, and of events alone.
func enveloped(t testing.TB, o Options, envelope string) (in, alone *Decoder) {
	t.Helper()
	alone = decoder(t, o)
	o.Envelope = envelope
	return decoder(t, o), alone
}

// binaryEvent are the headers of a CloudEvent in binary mode.
var binaryEvent = header("ce_specversion", "1.0", "ce_id", "c1", "ce_type", "t", "content-type", "application/json")

// TestCloudEventIsItsData: in each mode, a CloudEvent is decoded as its data are, again and again.
func TestCloudEventIsItsData(t *testing.T) {
	for _, o := range fuzzOptions() {
		d, alone := enveloped(t, o, CloudEvents)
		for round := range 3 {
			for _, value := range jsonEvents {
				agreeOpened(t, d, alone, &Record{Value: []byte(value), Headers: binaryEvent},
					opened{event: []byte(value), id: "c1", tombstone: value == ""})
				coded := `{"id":"c1","data_base64":"` + base64.StdEncoding.EncodeToString([]byte(value)) +
					`","specversion":"1.0"}`
				agreeOpened(t, d, alone, &Record{Value: []byte(coded)}, opened{event: []byte(value), id: "c1"})
				if !json.Valid([]byte(value)) || value == "null" {
					continue
				}
				agreeOpened(t, d, alone, &Record{Value: []byte(`{"specversion":"1.0","data":` + value + `,"id":"c1"}`)},
					opened{event: []byte(value), id: "c1"})
				if round == 2 {
					agreeOffset(t, d, alone, `{"specversion":"1.0","data":`, value)
				}
			}
		}
	}
}

// agreeOffset asks whether the error of an event in an envelope has the offset in the value.
func agreeOffset(t *testing.T, in, alone *Decoder, before, value string) {
	t.Helper()
	e, w := decoded(in, before+value+"}"), decoded(alone, value)
	if w.Rejected == nil || w.Rejected.Offset < 0 || e.reason() != w.reason() || e.reason() == Encoding {
		return
	}
	if e.Rejected.Offset != w.Rejected.Offset+len(before) {
		t.Errorf("%s: offset %d, want %d", before+value+"}", e.Rejected.Offset, w.Rejected.Offset+len(before))
	}
}

// cloudCase is a record, and what becomes of it.
type cloudCase struct {
	name, value string
	headers     []string
	reason      Reason
	text        string // of the error
}

var cloudCases = []cloudCase{
	{name: "binary", value: `{"x":1}`, headers: []string{"ce_specversion", "1.0"}},
	{name: "binary with json that looks structured", value: `{"x":1,"specversion":null}`,
		headers: []string{"ce_specversion", "1.0"}},
	{name: "structured by its header", value: `{"data":{"x":1}}`,
		headers: []string{"content-type", "application/cloudevents+json; charset=utf-8"}},
	{name: "structured by its header in capitals", value: `{"data":{"x":1},"y":2}`,
		headers: []string{"content-type", "Application/CloudEvents+JSON", "ce_specversion", "1.0"}},
	{name: "structured by its value", value: ` {"specversion":"1.0","data":{"x":1}}`},
	{name: "a byte order mark", value: "\xef\xbb\xbf{\"specversion\":\"1.0\",\"data\":{\"x\":1}}"},
	{name: "the last header counts", value: `{"data":{"x":1}}`,
		headers: []string{"content-type", "application/json", "content-type", "application/cloudevents"}},
	{name: "no data", value: `{"specversion":"1.0"}`, reason: Empty, text: "no data"},
	{name: "null", value: `{"specversion":"1.0","data":null}`, reason: Empty, text: "no data"},
	{name: "binary without data", headers: []string{"ce_specversion", "1.0"}, reason: Empty, text: "no data"},
	{name: "no bytes", reason: Empty, text: "no bytes"},
	{name: "no bytes in base64", value: `{"specversion":"1.0","data_base64":""}`, reason: Empty, text: "no bytes"},
	{name: "neither", value: `{"x":1}`, reason: Envelope, text: "no CloudEvent"},
	{name: "neither, and no json", value: `x`, reason: Envelope, text: "no CloudEvent"},
	{name: "neither, and cut off", value: `{"x":`, reason: Envelope, text: "no CloudEvent"},
	{name: "another content type", value: `{"x":1}`, headers: []string{"content-type", "application/json"},
		reason: Envelope, text: "no CloudEvent"},
	{name: "specversion within", value: `{"x":{"specversion":"1.0"}}`, reason: Envelope, text: "no CloudEvent"},
	{name: "a batch", value: `[{"specversion":"1.0","data":{"x":1}}]`, reason: Envelope, text: "batch",
		headers: []string{"content-type", "application/cloudevents-batch+json"}},
	{name: "a batch without a header", value: `[{"specversion":"1.0","data":{"x":1}}]`, reason: Envelope},
	{name: "an array", value: `[1]`, headers: []string{"content-type", "application/cloudevents+json"},
		reason: Envelope, text: "an object"},
	{name: "cut off", value: `{"specversion":"1.0","data":{"x":1}`, reason: Syntax, text: "offset 35"},
	{name: "an attribute that is no json", value: `{"specversion":"1.0","time":2026-01-01,"data":{"x":1}}`,
		reason: Syntax, text: "offset 32"},
	{name: "another event format", value: "\x00\x01", reason: Syntax, text: "application/cloudevents+avro",
		headers: []string{"content-type", "application/cloudevents+avro"}},
	{name: "not UTF-8", value: "{\"specversion\":\"1.0\",\"type\":\"\xff\",\"data\":{\"x\":1}}", reason: Encoding},
	{name: "an id that is a number", value: `{"specversion":"1.0","id":7,"data":{"x":1}}`, reason: Envelope},
	{name: "both data", value: `{"specversion":"1.0","data":{"x":1},"data_base64":"eyJ4IjoxfQ=="}`,
		reason: Envelope, text: "both"},
	{name: "data twice", value: `{"specversion":"1.0","data":{"x":1},"data":{"x":1}}`, reason: DuplicateField,
		text: "offset 43"},
	{name: "data twice, and an id that is none", value: `{"specversion":"1.0","id":[],"data":1,"data":1}`,
		reason: Envelope},
	{name: "no base64", value: `{"specversion":"1.0","data_base64":"e"}`, reason: Envelope, text: "base64"},
	{name: "base64 that is none", value: `{"specversion":"1.0","data_base64":{}}`, reason: Envelope, text: "string"},
	{name: "base64 with escapes", value: `{"specversion":"1.0","data_base64":"eyJ4IjoiPz8\/In0="}`},
	{name: "data in a string", value: `{"specversion":"1.0","data":"{\"x\":1}"}`, reason: Syntax},
	{name: "bad data in base64", value: `{"specversion":"1.0","data_base64":"eyJ4Ijo="}`, reason: Syntax,
		text: "at offset 5 of the data"},
	{name: "deep attributes", value: `{"specversion":"1.0","a":[[[[[[[[[1]]]]]]]]],"data":{"x":1}}`},
	{name: "data as deep as they may be", value: `{"specversion":"1.0","data":{"a":{"b":{"x":1}}}}`},
	{name: "deep data", value: `{"specversion":"1.0","data":{"a":{"b":{"c":{"x":1}}}}}`, reason: TooDeep},
}

// TestCloudEvents: which records are CloudEvents, and what is wrong with others.
func TestCloudEvents(t *testing.T) {
	o := Defaults(JSON)
	o.Envelope, o.MaxDepth = CloudEvents, 3
	d := decoder(t, o)
	for _, c := range cloudCases {
		r := &Record{Value: []byte(c.value)}
		if c.headers != nil {
			r.Headers = header(c.headers...)
		}
		for range 2 {
			var e Example
			d.Decode(r, nil, &e)
			if e.reason() != c.reason || !strings.Contains(e.text(), c.text) {
				t.Errorf("%s: %q %s, want %q %s", c.name, e.reason(), e.text(), c.reason, c.text)
			}
			if e.Rejected == nil && e.End != 1 {
				t.Errorf("%s: %+v", c.name, e)
			}
		}
	}
}

// TestCloudEventText: data of text formats are in a string, and those of formats with a schema in base64.
func TestCloudEventText(t *testing.T) {
	o := Defaults(CSV)
	o.Columns = []string{"id", "label", "price", "market"}
	d, alone := enveloped(t, o, CloudEvents)
	const row = `e1,1,0.5,"a ""b"""`
	for range 3 {
		text, _ := json.Marshal(row)
		agreeOpened(t, d, alone, &Record{Value: []byte(`{"specversion":"1.0","data":` + string(text) + `}`)},
			opened{event: []byte(row)})
		agreeOpened(t, d, alone, &Record{Value: []byte(row), Headers: binaryEvent}, opened{event: []byte(row)})
		agreeOpened(t, d, alone, &Record{Value: []byte(`{"specversion":"1.0","data":"e1,1,0.5,m"}`)},
			opened{event: []byte("e1,1,0.5,m")})
		agreeOpened(t, d, alone, &Record{Value: []byte(`{"specversion":"1.0","data":{"price":1}}`)},
			opened{reasons: []Reason{Envelope}})
	}
	avro := Defaults(Avro)
	avro.Schema = `{"type":"record","name":"E","fields":[{"name":"x","type":"int"}]}`
	d, alone = enveloped(t, avro, CloudEvents)
	for range 2 {
		agreeOpened(t, d, alone, &Record{Value: []byte(`{"specversion":"1.0","data_base64":"Ag==","id":"c"}`)},
			opened{event: []byte{2}, id: "c"})
		agreeOpened(t, d, alone, &Record{Value: []byte(`{"specversion":"1.0","data":"Ag=="}`)},
			opened{reasons: []Reason{Envelope}})
		agreeOpened(t, d, alone, &Record{Value: []byte{2}, Headers: binaryEvent}, opened{event: []byte{2}, id: "c1"})
	}
}

// TestEnvelopeOutlasts: the ids and classes of a batch stay as they are, also where what they are part of was written
// over by the next event.
func TestEnvelopeOutlasts(t *testing.T) {
	o := Defaults(JSON)
	o.Envelope, o.Task = CloudEvents, Multiclass
	d := decoder(t, o)
	var records []Record
	for _, id := range []string{"one", "two", "six"} {
		data := base64.StdEncoding.EncodeToString([]byte(`{"id":"` + id + `","label":"` + id + `","x":1}`))
		records = append(records, Record{Value: []byte(`{"specversion":"1.0","data_base64":"` + data + `"}`)})
	}
	var b Batch
	for range 3 {
		b.Decode(d, records)
		for i, want := range []string{"one", "two", "six"} {
			e := &b.Examples[i]
			if string(e.ID) != `"`+want+`"` || !strings.Contains(string(e.Class), want) {
				t.Errorf("%d: id %s, class %s", i, e.ID, e.Class)
			}
		}
	}
}

// TestEnvelopeIDs: the id of the data precedes that of the envelope, also of label records; the field of a reader is
// none of the envelope's.
func TestEnvelopeIDs(t *testing.T) {
	o := Defaults(JSON)
	o.Envelope = CloudEvents
	labels, err := NewLabels(o, false)
	if err != nil {
		t.Fatal(err)
	}
	keyed, err := NewLabels(o, true)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := NewFieldReader(o, "at")
	if err != nil {
		t.Fatal(err)
	}
	binary := func(value string) *Record {
		return &Record{Key: []byte("k"), Value: []byte(value), Headers: binaryEvent}
	}
	for range 3 {
		for value, want := range map[string]string{`{"label":1}`: "c1", `{"id":"e1","label":1}`: `"e1"`} {
			var e Example
			if labels.Decode(binary(value), nil, &e); e.Rejected != nil || string(e.ID) != want {
				t.Errorf("%s: id %s, %s", value, e.ID, e.text())
			}
		}
		for _, value := range []string{`{"label":1}`, `1`} {
			var e Example
			if keyed.Decode(binary(value), nil, &e); e.Rejected != nil || string(e.ID) != "k" || e.Label != 1 {
				t.Errorf("%s: id %s, %s", value, e.ID, e.text())
			}
		}
		if got, _ := reader.Read(binary(`{"id":"e1"}`)); got != nil {
			t.Errorf("the field is absent, and read as %s", got)
		}
		if got, _ := reader.Read(binary(`{"at":7}`)); string(got) != "7" {
			t.Errorf("the field is read as %s", got)
		}
	}
}

// TestEnvelopeNames: names, values and JSON forms are those of the event.
func TestEnvelopeNames(t *testing.T) {
	for envelope, r := range map[string]*Record{
		CloudEvents: {Value: []byte(`{"specversion":"1.0","data":{"x":1,"w":"a"}}`)},
		Debezium:    {Value: []byte(`{"op":"r","after":{"x":1,"w":"a"}}`)},
	} {
		o := Defaults(JSON)
		o.Envelope = envelope
		d := decoder(t, o)
		var names, values []string
		d.Walk(r, func(name []byte, _ learner.Feature) { names = append(names, string(name)) })
		ok := d.Values(r, func(v Value) { values = append(values, string(v.Field)) })
		if form, ok := d.JSONForm(nil, r); !ok || string(form) != `{"x":1,"w":"a"}` {
			t.Errorf("%s: form %s", envelope, form)
		}
		if !slices.Equal(names, []string{"x", "w=a"}) || !ok || !slices.Equal(values, []string{"x", "w"}) {
			t.Errorf("%s: names %q, values %q", envelope, names, values)
		}
		for _, none := range []string{`{"specversion":"1.0"}`, `{"op":"d"}`, `{`, `{}`, ``} {
			if form, ok := d.JSONForm(nil, &Record{Value: []byte(none)}); ok {
				t.Errorf("%s: the form of %s is %s", envelope, none, form)
			}
		}
	}
}

// TestEnvelopeSettings: which settings go together.
func TestEnvelopeSettings(t *testing.T) {
	for want, change := range map[string]func(o *Options){
		`envelope "soap"`:      func(o *Options) { o.Envelope = "soap" },
		"holds objects":        func(o *Options) { *o = Defaults(VW); o.Envelope = Debezium },
		"leave out the encod":  func(o *Options) { o.Envelope, o.Encoding = CloudEvents, "windows-1252" },
		"leave out the encodi": func(o *Options) { o.Envelope, o.Encoding = Debezium, "utf-16le" },
	} {
		o := Defaults(JSON)
		change(&o)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
