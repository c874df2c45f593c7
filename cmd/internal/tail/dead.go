package tail

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"rosenblatt/stream/journal"
)

// deadLetter is the JSON of one.
type deadLetter struct {
	Written   string `json:"written"`
	Record    string `json:"record"`
	Reason    string `json:"reason"`
	Error     string `json:"error"`
	Topic     string `json:"topic"` // of the rejected record, as are the following
	Partition int32  `json:"partition"`
	Offset    int64  `json:"offset"`
	Time      int64  `json:"time"`
	Key       *any   `json:"key,omitempty"`
	Value     *any   `json:"value,omitempty"`
	Omitted   string `json:"omitted,omitempty"` // what did not fit into the dead letter
	Model     string `json:"model"`
}

func (t *tail) deadLetterRow(r *record) *row {
	l, ok := journal.ParseDeadLetter(&r.Record)
	if !ok || l.Output != t.names.Output || !t.isModel(l.Model) {
		t.strangers++
		return nil
	}
	d := journal.DetailOf(&r.Record)
	if len(t.Reason) > 0 && !slices.Contains(t.Reason, d.Reason) {
		return nil
	}
	row := &row{of: r, cells: []string{timeText(r.Timestamp), d.Reason, l.Topic + " " + place(l.Partition, l.Offset),
		d.Error, valueText(r.Value, d.Omitted)}}
	if t.JSON {
		row.json, _ = json.Marshal(&deadLetter{timeText(r.Timestamp), place(r.partition, r.Offset), d.Reason, d.Error,
			l.Topic, l.Partition, l.Offset, d.Time, content(r.Key), content(r.Value), d.Omitted, l.Model})
	}
	return row
}

// content is bytes in JSON: a text, or {"base64":"..."} of what is none. Nil is a null of Kafka's, which is left out.
func content(b []byte) *any {
	var v any
	switch {
	case b == nil:
		return nil
	case utf8.Valid(b):
		v = string(b)
	default:
		v = struct {
			Base64 []byte `json:"base64"`
		}{b}
	}
	return &v
}

// mostValue is how much of a value a table shows.
const mostValue = 200

// valueText is a value for people.
func valueText(b []byte, omitted string) string {
	switch {
	case omitted != "":
		return "(omitted: " + omitted + ")"
	case b == nil:
		return "(null)"
	case !utf8.Valid(b):
		return "(" + bytesText(len(b)) + ")"
	case len(b) > mostValue:
		cut := mostValue
		for !utf8.RuneStart(b[cut]) {
			cut--
		}
		return string(b[:cut]) + "… (" + bytesText(len(b)) + ")"
	}
	return string(b)
}
