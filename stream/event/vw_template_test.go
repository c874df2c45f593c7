package event

import (
	"strings"
	"testing"
)

// TestVWTemplate checks which events are read in a single pass behind others, and that the result is the same.
func TestVWTemplate(t *testing.T) {
	for _, c := range []struct {
		before, event string
		fits          bool
	}{
		{"1 | a:1 b:2 c:3", "1 | a:0.5 b:-2.25 c:1e3", true},
		{"1 | a:1 b:2", "1 | a:0.125 b:12345678901234567890", true}, {"1 |f a:1 b:2", "1 |f a:-0.5", true},
		{"1 2.5 |f a:1 b:2", "1 2.5 |f a:1 b:0.25", true}, {"-1 2.5 |f a:1", "-1 2.5 |f a:1", true},
		{"| abcdefgh:1 abcdefghi:2", "| abcdefgh:3 abcdefghi:4", true}, {"1\t|\ta:10", "1\t|\ta:20", true},
		{"1 | abcdefghijklmnop:1 abcdefghijklmnopq:2", "1 | abcdefghijklmnop:0.5 abcdefghijklmnopq:7", true},
		{"1 | é:1", "1 | é:2", true},
		{"1 | a:1 b:2", "-1 | a:1 b:2", true}, {"1 | a:1 b:2", "1 | a:1 c:2", false},
		{"1 | a:1 b:2", "1 | a:1 b:2 c:3", false}, {"1 | a:1 b:2", "1 | a:1 b:2 ", false},
		{"1 | a:1 b:2", "1 | a:1 b:2\n", true}, {"1 | a:1 b:2", "1 | a:1 b:2\r\n", true},
		{"1 | a:1 b:2", "1 | a:1 b:x", true}, {"1 |f c:red d:1", "1 |f c:blue d:2", true},
		{"1 | a:1 b:2", "1 | a:1 b:nan", false},
		{"1 | a:1 b:2", "1 | a:1 b:2e30", false}, {"1 | a:1 b:2", "1 | a:1|g b:2", false},
		{"1 | a:1 b:2", "1 |", false}, {"1 | a:1 b:2", "1 |       ", false},
		{"1 | a:1 b:2", "1 | a:1 b:\xff", false},
		{"1 'tag| a:1 b:2", "1 'tag| a:1 b:2", true}, {"1 |f:2 a:1 b:2", "1 |f:2 a:1 b:2", false},
		{"1 |f a:1 |g b:2", "1 |f a:1 |g b:2", true}, {"1 |f a:1 a:2", "1 |f a:1 a:2", false},
		{"1 0.125 |f a:1 b:2", "1 0.125 |f a:1 b:2", true}, {"2 | a:1 b:2", "2 | a:1 b:2", false},
		{"1 -1 | a:1", "1 -1 | a:1", false}, {"1 1 x | a:1", "1 1 x | a:1", false},
		{"1 |f a:1 b:2", "1 |g a:1 b:2", false}, {"1 | a:1", "1 |a:1", false}, {"1 | a:1 b", "1 | a:1 b", false},
		{"1 | abcdefghijklmnopqrs:1", "1 | abcdefghXjklmnopqrs:1", false},
		{"1 | abcdefghijklm:1", "1 | abcdefghijXlm:1", false},
		{"1 | a:1 b:2 c:3", "1 | a:1 c:3", true}, {"1 | a:1 |g b:2", "1 | a:1", false},
		{"1 e1| a:1", "1 'e2| a:1", false},
		{"a | a:1", "'a | a:1", false}, {"1 | a:1", "1\r | a:1", false}, {"1 | a:1", "\xff | a:1", false},
	} {
		d := decoder(t, Defaults(VW))
		agreeText(t, d, []byte(c.before))
		if got, _ := fitsTemplate(d, c.event); got != c.fits {
			t.Errorf("%q behind %q: %v, want %v", c.event, c.before, got, c.fits)
		}
		for range 3 {
			agreeText(t, d, []byte(c.before))
			agreeText(t, d, []byte(c.event))
		}
	}
}

// TestVWTemplateLimits: limits hold in a single pass too, and a class or an id is that of its event.
func TestVWTemplateLimits(t *testing.T) {
	o := Defaults(VW)
	o.MaxBytes = 16
	d := decoder(t, o)
	for range 3 {
		agreeText(t, d, []byte("1 | a:1 b:2"))
	}
	var e Example
	if d.Decode(&Record{Value: []byte("1 | a:1 b:2.000000")}, nil, &e); e.reason() != TooLarge {
		t.Errorf("%v", e.reason())
	}
	long := []byte(strings.Repeat("k", 17))
	if d.Decode(&Record{Key: long, Value: []byte("1 | a:1 b:2")}, nil, &e); e.reason() != TooLarge {
		t.Errorf("%v", e.reason())
	}
	o = Defaults(VW)
	o.Task = Multiclass
	d = decoder(t, o)
	for _, class := range []string{"a", "a", "a", "b", "a"} {
		if e := decoded(d, class+" | a:1 b:2.00"); string(e.Class) != class {
			t.Errorf("%q, want %q", e.Class, class)
		}
	}
}

// FuzzVWTemplate compares an event behind another one, both read several times, with the oracle.
func FuzzVWTemplate(f *testing.F) {
	for i, event := range textEvents {
		f.Add([]byte(event), []byte(textEvents[(i+1)%len(textEvents)]))
	}
	f.Add([]byte("1 | a:0.123456 b:2 c:-0.5"), []byte("-1 | a:0.123 b:25 c:-0.55"))
	f.Add([]byte("1 2 |name abcdefghijklmnopq:0.123456 b:2"), []byte("1 2 |name abcdefghijklmnopq:0.123456 b:2 "))
	f.Fuzz(func(t *testing.T, before, event []byte) {
		d := decoder(t, Defaults(VW))
		for range 2 {
			agreeText(t, d, before)
			agreeText(t, d, before)
			agreeText(t, d, event)
			agreeText(t, d, event)
		}
	})
}

// TestVWTemplateAgainstOracle decodes each event, cut at each byte, behind each other one.
func TestVWTemplateAgainstOracle(t *testing.T) {
	events := []string{"1 2.5 'e17|price:2 p:0.23 sqft |b a a:2 ig:1 x:5|c", "-1 |f 13:3.9e-02 24:3.4781646e-02 30:0.5",
		"| 13:1 24:2 30:-3.5\t31:4 ", "|f 13:1 24:2 30:-3.5"}
	for _, before := range events {
		for _, event := range events {
			for n := range len(event) + 1 {
				d := decoder(t, Defaults(VW))
				agreeText(t, d, []byte(before))
				agreeText(t, d, []byte(before))
				agreeText(t, d, []byte(event[:n]))
			}
		}
	}
}

// TestVWTemplateIgnores: an ignored feature does not become a feature of the template.
func TestVWTemplateIgnores(t *testing.T) {
	o := Defaults(VW)
	o.Ignore = []string{"x"}
	d := decoder(t, o)
	for range 3 {
		decoded(d, "1 | a x:2")
		if e := decoded(d, "1 | x:2"); e.reason() != OK || e.Start != e.End {
			t.Fatalf("%v, %d features, want none", e.reason(), e.End-e.Start)
		}
		eager(d)
	}
}
