package recordbatch

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var codecs = []Codec{None, Gzip, Snappy, LZ4, Zstd}

// entry is a record to write, with its headers in both forms.
type entry struct {
	time       int64
	key, value []byte
	raw        []byte
	extra      []Header
}

// awkward returns records with null, empty and long keys, values and headers, and timestamps in both directions.
func awkward() []entry {
	rng := rand.New(rand.NewPCG(1, 2))
	blob := func(n int) []byte {
		p := make([]byte, n)
		for i := range p {
			p[i] = byte(rng.Uint32())
		}
		return p
	}
	var other Builder
	other.AppendHeaders(0, nil, nil, nil, []Header{{"h", nil}, {"", []byte{}}, {"k", []byte("v")}})
	raw := other.records().rest[6:]
	return []entry{
		{1_700_000_000_000, nil, nil, nil, nil},
		{1_700_000_000_001, []byte{}, []byte{}, nil, nil},
		{1_699_999_999_000, []byte("k"), nil, nil, []Header{{"a", []byte("1")}}},
		{-1, nil, []byte("v"), raw, nil},
		{math.MaxInt64, blob(62), blob(63), raw,
			[]Header{{"x", blob(64)}, {"long" + string(bytes.Repeat([]byte{'k'}, 200)), nil}}},
		{math.MinInt64, blob(64), blob(8191), nil, nil},
		{0, blob(8192), blob(100_000), []byte{0}, nil},
		{1_700_000_000_000, bytes.Repeat([]byte("key"), 1000), bytes.Repeat([]byte("value"), 60_000), nil, nil},
	}
}

func build(t testing.TB, entries []entry) *Builder {
	t.Helper()
	b := &Builder{Limit: math.MaxInt32}
	for i, e := range entries {
		if !b.AppendHeaders(e.time, e.key, e.value, e.raw, e.extra) {
			t.Fatalf("record %d was refused", i)
		}
	}
	return b
}

func seal(t testing.TB, b *Builder, codec Codec) []byte {
	t.Helper()
	out, err := b.Seal(7, 3, 11, codec)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(out)
}

// readAll reads one batch that must be whole and right.
func readAll(t testing.TB, buf []byte) (Batch, []Record) {
	t.Helper()
	b, rest, err := Next(buf)
	if err != nil || len(rest) != 0 {
		t.Fatalf("Next: %v, %d bytes left", err, len(rest))
	}
	var u Unpacker
	records, err := u.Open(&b)
	if err != nil {
		t.Fatal(err)
	}
	var all []Record
	var r Record
	for records.Next(&r) {
		all = append(all, r)
	}
	if err := records.Err(); err != nil {
		t.Fatal(err)
	}
	return b, all
}

func equalNull(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// wantHeaders returns what the headers of e must parse to.
func wantHeaders(t testing.TB, e entry) []Header {
	t.Helper()
	h, err := ParseHeaders(e.raw)
	if err != nil {
		t.Fatal(err)
	}
	return append(h, e.extra...)
}

func checkRecord(t testing.TB, got Record, e entry, offset int64) {
	t.Helper()
	if got.Offset != offset || got.Timestamp != e.time || !equalNull(got.Key, e.key) || !equalNull(got.Value, e.value) {
		t.Fatalf("offset %d: got offset %d, time %d, key %.20q, value %.20q; want %d, %.20q, %.20q",
			offset, got.Offset, got.Timestamp, got.Key, got.Value, e.time, e.key, e.value)
	}
	headers, err := ParseHeaders(got.Headers)
	if err != nil {
		t.Fatal(err)
	}
	want := wantHeaders(t, e)
	if len(headers) != len(want) || (len(want) == 0) != (got.Headers == nil) {
		t.Fatalf("offset %d: headers %q, want %q", offset, headers, want)
	}
	for i, h := range headers {
		if h.Key != want[i].Key || !equalNull(h.Value, want[i].Value) {
			t.Fatalf("offset %d: header %q, want %q", offset, h, want[i])
		}
	}
}

func TestRoundTrip(t *testing.T) {
	entries := awkward()
	b := build(t, entries)
	for _, codec := range codecs {
		t.Run(codec.String(), func(t *testing.T) {
			batch, records := readAll(t, seal(t, b, codec))
			if batch.Codec != codec || batch.BaseOffset != 0 || batch.LastOffset != int64(len(entries)-1) ||
				batch.Count != len(entries) {
				t.Errorf("batch %+v", headerOf(batch))
			}
			if batch.ProducerID != 7 || batch.Epoch != 3 || batch.Sequence != 11 || batch.Control ||
				batch.Transactional || batch.LogAppendTime {
				t.Errorf("batch %+v", headerOf(batch))
			}
			if batch.FirstTimestamp != entries[0].time || batch.MaxTimestamp != math.MaxInt64 {
				t.Errorf("timestamps %d and %d", batch.FirstTimestamp, batch.MaxTimestamp)
			}
			if len(records) != len(entries) {
				t.Fatalf("%d records of %d", len(records), len(entries))
			}
			for i, r := range records {
				checkRecord(t, r, entries[i], int64(i))
			}
		})
	}
}

func TestSealAgainGivesTheSameBytes(t *testing.T) {
	b := build(t, awkward())
	for _, codec := range codecs {
		first := seal(t, b, codec)
		for _, other := range codecs {
			seal(t, b, other)
		}
		if !bytes.Equal(first, seal(t, b, codec)) {
			t.Errorf("%v: other bytes the second time", codec)
		}
		fresh := seal(t, build(t, awkward()), codec)
		if !bytes.Equal(first, fresh) {
			t.Errorf("%v: other bytes from a fresh Builder", codec)
		}
	}
}

func TestSealAfterAppendHoldsTheNewRecord(t *testing.T) {
	for _, codec := range codecs {
		var b Builder
		b.Append(1, nil, []byte("a"))
		seal(t, &b, codec)
		b.Append(2, nil, []byte("b"))
		if _, records := readAll(t, seal(t, &b, codec)); len(records) != 2 || string(records[1].Value) != "b" {
			t.Errorf("%v: %d records after an append", codec, len(records))
		}
		b.Reset()
		b.Append(3, nil, []byte("c"))
		if _, records := readAll(t, seal(t, &b, codec)); len(records) != 1 || records[0].Timestamp != 3 {
			t.Errorf("%v: %d records after a reset", codec, len(records))
		}
	}
}

func TestUnsequenced(t *testing.T) {
	var b Builder
	b.Append(1, nil, []byte("v"))
	out, err := b.Seal(Unsequenced, Unsequenced, Unsequenced, None)
	if err != nil {
		t.Fatal(err)
	}
	batch, _ := readAll(t, out)
	if batch.ProducerID != -1 || batch.Epoch != -1 || batch.Sequence != -1 {
		t.Errorf("batch %+v", headerOf(batch))
	}
}

func TestSealErrors(t *testing.T) {
	var b Builder
	if _, err := b.Seal(1, 1, 1, None); !errors.Is(err, ErrEmpty) {
		t.Errorf("an empty batch: %v", err)
	}
	b.Append(1, nil, nil)
	for _, codec := range []Codec{-1, 5} {
		if _, err := b.Seal(1, 1, 1, codec); err == nil {
			t.Errorf("%v was accepted", codec)
		}
	}
}

func TestParseCodec(t *testing.T) {
	for i, c := range codecs {
		if got, err := ParseCodec(c.String()); got != c || err != nil || int(c) != i {
			t.Errorf("%v: %v, %v", c, got, err)
		}
	}
	for _, name := range []string{"", "GZIP", "brotli", "codec(5)"} {
		if _, err := ParseCodec(name); err == nil {
			t.Errorf("%q was accepted", name)
		}
	}
	if got := fmt.Sprint(Codec(5), Codec(-1)); got != "codec(5) codec(-1)" {
		t.Error(got)
	}
}

// headerOf leaves the records out, for messages.
func headerOf(b Batch) Batch {
	b.records = nil
	return b
}
