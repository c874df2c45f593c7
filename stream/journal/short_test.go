package journal_test

import (
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// TestShorten: the id and the key go, everything else stays.
func TestShorten(t *testing.T) {
	for value, want := range map[string]string{
		`{"id":"a\"},{\"b","prediction":1,"seq":4}`: `{"short":true,"prediction":1,"seq":4}`,
		`{"id":12.5,"prediction":1}`:                `{"short":true,"prediction":1}`,
		`{"prediction":1,"score":2}`:                `{"short":true,"prediction":1,"score":2}`,
	} {
		r := topics.Record{Key: []byte("k"), Value: []byte(value)}
		journal.Shorten(&r)
		if r.Key != nil || string(r.Value) != want || !journal.IsShort(r.Value) || journal.IsShort([]byte(value)) {
			t.Errorf("%s: %s", value, r.Value)
		}
	}
}
