package journal

import (
	"bytes"
	"encoding/json"

	"rosenblatt/stream/topics"
)

var (
	idField   = []byte(`{"id":`)
	shortMark = []byte(`{"short":true,`)
)

// Shorten makes a prediction smaller that the broker refuses alone: it has been learned, and others after it may be
// published. It leaves out the key and the id, and says so.
func Shorten(r *topics.Record) {
	rest := r.Value[1:]
	if after, ok := bytes.CutPrefix(r.Value, idField); ok {
		d := json.NewDecoder(bytes.NewReader(after))
		var id json.RawMessage
		if d.Decode(&id) == nil {
			rest = after[d.InputOffset()+1:] // behind the comma
		}
	}
	r.Key, r.Value = nil, append(bytes.Clone(shortMark), rest...)
}

// IsShort reports whether a prediction was made smaller.
func IsShort(value []byte) bool { return bytes.HasPrefix(value, shortMark) }
