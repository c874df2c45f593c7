package producer

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
)

// keyable returns an error unless events of a file have the key field.
func (s *Settings) keyable(format string, columns []string) error {
	switch {
	case s.Key == "" || format == event.JSON || format == event.Avro:
		return nil
	case columns == nil:
		return errors.New("key: events in " + format + " have no fields by name: want " + named())
	case !slices.Contains(columns, s.Key):
		return errors.New("key: the header names no column " + s.Key + ": want one of " + strings.Join(columns, ", "))
	}
	return nil
}

// named names the formats of which events have fields by name.
func named() string {
	names := []string{event.JSON, event.Avro}
	for _, f := range event.Formats() {
		if f.Cells != nil {
			names = append(names, f.Name)
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// keyOf returns a function that returns a value's key; nil without a key field.
func (s *Settings) keyOf(format string, t source.Table) func([]byte) []byte {
	if s.Key == "" {
		return nil
	}
	if f, _ := event.FindFormat(format); f.Cells != nil {
		at := slices.Index(t.Columns, s.Key)
		return func(value []byte) []byte {
			row, err := f.Cells(value, t.Dialect)
			if err != nil || at >= len(row) || row[at] == "" {
				return nil
			}
			return []byte(row[at])
		}
	}
	path := strings.Split(s.Key, ".")
	if t.Schema == "" {
		return func(value []byte) []byte { return jsonKey(value, path) }
	}
	o := event.Defaults(format)
	o.Schema = t.Schema
	d, err := event.New(o)
	return func(value []byte) []byte {
		if err != nil {
			return nil // what reads the events says what is wrong with the schema
		}
		form, _ := d.JSONForm(nil, &event.Record{Value: value})
		return jsonKey(form, path)
	}
}

// jsonKey returns the field at a path as a key: a string without its quotes, other values as written; nil if it is
// absent or null, or the value is no JSON.
func jsonKey(value []byte, path []string) []byte {
	for _, name := range path {
		var fields map[string]json.RawMessage
		if json.Unmarshal(value, &fields) != nil {
			return nil
		}
		value = fields[name]
	}
	var text string
	switch {
	case len(value) == 0 || string(value) == "null":
		return nil
	case json.Unmarshal(value, &text) == nil:
		return []byte(text)
	}
	return value
}
