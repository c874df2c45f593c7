package producer

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
)

// Splitter changes events before they are sent: it gives them ids, and takes their labels to send them later.
type Splitter struct {
	settings *Settings
	open     func(value []byte) fields // nil of a malformed event
	json     bool
	dialect  event.Dialect // of a table
	fate     *fate         // nil if labels stay
}

// Splitter returns nil if events are sent as they are. It adds the column of ids to a table that lacks it.
func (s *Settings) Splitter(format string, t *source.Table) (*Splitter, error) {
	if s.IDPrefix == "" && s.Out == "" {
		return nil, nil
	}
	f, _ := event.FindFormat(format)
	if format != event.JSON && f.Cells == nil {
		return nil, fmt.Errorf("labels-out, id-prefix: events in %s are sent as they are: want json or a table "+
			"such as csv", format)
	}
	w := &Splitter{settings: s, json: f.Cells == nil, open: openObject}
	if !w.json {
		if s.IDPrefix != "" && !slices.Contains(t.Columns, s.IDField) {
			t.Columns = append(t.Columns, s.IDField)
		}
		table := *t
		w.dialect = table.Dialect
		w.open = func(value []byte) fields {
			cells, err := f.Cells(value, table.Dialect)
			if err != nil {
				return nil
			}
			return &row{table, cells}
		}
	}
	if s.Out == "" {
		return w, nil
	}
	for _, field := range [][2]string{{"id-field", s.IDField}, {"label-field", s.LabelField}} {
		if !w.json && !slices.Contains(t.Columns, field[1]) {
			return nil, fmt.Errorf("%s: the header names no column %s: want one of %s", field[0], field[1],
				strings.Join(t.Columns, ", "))
		}
	}
	var err error
	w.fate, err = s.fate(s.Seed)
	return w, err
}

func openObject(value []byte) fields {
	if begin := bytes.TrimLeft(value, blanks); len(begin) == 0 || begin[0] != '{' {
		return nil
	}
	o := object(value)
	return &o
}

// Split returns event n, from 0 up, without its label, and the label records that follow it. The value stays as it is.
func (w *Splitter) Split(n int64, value []byte) (event []byte, labels []LabelRecord) {
	e := outgoing{value: bytes.Clone(value)}
	w.identify(n, &e)
	w.takeLabel(&e)
	return e.value, e.labels
}

// identify gives event n, from 0 up, an id of its own.
func (w *Splitter) identify(n int64, e *outgoing) {
	if w.settings.IDPrefix == "" {
		return
	}
	if f := w.open(e.value); f != nil {
		f.set(w.settings.IDField, w.settings.IDPrefix+strconv.FormatInt(n, 10))
		e.value = f.bytes()
	}
}

// takeLabel takes the label out of an event and plans when it is sent. An event without an id or a label is sent as it
// is.
func (w *Splitter) takeLabel(e *outgoing) {
	if w.fate == nil {
		return
	}
	var id, label []byte
	f := w.open(e.value)
	if f != nil {
		id, label = bytes.Clone(f.get(w.settings.IDField)), bytes.Clone(f.get(w.settings.LabelField))
	}
	if id == nil || label == nil {
		e.bare = true
		return
	}
	f.remove(w.settings.LabelField)
	e.value = f.bytes()
	w.fate.plan(e, LabelRecord{Key: e.key, Value: w.record(id, label)}, w.orphan(e.key, id, label))
}

// flags are those that run needs for the labels of a table.
func (w *Splitter) flags() string {
	if w == nil || w.fate == nil {
		return ""
	}
	s := w.settings
	if w.json {
		return " --labels " + s.Out
	}
	return fmt.Sprintf(" --labels %s --labels-columns %s", s.Out, cli.Argument(s.IDField, s.LabelField))
}

// record makes a label record, in the format of the events.
func (w *Splitter) record(id, label []byte) []byte {
	if !w.json {
		return w.dialect.AppendRow(nil, string(id), string(label))
	}
	b := append(event.AppendQuoted([]byte("{"), []byte(w.settings.IDField)), ':')
	b = append(append(b, id...), ',')
	b = append(event.AppendQuoted(b, []byte(w.settings.LabelField)), ':')
	return append(append(b, label...), '}')
}

// orphan makes a label record of no event.
func (w *Splitter) orphan(key, id, label []byte) LabelRecord {
	const other = "-none"
	if key != nil {
		key = append(bytes.Clone(key), other...)
	}
	text := strings.Trim(string(id), `"`) + other
	if w.json {
		text = `"` + text + `"`
	}
	return LabelRecord{Key: key, Value: w.record([]byte(text), label)}
}
