package recordbatch

import (
	"encoding/binary"
	"testing"
)

// varints encodes numbers one after the other.
func varints(xs ...int64) []byte {
	var p []byte
	for _, x := range xs {
		p = binary.AppendVarint(p, x)
	}
	return p
}

// record encodes one record from the varints after its attributes.
func record(xs ...int64) []byte {
	body := append([]byte{0}, varints(xs...)...)
	return append(varints(int64(len(body))), body...)
}

// twoRecords frames records as a batch of two at offsets 0 to 9.
func twoRecords(records ...[]byte) []byte {
	p := make([]byte, HeaderSize)
	p[MagicAt] = magic
	be.PutUint32(p[LastDeltaAt:], 9)
	be.PutUint32(p[CountAt:], 2)
	for _, r := range records {
		p = append(p, r...)
	}
	return resum(p)
}

func TestRecordStructure(t *testing.T) {
	good := record(0, 0, -1, -1, 0) // timestamp and offset delta, null key, null value, no headers
	last := record(0, 9, -1, 0, 1, 0, -1)
	if n, err := decode(twoRecords(good, last)); n != 2 || err != nil {
		t.Fatalf("%d records, %v", n, err)
	}
	for _, c := range []struct {
		what   string
		second []byte
	}{
		{"no second record", nil},
		{"a length without an end", []byte{0x80}},
		{"a length of six bytes", []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0}},
		{"a negative length", varints(-1)},
		{"a length of 0", varints(0)},
		{"a length beyond the batch", append(varints(7), make([]byte, 6)...)},
		{"the greatest length", varints(1<<31 - 1)},
		{"attributes alone", []byte{2, 0}},
		{"a timestamp without an end", []byte{4, 0, 0x80}},
		{"a timestamp of 11 bytes", append(varints(12), 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
			1)},
		{"no offset", record(0)},
		{"the offset before", record(0, 0, -1, -1, 0)},
		{"a negative offset", record(0, -1, -1, -1, 0)},
		{"an offset beyond the last", record(0, 10, -1, -1, 0)},
		{"an offset of more than 32 bits", record(0, 1<<32+1, -1, -1, 0)},
		{"no key", record(0, 1)},
		{"a key of length -2", record(0, 1, -2, -1, 0)},
		{"a key beyond the record", record(0, 1, 3, -1, 0)},
		{"the longest key", record(0, 1, 1<<31-1, -1, 0)},
		{"no value", record(0, 1, -1)},
		{"a value of length -2", record(0, 1, -1, -2, 0)},
		{"a value beyond the record", record(0, 1, -1, 2, 0)},
		{"no header count", record(0, 1, -1, -1)},
		{"a negative header count", record(0, 1, -1, -1, -1)},
		{"a header too few", record(0, 1, -1, -1, 1)},
		{"far too few headers", record(0, 1, -1, -1, 1<<31-1, 0, 0)},
		{"a header with a null key", record(0, 1, -1, -1, 1, -1, -1)},
		{"a header without a value", record(0, 1, -1, -1, 1, 0)},
		{"a header value beyond the record", record(0, 1, -1, -1, 1, 0, 1)},
		{"bytes after the headers", record(0, 1, -1, -1, 0, 0)},
		{"bytes after the last record", append(record(0, 1, -1, -1, 0), 0)},
	} {
		n, err := decode(twoRecords(good, c.second))
		wantCorrupt(t, c.what, err, 0)
		if want := 1; n != want && c.what != "bytes after the last record" {
			t.Errorf("%s: %d records before the error", c.what, n)
		}
	}
}

func TestRecordsStayInError(t *testing.T) {
	b, _, err := Next(twoRecords(record(0, 0, -1, -1, 0)))
	if err != nil {
		t.Fatal(err)
	}
	var u Unpacker
	records, err := u.Open(&b)
	if err != nil {
		t.Fatal(err)
	}
	var r Record
	for i := range 4 {
		if got := records.Next(&r); got != (i == 0) {
			t.Fatalf("call %d: %v", i, got)
		}
	}
	wantCorrupt(t, "after the end", records.Err(), 0)
}

func TestParseHeaders(t *testing.T) {
	for _, c := range []struct {
		raw []byte
		n   int
	}{{nil, 0}, {varints(0), 0}, {varints(2, 0, -1, 0, 0), 2}} {
		h, err := ParseHeaders(c.raw)
		if err != nil || len(h) != c.n {
			t.Errorf("% x: %d headers, %v", c.raw, len(h), err)
		}
	}
	h, _ := ParseHeaders(varints(2, 0, -1, 0, 0))
	if h[0].Value != nil || h[1].Value == nil {
		t.Errorf("null and empty are mixed up: %v", h)
	}
	for _, raw := range [][]byte{{}, {0x80}, varints(-1), varints(1), varints(1, 0), varints(1<<31-1, 0, 0),
		varints(1, -1, 0), varints(1, 0, 0, 0)} {
		if h, err := ParseHeaders(raw); err == nil {
			t.Errorf("% x: %v", raw, h)
		}
	}
}

// TestRecordsDoNotOverlap appends to what a record holds and finds its neighbours unharmed.
func TestRecordsDoNotOverlap(t *testing.T) {
	var b Builder
	b.AppendHeaders(1, []byte("key"), []byte("value"), nil, []Header{{"h", []byte("v")}})
	b.Append(2, []byte("KEY"), []byte("VALUE"))
	_, records := readAll(t, seal(t, &b, None))
	_ = append(records[0].Key, "xxxxxx"...)
	_ = append(records[0].Value, "xxxxxx"...)
	_ = append(records[0].Headers, "xxxxxx"...)
	if string(records[0].Value) != "value" || string(records[1].Key) != "KEY" || string(records[1].Value) != "VALUE" {
		t.Error("an append reached into another record")
	}
}

func TestNextAllocatesNothing(t *testing.T) {
	out := seal(t, build(t, awkward()), None)
	var u Unpacker
	walk := func() {
		b, _, err := Next(out)
		if err != nil {
			t.Fatal(err)
		}
		records, err := u.Open(&b)
		if err != nil {
			t.Fatal(err)
		}
		var r Record
		for records.Next(&r) {
		}
		if records.Err() != nil {
			t.Fatal(records.Err())
		}
	}
	if n := testing.AllocsPerRun(20, walk); n != 0 {
		t.Errorf("%v allocations for a batch", n)
	}
}
