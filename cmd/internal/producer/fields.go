package producer

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
)

// fields are those of an event that is changed before it is sent.
type fields interface {
	get(field string) []byte // as written; nil if the field is absent or null
	set(field, text string)  // adds the field if it is absent
	remove(field string)
	bytes() []byte
}

const blanks = " \t\r\n" // of json

// object is a json event. Its other fields stay as they are written.
type object []byte

func (o *object) bytes() []byte { return *o }

func (o *object) get(field string) []byte {
	m, ok := findMember(*o, field)
	if value := (*o)[m.value:m.end]; ok && string(value) != "null" {
		return value
	}
	return nil
}

func (o *object) set(field, text string) {
	value := event.AppendQuoted(nil, []byte(text))
	if m, ok := findMember(*o, field); ok {
		*o = slices.Replace(*o, m.value, m.end, value...)
		return
	}
	added := append(event.AppendQuoted(nil, []byte(field)), ':')
	added = append(added, value...)
	begin := bytes.IndexByte(*o, '{') + 1
	if rest := bytes.TrimLeft((*o)[begin:], blanks); len(rest) > 0 && rest[0] != '}' {
		added = append(added, ',')
	}
	*o = slices.Insert(*o, begin, added...)
}

func (o *object) remove(field string) {
	m, ok := findMember(*o, field)
	if !ok {
		return
	}
	if (*o)[m.begin] != ',' { // the first of its object takes the comma behind it along
		if rest := bytes.TrimLeft((*o)[m.end:], blanks); len(rest) > 0 && rest[0] == ',' {
			m.end = len(*o) - len(rest) + 1
		}
	}
	*o = slices.Delete(*o, m.begin, m.end)
}

// member is where a member of a json object stands: from its comma, if it has one before it, to its value's end.
type member struct{ begin, value, end int }

// findMember returns the member at a dotted path.
func findMember(object []byte, path string) (m member, ok bool) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return m, false
	}
	for d.More() {
		m.begin = int(d.InputOffset())
		t, err := d.Token()
		name, _ := t.(string)
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			break
		}
		m.end = int(d.InputOffset())
		m.value = m.end - len(value)
		if name == path {
			return m, true
		}
		if inner, nested := strings.CutPrefix(path, name+"."); nested {
			if in, ok := findMember(value, inner); ok {
				return member{m.value + in.begin, m.value + in.value, m.value + in.end}, true
			}
		}
	}
	return member{}, false
}

// row is an event of a table.
type row struct {
	table source.Table
	cells []string
}

func (r *row) at(field string) int {
	if at := slices.Index(r.table.Columns, field); at < len(r.cells) {
		return at
	}
	return -1
}

func (r *row) get(field string) []byte {
	if at := r.at(field); at >= 0 && strings.TrimSpace(r.cells[at]) != "" {
		return []byte(r.cells[at])
	}
	return nil
}

func (r *row) set(field, text string) {
	if at := slices.Index(r.table.Columns, field); at == len(r.cells) { // a column that the file lacks
		r.cells = append(r.cells, text)
	} else if at >= 0 && at < len(r.cells) {
		r.cells[at] = text
	}
}

func (r *row) remove(field string) {
	if at := r.at(field); at >= 0 {
		r.cells[at] = ""
	}
}

func (r *row) bytes() []byte { return r.table.AppendRow(nil, r.cells...) }
