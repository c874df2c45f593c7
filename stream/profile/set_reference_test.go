package profile

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"rosenblatt/stream/event"
)

// TestSetReferenceOfAWindow: what a window held becomes the reference when asked for, with its words.
func TestSetReferenceOfAWindow(t *testing.T) {
	o := event.Defaults(event.JSON)
	p, err := New(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	add := func(n int, text string) {
		for i := range n {
			if !p.Add(&event.Record{Value: fmt.Appendf(nil, text, i%100, i%3)}) {
				t.Fatal(text)
			}
		}
	}
	if p.SetReference() {
		t.Error("a reference of no window")
	}
	add(Window, `{"label":1,"features":{"x":%d,"word":"w%d","old":1}}`)
	add(Window, `{"label":1,"features":{"x":5%d,"word":"v%d","new":1}}`)
	add(100, `{"label":1,"features":{"x":7%d,"word":"u%d"}}`)
	if !p.SetReference() {
		t.Fatal("no reference")
	}
	add(Window-100, `{"label":1,"features":{"x":5%d,"word":"v%d","new":1}}`)
	for _, f := range p.Report().Fields {
		switch {
		case f.Name == "old" && f.Reference != nil:
			t.Errorf("%s: %+v", f.Name, f.Reference)
		case f.Name == "x" && (f.Shift.Reference == nil || *f.Shift.Reference > 0.01):
			t.Errorf("%s: %+v", f.Name, f.Shift)
		case f.Name == "word" && (f.NewWords == nil || *f.NewWords < 0.009 || *f.NewWords > 0.011 ||
			f.Reference.Top[0].Text[0] != 'v'):
			t.Errorf("%s: new words %v, reference %+v", f.Name, *f.NewWords, f.Reference.Top)
		case f.Name == "new" && f.Reference == nil:
			t.Errorf("%s has no reference", f.Name)
		}
	}
}

// TestSetReferenceBeside: the profile beside a stream is asked by another goroutine, and keeps the reference for the
// next checkpoint.
func TestSetReferenceBeside(t *testing.T) {
	b, err := NewBeside(event.Defaults(event.JSON), nil)
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := b.SetReference(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("beside nothing that runs: %v", err)
	}
	c := &clock{at: time.Unix(1_900_000_000, 0)}
	b.Now = c.now
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { b.Run(ctx); close(done) }()
	defer func() { stop(); <-done }()
	if err := b.SetReference(ctx); !errors.Is(err, ErrNoWindow) {
		t.Errorf("before a window: %v", err)
	}
	fill := func(x int) {
		for b.Report().Events < int64(2*Window*x) { // a second's share at a time
			c.pass(time.Second)
			records := make([]event.Record, 500)
			for i := range records {
				records[i].Value = fmt.Appendf(nil, `{"label":1,"features":{"x":%d}}`, x)
			}
			b.Offer(records)
		}
	}
	fill(1)
	before := string(b.Reference())
	fill(2)
	if err := b.SetReference(ctx); err != nil {
		t.Fatal(err)
	}
	r, err := Decompress(b.Reference())
	if err != nil || string(b.Reference()) == before || r.Fields[0].Mean != 2 {
		t.Errorf("%v, %+v", err, r)
	}
}
