package schema_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/schema"
)

// headers are headers as on the wire: keys and values in turn.
func headers(pairs ...string) []byte {
	raw := binary.AppendVarint(nil, int64(len(pairs)/2))
	for _, text := range pairs {
		raw = append(binary.AppendVarint(raw, int64(len(text))), text...)
	}
	return raw
}

const (
	guidText  = "00112233-4455-6677-8899-aabbccddeeff"
	guidBytes = "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"
)

func TestFrame(t *testing.T) {
	for _, c := range []struct {
		what     string
		protobuf bool
		header   []byte
		value    string
		id       string // empty: the frame is wrong
		bytes    int
		indexes  []int64
		wrong    string // a part of the error
	}{
		// 1: the header
		{what: "an id in the header", header: headers(schema.Header, "\x00\x00\x00\x00\x07"), value: "data", id: "7"},
		{what: "a GUID in the header", header: headers(schema.Header, "\x01"+guidBytes), value: "data", id: guidText},
		{what: "the header counts, not the value", header: headers(schema.Header, "\x00\x00\x00\x00\x07"),
			value: "\x00\x00\x00\x00\x08data", id: "7"},
		{what: "the last header counts", value: "data", id: "9", header: headers(schema.Header, "\x00\x00\x00\x00\x07",
			"other", "x", schema.Header, "\x00\x00\x00\x00\x09", "__key_schema_id", "\x00\x00\x00\x00\x01")},
		{what: "indexes in the header", protobuf: true, header: headers(schema.Header, "\x01"+guidBytes+"\x04\x02\x00"),
			value: "data", id: guidText, indexes: []int64{1, 0}},
		{what: "no indexes in the header", protobuf: true, header: headers(schema.Header, "\x00\x00\x00\x00\x07"),
			value: "\x00data", wrong: "cut off"},
		{what: "more than an id in the header", header: headers(schema.Header, "\x00\x00\x00\x00\x07\x00"),
			value: "data", wrong: "has 6 bytes"},
		{what: "less than an id in the header", header: headers(schema.Header, "\x00\x00\x00\x07"), value: "data",
			wrong: "has 4 bytes"},
		{what: "text in the header", header: headers(schema.Header, "7"), value: "\x00\x00\x00\x00\x08data",
			wrong: "has 1 bytes"},
		{what: "an empty header", header: headers(schema.Header, ""), value: "\x00\x00\x00\x00\x08data",
			wrong: "has 0 bytes"},
		{what: "a null header", header: append(binary.AppendVarint([]byte{2, 34}, 0)[:2], schema.Header+"\x01"...),
			value: "\x00\x00\x00\x00\x08data", wrong: "has 0 bytes"},
		{what: "another header", header: headers("__key_schema_id", "\x00\x00\x00\x00\x07", "__VALUE_SCHEMA_ID", "x"),
			value: "\x00\x00\x00\x00\x08data", id: "8", bytes: 5},
		// 2: the value
		{what: "an id", value: "\x00\x00\x01\x00\x02data", id: "65538", bytes: 5},
		{what: "an id is unsigned", value: "\x00\xff\xff\xff\xffdata", id: "4294967295", bytes: 5},
		{what: "id 0", value: "\x00\x00\x00\x00\x00data", id: "0", bytes: 5},
		{what: "an id without data", value: "\x00\x00\x00\x00\x01", id: "1", bytes: 5},
		{what: "a GUID", value: "\x01" + guidBytes + "data", id: guidText, bytes: 17},
		{what: "indexes", protobuf: true, value: "\x00\x00\x00\x00\x01\x06\x02\x00\x04data", id: "1", bytes: 9,
			indexes: []int64{1, 0, 2}},
		{what: "no data behind indexes", protobuf: true, value: "\x00\x00\x00\x00\x01\x00", id: "1", bytes: 6,
			indexes: []int64{0}},
		// 3: indexes
		{what: "the first message", protobuf: true, value: "\x00\x00\x00\x00\x01\x00data", id: "1", bytes: 6,
			indexes: []int64{0}},
		{what: "the first message, in full", protobuf: true, value: "\x00\x00\x00\x00\x01\x02\x00data", id: "1",
			bytes: 7, indexes: []int64{0}},
		{what: "an index of two bytes", protobuf: true, value: "\x00\x00\x00\x00\x01\x02\x80\x02data", id: "1",
			bytes: 8, indexes: []int64{128}},
		{what: "32 indexes", protobuf: true, value: "\x00\x00\x00\x00\x01\x40" + strings.Repeat("\x02", 32), id: "1",
			bytes: 38, indexes: slices.Repeat([]int64{1}, 32)},
		{what: "33 indexes", protobuf: true, value: "\x00\x00\x00\x00\x01\x42" + strings.Repeat("\x02", 33),
			wrong: "33 message indexes"},
		{what: "a negative count", protobuf: true, value: "\x00\x00\x00\x00\x01\x01data", wrong: "-1 message indexes"},
		{what: "a negative index", protobuf: true, value: "\x00\x00\x00\x00\x01\x02\x01data", wrong: "index is -1"},
		{what: "a message where its place should be", protobuf: true, value: "\x00\x00\x00\x00\x01\x0a\x02e0\x10\x01",
			wrong: "does the writer leave the place of the message out"},
		{what: "no indexes", protobuf: true, value: "\x00\x00\x00\x00\x01", wrong: "cut off"},
		{what: "an index too few", protobuf: true, value: "\x00\x00\x00\x00\x01\x04\x02", wrong: "cut off"},
		{what: "a number without an end", protobuf: true, value: "\x00\x00\x00\x00\x01" + strings.Repeat("\x80", 20),
			wrong: "cut off"},
		// 4: what else it looks like
		{what: "no bytes", value: "", wrong: "--schema"},
		{what: "four bytes", value: "\x00\x00\x00\x07", wrong: "--schema"},
		{what: "a GUID that is cut off", value: "\x01" + guidBytes[:15], wrong: "--schema"},
		{what: "a bare value", value: "\x02\x06abc", wrong: "--schema"},
		{what: "AWS Glue", value: "\x03\x00" + guidBytes + "data", wrong: "AWS Glue"},
		{what: "AWS Glue, compressed", value: "\x03\x05" + guidBytes, wrong: "AWS Glue"},
		{what: "AWS Glue, too short", value: "\x03\x05" + guidBytes[:15], wrong: "--schema"},
		{what: "an Avro file", value: "Obj\x01\x04\x14avro.codec", wrong: "Avro file"},
		{what: "single-object", value: "\xc3\x01\x00\x01\x02\x03\x04\x05\x06\x07", wrong: "single-object"},
		{what: "json", value: " {\"a\":1}", wrong: "--format json"},
		{what: "an id of eight bytes", protobuf: true, value: "\x00\x00\x00\x00\x00\x7f\x00\x00\x07data",
			wrong: "eight bytes"},
	} {
		f := schema.Frame{Indexes: []int64{5, 6, 7}}
		wrong := f.Read(&recordbatch.Record{Value: []byte(c.value), Headers: c.header}, c.protobuf)
		if c.wrong != "" {
			if !strings.Contains(wrong, c.wrong) {
				t.Errorf("%s: %q, not %q", c.what, wrong, c.wrong)
			}
			continue
		}
		if wrong != "" || f.ID.String() != c.id || f.Bytes != c.bytes || f.InHeader != (c.bytes == 0) ||
			!slices.Equal(f.Indexes, c.indexes) {
			t.Errorf("%s: %v %+v %q", c.what, f.ID, f, wrong)
		}
		if id, err := schema.ParseID(c.id); err != nil || id != f.ID {
			t.Errorf("%s: %v, %v", c.what, id, err)
		}
	}
}

// TestHint: id 0 is an id like any other, but what looks like an id of eight bytes is said where id 0 is not known.
func TestHint(t *testing.T) {
	for value, hint := range map[string]bool{
		"\x00\x00\x00\x00\x00\x00\x00\x00\x07data": true,
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00data": false,
		"\x00\x00\x00\x00\x01\x00\x00\x00\x07data": false,
		"\x00\x00\x00\x00\x00\x00\x00\x07":         false,
	} {
		var f schema.Frame
		r := recordbatch.Record{Value: []byte(value)}
		if wrong := f.Read(&r, false); wrong != "" || f.Hint(r.Value) != "" != hint {
			t.Errorf("%q: %q, %q", value, wrong, f.Hint(r.Value))
		}
	}
}

func TestJSONFrame(t *testing.T) {
	for value, n := range map[string]int{
		"\x00\x00\x00\x00\x07{\"a\":1}":            5,
		"\x00\x00\x00\x00\x07 \t\r\n{":             5,
		"\x01" + guidBytes + "{}":                  17,
		"\x00{{{{{":                                5, // an id may have any bytes
		"{\"a\":1}":                                0,
		"\x00\x00\x00\x00\x07[1]":                  0,
		"\x00\x00\x00\x00\x07":                     0,
		"\x00\x00\x00\x00\x07 ":                    0,
		"\x00\x00\x00\x07{}":                       0,
		"\x02\x00\x00\x00\x07{}":                   0,
		"\x01\x00\x00\x00\x07{}":                   0,
		"\x00\x00\x00\x00\x07\x00\x00\x00\x00\x07": 0,
		"": 0,
	} {
		if got := schema.JSONFrame([]byte(value)); got != n {
			t.Errorf("%q: %d bytes, not %d", value, got, n)
		}
	}
}

func TestParseID(t *testing.T) {
	for _, text := range []string{"", "-1", "4294967296", "x", guidText[1:], guidText + "0",
		strings.ReplaceAll(guidText, "-", "0"), strings.Replace(guidText, "f", "g", 1)} {
		if id, err := schema.ParseID(text); err == nil {
			t.Errorf("%q is %v", text, id)
		}
	}
	if id, err := schema.ParseID(strings.ToUpper(guidText)); err != nil || id.String() != guidText {
		t.Error(id, err)
	}
}

func TestFrameAllocates(t *testing.T) {
	r := recordbatch.Record{Value: []byte("\x00\x00\x00\x00\x01\x06\x02\x00\x04data")}
	inHeader := recordbatch.Record{Headers: headers("a", "b", schema.Header, "\x01"+guidBytes+"\x00")}
	var f schema.Frame
	if n := testing.AllocsPerRun(100, func() {
		if f.Read(&r, true) != "" || f.Read(&inHeader, true) != "" {
			panic("wrong")
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// naiveFrame reads a frame by the words of the contract, without the product's code.
func naiveFrame(b []byte, protobuf bool) (id []byte, indexes []int64, rest []byte, ok bool) {
	sizes := map[byte]int{0: 5, 1: 17}
	if len(b) == 0 || sizes[b[0]] == 0 || len(b) < sizes[b[0]] {
		return nil, nil, nil, false
	}
	id, rest = b[:sizes[b[0]]], b[sizes[b[0]]:]
	if !protobuf {
		return id, nil, rest, true
	}
	next := func() (v int64, ok bool) {
		var u uint64
		for i := range rest {
			if i == 10 || i == 9 && rest[i] > 1 {
				return 0, false
			}
			u |= uint64(rest[i]&0x7f) << (7 * i)
			if rest[i] < 0x80 {
				rest = rest[i+1:]
				return int64(u>>1) ^ -int64(u&1), true
			}
		}
		return 0, false
	}
	n, ok := next()
	if !ok || n < 0 || n > 32 {
		return nil, nil, nil, false
	}
	if n == 0 {
		return id, []int64{0}, rest, true
	}
	for range n {
		index, ok := next()
		if !ok || index < 0 {
			return nil, nil, nil, false
		}
		indexes = append(indexes, index)
	}
	return id, indexes, rest, true
}

func FuzzFrame(f *testing.F) {
	for _, value := range []string{"", "\x00\x00\x00\x00\x01\x06\x02\x00\x04data", "\x01" + guidBytes + "\x00data",
		"{\"a\":1}", "\x00\x00\x00\x00\x01\x40" + strings.Repeat("\x02", 32), "Obj\x01", "\xc3\x01"} {
		f.Add([]byte(value), false, true)
		f.Add([]byte(value), true, true)
		f.Add([]byte(value), true, false)
	}
	f.Fuzz(func(t *testing.T, frame []byte, inHeader, protobuf bool) {
		id, indexes, rest, ok := naiveFrame(frame, protobuf)
		r := recordbatch.Record{Value: frame}
		if inHeader {
			r = recordbatch.Record{Value: []byte("data"), Headers: headers("a", "", schema.Header, string(frame))}
			ok = ok && len(rest) == 0
		}
		var got schema.Frame
		wrong := got.Read(&r, protobuf)
		if (wrong == "") != ok {
			t.Fatalf("%q: %q", frame, wrong)
		}
		if !ok {
			return
		}
		want := binary.BigEndian.AppendUint32([]byte{0}, got.ID.Number)
		if got.ID.HasGUID {
			want = append([]byte{1}, got.ID.GUID[:]...)
		}
		if string(want) != string(id) || !slices.Equal(got.Indexes, indexes) || got.InHeader != inHeader ||
			!inHeader && got.Bytes != len(frame)-len(rest) {
			t.Fatalf("%q: %+v", frame, got)
		}
		n := schema.JSONFrame(frame)
		if n > 0 && (!strings.HasPrefix(strings.TrimLeft(string(frame[n:]), " \t\r\n"), "{") || n != len(id)) {
			t.Fatalf("%q: %d bytes before json", frame, n)
		}
	})
}
