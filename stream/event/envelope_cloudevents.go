package event

import (
	"encoding/base64"
	"fmt"
	"strings"

	"rosenblatt/stream/recordbatch"
)

// cloudEvents opens CloudEvents, as version 1.0 of the specification and its binding to Kafka have them. In binary mode
// attributes are headers, and the value is the data. In structured mode the value is json, with the data in it.
type cloudEvents struct {
	options *Options
	// bytesMayLack says that no bytes are a value of the format.
	bytesMayLack bool
	outer        outerJSON
	fields       []outerField
	data         []byte // scratch: data that are not in the value as they are
	inner        inner
}

// inner is the event in an envelope.
type inner struct {
	record   Record
	wrong    Error   // of the envelope
	empty    bool    // there is no event in the envelope
	id       outerID // of the envelope
	base     int     // where the record's value begins in the value; -1 if it is not there as it is
	borrowed bool    // the record's value is in memory that is used again
}

// locate makes the offset of an error that of the value.
func (in *inner) locate(e *Error) {
	if in.base >= 0 {
		//mutation:offset-in-envelope
		e.Offset += in.base
		return
	}
	e.Text = fmt.Sprintf("at offset %d of the data: %s", e.Offset, e.Text)
	e.Offset = -1
}

// The headers of CloudEvents that are read, and the fields.
var cloudHeaders = []string{"content-type", "ce_specversion", "ce_id"}

const (
	specField = iota
	idField
	dataField
	base64Field
)

func newCloudEvents(o *Options) *cloudEvents {
	return &cloudEvents{options: o, bytesMayLack: o.Format == "protobuf", outer: newOuterJSON(o),
		fields: []outerField{{name: "specversion"}, {name: "id"},
			{name: "data", event: o.Format == JSON}, {name: "data_base64"}}}
}

// The media types of CloudEvents in structured mode, and of several of them.
const (
	cloudMedia = "application/cloudevents"
	cloudBatch = cloudMedia + "-batch"
)

// open finds the data of a record. What it returns is valid until the next call.
func (c *cloudEvents) open(r *Record) *inner {
	in := &c.inner
	*in = inner{record: *r}
	if most := c.options.MaxBytes; r.Value == nil || len(r.Value) > most || len(r.Key) > most {
		return in // to be rejected or skipped whatever it says
	}
	var headers [3][]byte
	recordbatch.LastHeaders(r.Headers, cloudHeaders, headers[:])
	media, version := headers[0], headers[1]
	switch structured := hasPrefix(media, cloudMedia); {
	//mutation:envelope-batch
	case hasPrefix(media, cloudBatch):
		in.wrong = Error{Envelope, -1, "the value is a batch of CloudEvents; send each as a record of its own"}
	//mutation:envelope-content-type
	case !structured && version != nil:
		if id := headers[2]; len(id) > 0 {
			in.id = outerID{id, false}
		}
		//mutation:envelope-no-bytes
		in.empty = len(r.Value) == 0 && !c.bytesMayLack // as writers send an event without data
	case len(r.Value) == 0:
		in.wrong = Error{Empty, -1, "the value has no bytes"}
	default:
		c.structured(r, in, media, structured)
	}
	return in
}

// hasPrefix reports whether a media type begins with this one. Case does not count.
func hasPrefix(media []byte, prefix string) bool {
	return len(media) >= len(prefix) && strings.EqualFold(string(media[:len(prefix)]), prefix)
}

const noCloudEvent = "the record is no CloudEvent: it has neither a header ce_specversion, nor the content-type " +
	cloudMedia + "+json, nor a value that is a json object with specversion"

// structured opens a value that is a CloudEvent in json, as a header declares or the value shows.
func (c *cloudEvents) structured(r *Record, in *inner, media []byte, declared bool) {
	text, mark := trimMark(r.Value)
	if i := space(text, 0); !declared && (i == len(text) || text[i] != '{') {
		in.wrong = Error{Envelope, -1, noCloudEvent}
		return
	}
	isObject := c.outer.read(text, c.fields)
	switch failed := c.outer.failed; {
	//mutation:envelope-unseen
	case !declared && c.fields[specField].from == 0:
		in.wrong = Error{Envelope, -1, noCloudEvent}
	case failed.Reason != OK:
		in.wrong = failed
		if rest := media[min(len(cloudMedia), len(media)):]; len(rest) > 0 && rest[0] == '+' &&
			!strings.EqualFold(string(rest[1:min(5, len(rest))]), "json") {
			in.wrong.Text += fmt.Sprintf("; the content-type is %s, and structured CloudEvents are read in json", media)
		}
	case !isObject:
		in.wrong = Error{Envelope, space(text, 0), "a CloudEvent is an object like {\"specversion\":\"1.0\",...}"}
	default:
		if c.take(in, text); in.wrong.Reason == OK {
			in.wrong = twice(c.fields)
		}
	}
	if in.record.Headers = nil; in.base >= 0 {
		in.base += mark
	}
	if in.wrong.Offset >= 0 && in.wrong.Reason != OK {
		in.wrong.Offset += mark
	}
}

// trimMark cuts a byte order mark off.
func trimMark(value []byte) (text []byte, mark int) {
	if len(value) >= len(byteOrderMark) && string(value[:len(byteOrderMark)]) == string(byteOrderMark) {
		mark = len(byteOrderMark)
	}
	return value[mark:], mark
}

// take takes what was found in a CloudEvent.
func (c *cloudEvents) take(in *inner, text []byte) {
	id, data, coded := &c.fields[idField], &c.fields[dataField], &c.fields[base64Field]
	hasData, isCoded := !c.outer.isNull(data), !c.outer.isNull(coded)
	fail := func(at int, what string) { in.wrong = Error{Envelope, at, what} }
	switch {
	case !c.outer.isNull(id) && text[id.from] != '"':
		fail(id.from, "the id of a CloudEvent is a string")
		return
	case hasData && isCoded:
		fail(coded.from, "the CloudEvent has both data and data_base64; send one of them")
		return
	case isCoded && text[coded.from] != '"':
		fail(coded.from, "data_base64 of a CloudEvent is a string")
		return
	}
	if !c.outer.isNull(id) && id.to-id.from > len(`""`) {
		in.id = outerID{text[id.from:id.to], true}
	}
	switch {
	//mutation:envelope-no-data
	case !hasData && !isCoded:
		in.empty = true
	case isCoded:
		c.decoded(in, coded)
	case c.options.Format == JSON:
		in.record.Value, in.base = text[data.from:data.to:data.to], data.from
	case c.options.HasSchema():
		fail(data.from, "the data are json, and --format is "+c.options.Format+", whose bytes are in data_base64")
	case text[data.from] != '"':
		fail(data.from, "the data are no string, and --format is "+c.options.Format+"; is it --format json?")
	default:
		c.unquoted(in, data)
	}
}

// unquoted takes data that are a text in a string.
func (c *cloudEvents) unquoted(in *inner, data *outerField) {
	content, _ := c.outer.str(data.from, &c.data)
	in.record.Value, in.base = content, data.from+1
	if len(content) != data.to-data.from-len(`""`) { // it had escapes
		in.base, in.borrowed = -1, true
	}
}

// decoded takes data that are bytes in base64.
func (c *cloudEvents) decoded(in *inner, coded *outerField) {
	content, _ := c.outer.str(coded.from, &c.outer.text)
	if n := base64.StdEncoding.DecodedLen(len(content)); cap(c.data) < n || c.data == nil {
		c.data = make([]byte, n+n/4)
	}
	c.data = c.data[:cap(c.data)]
	n, err := base64.StdEncoding.Decode(c.data, content)
	//mutation:envelope-base64
	if err != nil {
		in.wrong = Error{Envelope, coded.from, "data_base64 of the CloudEvent is no base64: " + err.Error()}
		return
	}
	in.record.Value, in.base, in.borrowed = c.data[:n:n], -1, true
}
