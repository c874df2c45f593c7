package event

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"rosenblatt/learner"
)

// The oracle of envelopes: encoding/json reads them into trees, and the event within is written as text again, for the
// decoder without an envelope. It shares no code with what opens envelopes.

// header returns the headers of a record, by key and value in turn.
func header(all ...string) []byte {
	raw := binary.AppendVarint(nil, int64(len(all)/2))
	for _, text := range all {
		raw = append(binary.AppendVarint(raw, int64(len(text))), text...)
	}
	return raw
}

// opened is what an envelope has: an event, or else a tombstone or the reasons of which one must be given.
type opened struct {
	event     []byte
	headers   []byte
	tombstone bool
	reasons   []Reason
	id        string
}

// outerTree reads the text of an envelope.
func outerTree(o Options, value []byte) (tree *node, reasons []Reason) {
	marked := len(value)
	value = bytes.TrimPrefix(value, byteOrderMark)
	if len(value) == 0 && marked > 0 {
		return nil, []Reason{Empty, Syntax}
	}
	if o.AbsentNaN && utf8.Valid(value) {
		value = absentNumbers.ReplaceAllFunc(value, func(found []byte) []byte {
			if found[0] == '"' {
				return found
			}
			return []byte(" " + absentNumber + " ")
		})
	}
	switch {
	case !utf8.Valid(value) || halves(value):
		return nil, []Reason{Encoding}
	case !json.Valid(value):
		return nil, []Reason{Syntax}
	}
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	tree, _ = readNode(d)
	return tree, nil
}

// field returns the first value of a field, and how many there are.
func (n *node) field(name string) (value *node, count int) {
	if n == nil {
		return nil, 0
	}
	for _, m := range n.members {
		if n.object && m.key == name {
			if count++; count == 1 {
				value = m.value
			}
		}
	}
	return value, count
}

func (n *node) isNull() bool { return n == nil || n.scalar == nil && !n.object && !n.array && !n.nan }

// write writes a tree as JSON.
func (n *node) write(to *bytes.Buffer) {
	switch {
	case n.nan:
		to.WriteString("NaN")
	case n.object || n.array:
		to.WriteByte("[{"[min(1, len(n.kind()))])
		for i, m := range n.members {
			if i > 0 {
				to.WriteByte(',')
			}
			if n.object {
				key, _ := json.Marshal(m.key)
				to.Write(append(key, ':'))
			}
			m.value.write(to)
		}
		to.WriteByte("]}"[min(1, len(n.kind()))])
	default:
		if s, ok := n.scalar.(string); ok {
			to.Write(AppendQuoted(nil, []byte(s)))
			return
		}
		text, _ := json.Marshal(n.scalar)
		to.Write(text)
	}
}

func (n *node) kind() string {
	if n.object {
		return "object"
	}
	return ""
}

func (n *node) text() []byte {
	var b bytes.Buffer
	n.write(&b)
	return b.Bytes()
}

// openCloud is the oracle of CloudEvents.
func openCloud(o Options, kind, version, id, headers string, value []byte) (out opened) {
	if kind != "" && strings.HasPrefix(strings.ToLower(kind), "application/cloudevents-batch") {
		return opened{reasons: []Reason{Envelope}}
	}
	declared := strings.HasPrefix(strings.ToLower(kind), "application/cloudevents")
	if !declared && version != "" {
		return opened{event: value, headers: []byte(headers), id: id, tombstone: len(value) == 0}
	}
	if len(value) == 0 {
		return opened{reasons: []Reason{Empty}}
	}
	tree, reasons := outerTree(o, value)
	if !declared && (tree == nil || !tree.object) {
		if bytes.Contains(value, []byte("specversion")) {
			reasons = append(reasons, Envelope) // was it met before what is wrong?
		} else {
			reasons = []Reason{Envelope}
		}
		return opened{reasons: append(reasons, Envelope)}
	}
	if tree == nil {
		return opened{reasons: reasons}
	}
	_, versions := tree.field("specversion")
	ids, idCount := tree.field("id")
	data, datas := tree.field("data")
	coded, codeds := tree.field("data_base64")
	hasID, isID := !ids.isNull(), false
	if hasID {
		out.id, isID = ids.scalar.(string)
	}
	switch text, isText := "", false; {
	case !tree.object, !declared && versions == 0, hasID && !isID, !data.isNull() && !coded.isNull():
		return opened{reasons: []Reason{Envelope}}
	case !coded.isNull():
		text, isText = coded.scalar.(string)
		raw, err := base64.StdEncoding.DecodeString(text)
		if !isText || err != nil {
			return opened{reasons: []Reason{Envelope}}
		}
		out.event = raw
	case data.isNull():
		out.tombstone = true
	case o.Format == JSON:
		out.event = data.text()
	default:
		text, isText = data.scalar.(string)
		if !isText || o.HasSchema() {
			return opened{reasons: []Reason{Envelope}}
		}
		out.event = []byte(text)
	}
	if max(versions, idCount, datas, codeds) > 1 {
		return opened{reasons: []Reason{DuplicateField}}
	}
	return out
}

// openDebezium is the oracle of Debezium in json.
func openDebezium(o Options, value []byte) opened {
	tree, reasons := outerTree(o, value)
	if tree == nil {
		return opened{reasons: reasons}
	}
	if tree.isNull() {
		return opened{tombstone: true}
	}
	at, types := tree, (*node)(nil)
	if _, n := tree.field("op"); n == 0 {
		payload, n := tree.field("payload")
		switch {
		case n > 0 && payload.isNull():
			at = nil
		default:
			at = payload
			types, _ = tree.field("schema")
		}
		if n == 0 {
			return opened{reasons: []Reason{Envelope}}
		}
	}
	gone := at == nil
	after, _ := at.field("after")
	if !gone {
		op, _ := at.field("op")
		name := ""
		if op != nil {
			name, _ = op.scalar.(string)
		}
		gone = name != "" && strings.Contains("dtm", name) && len(name) == 1
		if !gone && (name == "" || len(name) != 1 || !strings.Contains("cur", name) || after == nil || !after.object) {
			return opened{reasons: []Reason{Envelope}}
		}
	}
	for _, of := range []*node{tree, at} {
		for _, name := range []string{"op", "after"} {
			if _, n := of.field(name); n > 1 {
				return opened{reasons: []Reason{DuplicateField}}
			}
		}
	}
	for _, name := range []string{"payload", "schema"} {
		if _, n := tree.field(name); n > 1 {
			return opened{reasons: []Reason{DuplicateField}}
		}
	}
	if gone {
		return opened{tombstone: true}
	}
	row, wrong := rowOracle(after, afterType(types))
	if wrong {
		return opened{reasons: []Reason{Envelope}}
	}
	return opened{event: row.text()}
}

// agreeOpened compares a decoder of envelopes with one of events.
func agreeOpened(t *testing.T, enveloped, plain *Decoder, r *Record, want opened) {
	t.Helper()
	before := []learner.Feature{{Slot: 1, Value: 2}}
	var e, w Example
	arena := enveloped.Decode(r, before, &e)
	fail := func(what string) {
		t.Fatalf("%q of %q, %+v: %s\nopened %q %+v\ngot %q %s %+v", r.Value, r.Headers, enveloped.options, what,
			want.event, want, e.reason(), e.text(), e)
	}
	switch {
	case len(r.Value) > plain.options.MaxBytes:
		want = opened{reasons: []Reason{TooLarge}}
	case want.tombstone && plain.options.Tombstones == SkipTombstones:
		if !e.Skip || len(arena) != 1 {
			fail("want it skipped")
		}
		return
	case want.tombstone:
		want.reasons = []Reason{Empty}
	}
	if want.reasons != nil {
		if !slices.Contains(want.reasons, e.reason()) || len(arena) != 1 || e.text() == "" {
			fail("another reason")
		}
		return
	}
	forget(plain)
	features := plain.Decode(&Record{Key: r.Key, Value: want.event, Headers: want.headers}, before, &w)
	if e.reason() != w.reason() || e.Skip != w.Skip {
		fail("reason: want " + w.reason().String() + " " + w.text())
	}
	if w.ID == nil && want.id != "" {
		w.ID = []byte(want.id)
	}
	same := func(a, b learner.Feature) bool {
		return a.Slot == b.Slot && a.Print == b.Print && a.Kind == b.Kind && a.Value == b.Value
	}
	if !slices.EqualFunc(arena, features, same) || e.Label != w.Label || e.Family != w.Family ||
		e.Weight != w.Weight || !bytes.Equal(e.Class, w.Class) {
		fail("another example")
	}
	if e.Rejected == nil && !e.Skip && (e.ID == nil != (w.ID == nil) ||
		e.ID != nil && string(AppendIDKey(nil, &e)) != string(AppendIDKey(nil, &w))) {
		fail("another id, want " + string(w.ID))
	}
}
