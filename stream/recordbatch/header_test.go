package recordbatch

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLastHeaders compares the reading of several keys with that of each, on headers that are whole and cut off.
func TestLastHeaders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	keys := []string{"content-type", "ce_id", "", strings.Repeat("k", 70)}
	names := append([]string{"ce_ix", strings.Repeat("k", 69), "x"}, keys...)
	for range 2000 {
		headers := make([]Header, r.IntN(6))
		for i := range headers {
			headers[i].Key = names[r.IntN(len(names))]
			if n := r.IntN(80); n > 0 {
				headers[i].Value = bytes.Repeat([]byte{byte(i)}, n-1)
			}
		}
		raw := AppendHeaders(nil, headers)
		raw = raw[:max(1, len(raw)-max(0, r.IntN(60)-30))]
		got := make([][]byte, len(keys))
		LastHeaders(raw, keys, got)
		for i, key := range keys {
			want, _ := LastHeader(raw, key)
			if !bytes.Equal(got[i], want) || (got[i] == nil) != (want == nil) || cap(got[i]) != len(got[i]) {
				t.Fatalf("%q of %q: %q, want %q", key, raw, got[i], want)
			}
		}
	}
}

// BenchmarkLastHeaders reads those of a CloudEvent in binary mode.
func BenchmarkLastHeaders(b *testing.B) {
	raw := AppendHeaders(nil, []Header{{"ce_specversion", []byte("1.0")}, {"ce_id", []byte("c17")},
		{"ce_source", []byte("/shop")}, {"ce_type", []byte("order.placed")},
		{"ce_time", []byte("2026-11-26T22:05:00Z")}, {"content-type", []byte("application/json")}})
	keys := []string{"content-type", "ce_specversion", "ce_id"}
	var values [3][]byte
	for b.Loop() {
		LastHeaders(raw, keys, values[:])
	}
	if values[0] == nil {
		b.Fatal("no header")
	}
}
