package event

import (
	"strings"
	"testing"
)

// TestVWSinglePass checks which events are read in a single pass behind others, and that the result is the same.
func TestVWSinglePass(t *testing.T) {
	for _, c := range []struct {
		before, event string
		quick         bool
	}{
		{"1 | a:1 b:2 c:3", "1 | a:0.5 b:-2.25 c:1e3", true},
		{"1 | a:1 b:2", "1 | a:0.125 b:12345678901234567890", true}, {"1 |f a:1 b:2", "1 |f a:-0.5", true},
		{"1 2.5 |f a:1 b:2", "1 2.5 |f a:1 b:0.25", true}, {"-1 2.5 |f a:1", "-1 2.5 |f a:1", false},
		{"| abcdefgh:1 abcdefghi:2", "| abcdefgh:3 abcdefghi:4", true}, {"1\t|\ta:10", "1\t|\ta:20", true},
		{"1 | abcdefghijklmnop:1 abcdefghijklmnopq:2", "1 | abcdefghijklmnop:0.5 abcdefghijklmnopq:7", true},
		{"1 | é:1", "1 | é:2", true},
		{"1 | a:1 b:2", "-1 | a:1 b:2", false}, {"1 | a:1 b:2", "1 | a:1 c:2", false},
		{"1 | a:1 b:2", "1 | a:1 b:2 c:3", false}, {"1 | a:1 b:2", "1 | a:1 b:2 ", false},
		{"1 | a:1 b:2", "1 | a:1 b:2\n", false}, {"1 | a:1 b:2", "1 | a:1 b:2\r\n", false},
		{"1 | a:1 b:2", "1 | a:1 b:x", false}, {"1 | a:1 b:2", "1 | a:1 b:nan", false},
		{"1 | a:1 b:2", "1 | a:1 b:2e30", false}, {"1 | a:1 b:2", "1 | a:1|g b:2", false},
		{"1 | a:1 b:2", "1 |", false}, {"1 | a:1 b:2", "1 |       ", false},
		{"1 | a:1 b:2", "1 | a:1 b:\xff", false},
		{"1 'tag| a:1 b:2", "1 'tag| a:1 b:2", false}, {"1 |f:2 a:1 b:2", "1 |f:2 a:1 b:2", false},
		{"1 |f a:1 |g b:2", "1 |f a:1 |g b:2", false}, {"1 |f a:1 a:2", "1 |f a:1 a:2", false},
		{"1 0.125 |f a:1 b:2", "1 0.125 |f a:1 b:2", false}, {"2 | a:1 b:2", "2 | a:1 b:2", false},
		{"1 -1 | a:1", "1 -1 | a:1", false}, {"1 1 x | a:1", "1 1 x | a:1", false},
		{"1 |f a:1 b:2", "1 |g a:1 b:2", false}, {"1 | a:1", "1 |a:1", false}, {"1 | a:1 b", "1 | a:1 b", false},
		{"1 | abcdefghijklmnopqrs:1", "1 | abcdefghXjklmnopqrs:1", false},
		{"1 | abcdefghijklm:1", "1 | abcdefghijXlm:1", false},
	} {
		d := decoder(t, Defaults(VW))
		for range 3 {
			agreeText(t, d, []byte(c.before))
		}
		var e Example
		if got := d.ready && d.singlePass.parseSinglePass(nil, []byte(c.event), nil, &e); got != c.quick {
			t.Errorf("%q behind %q: %v, want %v", c.event, c.before, got, c.quick)
		}
		for range 3 {
			agreeText(t, d, []byte(c.before))
			agreeText(t, d, []byte(c.event))
		}
	}
}

// TestVWSinglePassLimits: limits hold in a single pass too, and a class or an id is that of its event.
func TestVWSinglePassLimits(t *testing.T) {
	o := Defaults(VW)
	o.MaxBytes = 16
	d := decoder(t, o)
	for range 3 {
		agreeText(t, d, []byte("1 | a:1 b:2"))
	}
	var e Example
	if d.Decode(nil, []byte("1 | a:1 b:2.000000"), nil, &e); e.reason() != TooLarge {
		t.Errorf("%v", e.reason())
	}
	if d.Decode([]byte(strings.Repeat("k", 17)), []byte("1 | a:1 b:2"), nil, &e); e.reason() != TooLarge {
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

// FuzzVWSinglePass compares an event behind another one, both read several times, with the oracle.
func FuzzVWSinglePass(f *testing.F) {
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

// TestVWSinglePassForgets: a start belongs to a namespace. It is forgotten when the features of another one are
// learned.
func TestVWSinglePassForgets(t *testing.T) {
	d := decoder(t, Defaults(VW))
	for range 3 {
		decoded(d, "1 |f a:10")
	}
	for range relearnAfter + 3 {
		decoded(d, "1 |g a:10")
	}
	var e Example
	if d.template.matched != 1 || d.singlePass.parseSinglePass(nil, []byte("1 |f a:10"), nil, &e) {
		t.Error("the other namespace is not learned, or the first one's start is still known")
	}
	agreeText(t, d, []byte("1 |f a:10"))
}
