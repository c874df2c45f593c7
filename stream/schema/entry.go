package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
)

// Entry is an id and its schema. Several ids may have the same.
type Entry struct {
	ID     ID
	Schema *Schema
	From   *From // where the text is not the first one of the id; else nil
}

// Key tells apart what entries are about. Of two with one key the later one counts.
type Key struct {
	ID     ID
	Number int // of From
}

// Key returns what the entry is about.
func (e Entry) Key() Key { return Key{e.ID, e.From.number()} }

// Is reports whether two entries say the same.
func (e Entry) Is(other Entry) bool {
	return e.ID == other.ID && reflect.DeepEqual(e.Schema, other.Schema) && reflect.DeepEqual(e.From, other.From)
}

// saved is an entry as it is saved.
type saved struct {
	ID string `json:"id"`
	*Schema
	From *From `json:"from,omitempty"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendLine appends an entry as a line: its checksum, a blank and JSON.
func (e Entry) AppendLine(dst []byte) ([]byte, error) {
	text, err := json.Marshal(saved{e.ID.String(), e.Schema, e.From})
	if err != nil {
		return dst, err
	}
	dst = fmt.Appendf(dst, "%08x ", crc32.Checksum(text, castagnoli))
	return append(append(dst, text...), '\n'), nil
}

// ParseLine reads a line of AppendLine, with or without its end.
func ParseLine(line []byte) (e Entry, err error) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if len(line) < 10 || line[8] != ' ' {
		return e, errors.New("it does not begin with a checksum")
	}
	//mutation:schema-sum
	if string(line[:8]) != fmt.Sprintf("%08x", crc32.Checksum(line[9:], castagnoli)) {
		return e, errors.New("its checksum does not fit")
	}
	var s saved
	if err := json.Unmarshal(line[9:], &s); err != nil {
		return e, err
	}
	if s.Schema == nil || s.Type == "" {
		return e, errors.New("it has no schema")
	}
	if s.From != nil && s.From.Number < 1 {
		return e, errors.New("it is another text of an id, and has no number")
	}
	e.Schema, e.From = s.Schema, s.From
	e.ID, err = ParseID(s.ID)
	return e, err
}
