package event

import (
	"strings"
	"testing"
)

// TestAvroReasons has an event for each fault of the bytes, with the offset that its error has.
func TestAvroReasons(t *testing.T) {
	record := func(fields string) string { return `{"type":"record","name":"E","fields":[` + fields + `]}` }
	const (
		word   = `{"name":"s","type":"string"}`
		long   = `{"name":"x","type":"long"}`
		either = `{"name":"u","type":["null","double"]}`
		enum   = `{"name":"e","type":{"type":"enum","name":"K","symbols":["A","B"]}}`
		list   = `{"name":"l","type":{"type":"array","items":"long"}}`
		nulls  = `{"name":"n","type":{"type":"array","items":"null"}}`
		dict   = `{"name":"m","type":{"type":"map","values":"int"}}`
		nested = `{"name":"r","type":["null","E"]}`
		number = `{"name":"d","type":"double"}`
	)
	for _, c := range []struct {
		fields, value string
		ignore        string
		reason        Reason
		offset        int
		text          string
	}{
		{long + "," + word, "\x02\x04ab", "", OK, 0, ""},
		{long + "," + word, "\x02\x04ab\x00", "", Syntax, 4, "1 bytes follow the end"},
		{long + "," + word, "\x02\x06ab", "", Syntax, 1, "a length of 3 bytes, but 2 are left"},
		{long + "," + word, "\x02\x03ab", "", Syntax, 1, "a length of -2 bytes"},
		{long + "," + word, "\x02", "", Syntax, 1, "a number is not complete"},
		{long, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "", OK, 0, ""},
		{long, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "", Syntax, 0, "more than 64 bits"},
		{dict, "\x02\x02a\xff\xff\xff\xff\x0f\x00", "", OK, 0, ""},
		{dict, "\x02\x02a\xff\xff\xff\xff\x10\x00", "", Syntax, 3, "more than 32 bits"},
		{either, "\x04", "", Syntax, 0, "branch 2 of a union of 2"},
		{either, "\x01", "", Syntax, 0, "branch -1 of a union"},
		{enum, "\x02", "", OK, 0, ""},
		{enum, "\x04", "", Syntax, 0, "symbol 2 of 2 of K"},
		{list, "\x04\x02\x02\x00", "", OK, 0, ""},
		{list, "\x03\x04\x02\x02\x00", "", OK, 0, ""}, // a negative count has its size behind it
		{list, "\x03\x0c\x02\x02\x00", "", Syntax, 0, "a block of 6 bytes, but 3 are left"},
		{list, "\x0a\x02\x00", "", Syntax, 0, "a block of 5 elements, but 2 bytes are left"},
		{list, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00", "", Syntax, 0, "elements"},
		{nulls + "," + long, "\xfe\xff\xff\xff\x0f\x00\x02", "n", TooManyFeatures, 0, "elements without a byte"},
		{nulls + "," + long, "\x04\x00\x02", "n", OK, 0, ""},
		{number, "\x00\x00\x00\x00\x00\x00\xf8\x7f", "", NotFinite, 0, `the value of "d" is not finite: "NaN"`},
		{number + "," + long, "\x00\x00\x00\x00\x00\x00\xf0\xff\x02", "d", OK, 0, ""},
		{word + "," + long, "\x06a\xffb\x02", "", Encoding, 2, `"\xffb" is not UTF-8`},
		{word + "," + long, "\x06a\xffb\x02", "s", OK, 0, ""},
		{dict, "\x02\x02\xff\x02\x00", "", Encoding, 2, "is not UTF-8"},
		{word + "," + long, "\x06a\xffb", "", Encoding, 2, "is not UTF-8"}, // it is before the end that is missing
		{long + "," + word, "\x80\x06a\xffb", "", Syntax, 2, "a length of -49 bytes"},
		{long + "," + nested, "\x02\x02\x02\x02\x02\x02\x02\x02\x02\x00", "", TooDeep, 7, "nested deeper than 4"},
		{long + "," + nested, "\x02\x02\x02\x02\x02\x02\x02\x00", "", OK, 0, ""},
		{long + "," + nested, "\x02\x02\x02\x02\x02\x02\x02\x02\x02\x00", "r", TooDeep, 8, "nested deeper than 4"},
		{word, "", "", Empty, -1, "no bytes"},
	} {
		o := Defaults(Avro)
		o.Schema, o.MaxDepth, o.MaxFeatures = record(c.fields), 4, 20
		if c.ignore != "" {
			o.Ignore = []string{c.ignore}
		}
		d := decoder(t, o)
		for range 3 {
			e := decoded(d, c.value)
			if e.reason() != c.reason || !strings.Contains(e.text(), c.text) ||
				c.reason != OK && e.Rejected.Offset != c.offset {
				t.Errorf("%s: %x: %q %s, want %q at %d: %s", c.fields, c.value, e.reason(), e.text(), c.reason,
					c.offset, c.text)
				break
			}
		}
	}
}

// TestAvroTimes: a number of a logical type is a time of its unit: a date has no hour, a time of the day no weekday.
func TestAvroTimes(t *testing.T) {
	o := Defaults(Avro)
	o.TimeParts = []string{"d", "t", "at", "n"}
	o.Schema = `{"type":"record","name":"E","fields":[{"name":"d","type":{"type":"int","logicalType":"date"}},` +
		`{"name":"t","type":{"type":"int","logicalType":"time-millis"}},` +
		`{"name":"at","type":{"type":"long","logicalType":"timestamp-micros"}},{"name":"n","type":"long"}]}`
	d := decoder(t, o)
	// 2026-11-26 is a Thursday, 20,783 days after 1970-01-01; 79,500,000 ms are 22:05.
	value := "\xde\xc4\x02" + "\xc0\xcb\xe8\x4b" + "\x80\xec\xe2\xa7\xa4\xcd\xb0\x06" + "\x98\xb4\xc5\xb0\x0d"
	for range 3 {
		got := ""
		for _, f := range walked(d, value) {
			got += f.name + " "
		}
		e := decoded(d, value)
		const want = "d.weekday=thu t.hour=22 at.hour=22 at.weekday=thu n.hour=22 n.weekday=thu "
		if got != want || e.reason() != OK {
			t.Errorf("%s (%s), want %s", got, e.text(), want)
		}
	}
	if e := decoded(d, "\x00"+"\x80\xf0\xb2\x52"+"\x00\x00"); e.reason() != BadFeatures { // the 24th hour
		t.Errorf("%q %s", e.reason(), e.text())
	}
}

// TestAvroBatch: ids that are numbers are those of their events while the whole batch is used.
func TestAvroBatch(t *testing.T) {
	o := Defaults(Avro)
	o.Schema = `{"type":"record","name":"E","fields":[{"name":"id","type":"long"},{"name":"label","type":"double"},` +
		`{"name":"x","type":"long"}]}`
	o.Task = Multiclass
	var records []Record
	for i := range 5000 {
		value := []byte{byte(i%60) * 2, 0, 0, 0, 0, 0, 0, byte(i % 64), 0x40, 2}
		records = append(records, Record{Value: value})
	}
	var b Batch
	b.Decode(decoder(t, o), records)
	alone := decoder(t, o)
	for i, e := range b.Examples {
		want := decoded(alone, string(records[i].Value))
		if e.Rejected != nil || string(e.ID) != string(want.ID) || string(e.Class) != string(want.Class) {
			t.Fatalf("event %d: %s %s %v, want %s %s", i, e.ID, e.Class, e.Rejected, want.ID, want.Class)
		}
	}
}
