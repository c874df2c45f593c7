package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"rosenblatt/stream/event"
)

func TestEncodings(t *testing.T) {
	wide := func(order unicode.Endianness, mark unicode.BOMPolicy) string {
		text, err := unicode.UTF16(order, mark).NewEncoder().String("a,é\r\n1,ü\r\n")
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, c := range []struct{ name, content, encoding, note string }{
		{"cp1252", "a,\xe9\n1,\xfc\n", "cp1252", ""},
		{"cp850", "a,\x82\n1,\x81\n", "cp850", ""},
		{"utf-16, little-endian", wide(unicode.LittleEndian, unicode.UseBOM), "", "read as utf-16"},
		{"utf-16, big-endian", wide(unicode.BigEndian, unicode.UseBOM), "cp1252", "read as utf-16"},
		{"utf-16 by name", wide(unicode.LittleEndian, unicode.UseBOM), "utf-16", ""},
		{"utf-16 without a mark", wide(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16le", ""},
		{"utf-16 in ASCII without a mark", "a\x00,\x00b\x00c\x00\n\x001\x00,\x002\x00\n\x00", "", "read as utf-16le"},
		{"UTF-8", "a,é\n1,ü\n", "", ""},
	} {
		values, notes := reading(t, "a.csv", c.content, Options{Encoding: c.encoding})
		want := []string{"2:1,ü"}
		if strings.Contains(c.name, "ASCII") {
			want = []string{"2:1,2"}
		}
		if !slices.Equal(values, want) || !strings.Contains(strings.Join(notes, "\n"), c.note) ||
			(c.note == "") != (len(notes) == 0) {
			t.Errorf("%s: %q, %q", c.name, values, notes)
		}
	}
	if _, err := Open(file(t, "a.csv", "a\n"), Options{Encoding: "cp9999"}, nil); err == nil {
		t.Error("an encoding that there is not")
	}
}

// TestBytesWithoutMeaning: of each line that an encoding does not read, the first such bytes are named, also where it
// is read ahead, is one of a row of several, or follows a line without them.
func TestBytesWithoutMeaning(t *testing.T) {
	for content, want := range map[string][]string{
		"a,b\n1,x\xe9\n2,y\n3,\xa1\xe9\n": {`2: offset 3: "\xe9" is not shift_jis; --encoding cp1252 reads it`, "3: ",
			`4: offset 3: "\xe9" is not shift_jis; --encoding cp1252 reads it`},
		"a,b\n1,\"x\n\xe9\"\n2,y\n": {`2: line 3, offset 0: "\xe9\"" is not shift_jis`, "4: "},
	} {
		for _, ahead := range []int{0, 10} {
			s, err := Open(file(t, "a.csv", content), Options{Encoding: "shift_jis"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			s.Ahead(ahead)
			for range 2 {
				for _, want := range want {
					value, err := s.Next()
					text := fmt.Sprintf("%d: ", s.Line())
					if why := s.Fault(); why != nil {
						text += why.Message()
					}
					if err != nil || !strings.HasPrefix(text, want) || utf8.Valid(value) != (s.Fault() == nil) {
						t.Errorf("%q: %s, %v, want %s", value, text, err, want)
					}
				}
				if err := s.Rewind(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	_, err := Open(file(t, "a.csv", "a,b\xe9\n1,2\n"), Options{Encoding: "shift_jis"}, nil)
	if err == nil || !strings.Contains(err.Error(), `:1: the first row cannot be used: offset 3: "\xe9`) {
		t.Errorf("a header: %v", err)
	}
}

func TestLineEndsInCR(t *testing.T) {
	for content, want := range map[string][]string{
		"a,b\r1,2\r3,\"4\r5\"\r": {"2:1,2", "3:3,\"4\n5\""},
		"a,b\r\n1,2\r\n":         {"2:1,2"},
		"a,b\r1,2":               {"2:1,2"},
	} {
		s := open(t, file(t, "a.csv", content), "")
		expect(t, s, want...)
		alone := strings.Contains(strings.Join(s.Notes(), " "), "CR alone")
		if alone == strings.Contains(content, "\n") {
			t.Errorf("%q: %q", content, s.Notes())
		}
	}
	expect(t, open(t, file(t, "a.jsonl", "{}\r{\"a\":1}\r"), ""), "1:{}", "2:{\"a\":1}")
}

// What is read again after Rewind is the same in another encoding.
func TestRewindEncoded(t *testing.T) {
	s, err := Open(file(t, "a.csv.gz", "a,\xe9\n1,\xfc\n2,\xe4\n"), Options{Encoding: "cp1252"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		expect(t, s, "2:1,ü", "3:2,ä")
		if err := s.Rewind(); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Table(); !slices.Equal(got.Columns, []string{"a", "é"}) || got.Dialect != (event.Dialect{}) {
		t.Errorf("%+v", got)
	}
}
