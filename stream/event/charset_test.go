package event

import (
	"strings"
	"testing"
	"unicode/utf8"

	"rosenblatt/learner"
)

func TestFindEncoding(t *testing.T) {
	for name, want := range map[string]string{"": "", "UTF-8": "", "cp1252": "windows-1252", "latin-1": "windows-1252",
		"ISO-8859-15": "iso-8859-15", "cp850": "ibm850", "utf_16": "utf-16", "utf-16le": "utf-16le", "GBK": "gbk",
		"shift_jis": "shift_jis", "macintosh": "macintosh"} {
		if _, got, err := FindEncoding(name); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
		if _, again, err := FindEncoding(want); err != nil || again != want {
			t.Errorf("%s: %q, %v: not the one name", want, again, err)
		}
	}
	for _, name := range []string{"cp9999", "utf-32", "replacement"} {
		if _, got, err := FindEncoding(name); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// An event in an encoding is what it is in UTF-8, with and without the template; bytes without a meaning reject it.
func TestEncodedEvents(t *testing.T) {
	o := Defaults(JSON)
	o.Encoding = "windows-1252"
	d := decoder(t, o)
	for range 3 {
		if got := walked(d, "{\"label\":1,\"caf\xe9\":2,\"x\":\"\x80\"}"); len(got) != 2 || got[0].name != "café" ||
			got[1].name != "x=€" {
			t.Errorf("%+v", got)
		}
		if e := decoded(d, "{\"label\":1,\"id\":\"\xe9\"}"); string(e.ID) != `"é"` {
			t.Errorf("id %s", e.ID)
		}
	}
	if e := decoded(d, "{\"label\":1,\"x\":\"\xef\xbf\xbd\"}"); e.reason() != OK {
		t.Errorf("%s", e.text()) // three characters of that encoding
	}
	o.Encoding = "shift_jis"
	if e := decoded(decoder(t, o), "{\"label\":1,\"x\":\"\x81\"}"); e.reason() != Encoding ||
		!strings.Contains(e.text(), `offset 16: "\x81\"" is not shift_jis; mend it where`) {
		t.Errorf("%v %s", e.reason(), e.text())
	}
	o.Encoding = "utf-16"
	for _, value := range []string{"\xff\xfe{\x00\"\x00x\x00\"\x00:\x001\x00}\x00",
		"\xfe\xff\x00{\x00\"\x00x\x00\"\x00:\x001\x00}",
		"{\x00\"\x00x\x00\"\x00:\x001\x00}\x00"} {
		if got := walked(decoder(t, o), value); len(got) != 1 || got[0].name != "x" {
			t.Errorf("%q: %+v", value, got)
		}
	}
}

// TestWhatFits: where an encoding lacks bytes, the error names the first of them, and encodings that have all.
func TestWhatFits(t *testing.T) {
	for _, c := range []struct{ encoding, text, lacks string }{
		{"shift_jis", "caf\xe9", `offset 3: "\xe9" is not shift_jis; --encoding cp1252 reads it`},
		{"gbk", "a\xff", `offset 1: "\xff" is not gbk; --encoding cp1252 reads it`},
		{"euc-kr", "caf\xc3\xa9 x\x80", `offset 7: "\x80" is not euc-kr; --encoding cp1252 reads it, or gbk`},
		{"shift_jis", "caf\xc3\xa9 \xa0", `offset 6: "\xa0" is not shift_jis; --encoding cp1252 reads it`},
		{"gbk", "\xf0\x9f\x98\x80\xff", `offset 4: "\xff" is not gbk; --encoding cp1252 reads it`},
		{"euc-kr", "\xf0\x9f\x98\x80", `offset 0: "\xf0\x9f" is not euc-kr; --encoding utf-8 reads it, or cp1252, gbk`},
		{"gb18030", "\x84\x31\xa4\x37", ""}, // U+FFFD itself
		{"utf-16", "\xff\xfea\x00\xfd\xff", ""},
		{"utf-16", "\xff\xfea\x00\x00\xd8b\x00", `offset 4: "\x00\xd8b\x00" is not utf-16; mend it`},
		{"windows-1252", "caf\xe9\x80", ""},
	} {
		charset, err := NewCharset(c.encoding)
		if err != nil {
			t.Fatal(err)
		}
		out, why := charset.Append([]byte("before"), []byte(c.text))
		text := ""
		if why != nil {
			text = why.Message()
		}
		if !strings.HasPrefix(text, c.lacks) || (c.lacks == "") != utf8.Valid(out) ||
			!strings.HasPrefix(string(out), "before") {
			t.Errorf("%s of %q: %q, %s", c.encoding, c.text, out, text)
		}
	}
}

// The error of text in another encoding names the setting that reads it.
func TestEncodingIsNamed(t *testing.T) {
	d := decoder(t, Defaults(JSON))
	for value, want := range map[string]string{
		"{\"caf\xe9\":1}":                         "--encoding cp1252",
		"\xff\xfe{\x00\"\x00":                     "(--encoding utf-16)",
		"{\x00\"\x00\xe9\x00x\x00\"\x00:\x00":     "(--encoding utf-16le)",
		"\x00{\x00\"\x00\xe9\x00x\x00\"\x00:\x00": "(--encoding utf-16be)",
	} {
		if e := decoded(d, value); e.reason() != Encoding || !strings.Contains(e.text(), want) {
			t.Errorf("%q: %v, %s, want %s", value, e.reason(), e.text(), want)
		}
	}
}

// A byte order mark before a record has no meaning.
func TestMarkOfARecord(t *testing.T) {
	table := Defaults(CSV)
	table.Columns = []string{"x", "label"}
	for value, o := range map[string]Options{`{"x":5,"label":1}`: Defaults(JSON), "1 | x:5": Defaults(VW),
		"5,1": table} {
		d := decoder(t, o)
		for range 3 {
			got := walked(d, string(byteOrderMark)+value)
			if len(got) != 1 || got[0] != (named{"x", 5, learner.Numeric}) {
				t.Errorf("%s: %+v", value, got)
			}
			if e := decoded(d, string(byteOrderMark)+value); e.Label != 1 {
				t.Errorf("%s: label %d, %s", value, e.Label, e.text())
			}
		}
	}
}

// A row of the columns' names is skipped, wherever it is.
func TestHeaderAgain(t *testing.T) {
	o := Defaults(CSV)
	o.Columns = []string{"c1", "temp", "state"}
	o.LabelField, o.Positive = "state", "on"
	d := decoder(t, o)
	for _, row := range []string{"c1,temp,state", ",temp,state", " c1 ,\"temp\", state\r\n", "temp,state",
		"#c1,temp,state",
		"\xef\xbb\xbfc1,temp,state"} {
		if e := decoded(d, row); !e.Skip || e.Label != 0 {
			t.Errorf("%q is an event: %+v", row, e)
		}
		if names := walked(d, row); len(names) != 0 {
			t.Errorf("%q: %+v", row, names)
		}
	}
	o.Columns, o.LabelField = []string{"time", "Temp", "state"}, "state"
	d = decoder(t, o)
	for range 3 {
		if e := decoded(d, "TIME,temp, State"); !e.Skip {
			t.Errorf("another case: %+v", e)
		}
		decoded(d, "a,b,on")
		e := decoded(d, "State,time,temp\r\n")
		if e.Skip || e.reason() != Syntax || !strings.Contains(e.text(), "the columns in another order") {
			t.Errorf("another order: %+v", e)
		}
		for _, row := range []string{"time,time,state", "state,time", "state,time,temp,time", "time,temp,on"} {
			if e := decoded(d, row); e.Skip || e.reason() == Syntax && strings.Contains(e.text(), "order") {
				t.Errorf("%q: %+v", row, e)
			}
		}
	}
	o.Columns, o.LabelField = []string{"c1", "temp", "state"}, "state"
	d = decoder(t, o)
	for _, row := range []string{"c1,temp,on", "c1,temp,state,x", "1,2,on", "temp,state,on", "c1,temp"} {
		if e := decoded(d, row); e.Skip {
			t.Errorf("%q is skipped", row)
		}
	}
}

// NaN is absent, where Python's json writes it, and the index of an element counts it.
func TestAbsentNaN(t *testing.T) {
	o := Defaults(JSON)
	o.AbsentNaN = true
	d := decoder(t, o)
	for range 3 {
		got := walked(d, `{"label":1,"x":NaN,"y":2,"z":[1,-Infinity,3],"w":{"v":Infinity}}`)
		if len(got) != 3 || got[0].name != "y" || got[1].name != "z[0]" || got[2].name != "z[2]" {
			t.Errorf("%+v", got)
		}
	}
	if e := decoded(d, `{"label":NaN,"x":1}`); e.reason() != OK || e.Family != Unlabelled {
		t.Errorf("%v %s", e.Family, e.text())
	}
}
