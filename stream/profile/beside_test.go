package profile

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"rosenblatt/stream/event"
)

// clock is a time that a test sets.
type clock struct {
	sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.Lock()
	defer c.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.Lock()
	defer c.Unlock()
	c.at = c.at.Add(d)
}

func beside(t *testing.T, c *clock, reference *Reference) *Beside {
	t.Helper()
	b, err := NewBeside(event.Defaults(event.JSON), reference)
	if err != nil {
		t.Fatal(err)
	}
	b.Now = c.now
	return b
}

func events(n int, format string) (all []event.Record) {
	for i := range n {
		all = append(all, event.Record{Value: fmt.Appendf(nil, format, i%10)})
	}
	return all
}

// untilDone profiles until all that was offered is, and ends.
func (b *Beside) untilDone(t *testing.T, offer func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		b.Run(ctx)
		close(ended)
	}()
	offer()
	var held []*batch
	for range batches {
		held = append(held, <-b.free)
	}
	cancel()
	<-ended
	for _, x := range held {
		b.free <- x
	}
}

// TestAtMostPerSecond: of a slow stream all events are profiled, of a fast one one of each k, and all tasks of a
// process share what a second may have.
func TestAtMostPerSecond(t *testing.T) {
	c := &clock{at: time.Unix(1000, 0)}
	one, other := beside(t, c, nil), beside(t, c, nil)
	slow := events(PerSecond/4, `{"label":1,"a":%d}`)
	one.untilDone(t, func() { one.Offer(slow) })
	if n := one.profile.Events(); n != int64(len(slow)) {
		t.Errorf("%d events of a slow stream", n)
	}
	c.pass(time.Second)
	fast := events(50*PerSecond/100, `{"label":1,"a":%d}`)
	offer := func(b *Beside, chunks int) func() {
		return func() {
			for range chunks {
				b.Offer(fast)
				x := <-b.free // as slow as the profile
				b.free <- x
			}
		}
	}
	one.untilDone(t, offer(one, 100)) // 50,000 in a second
	before := one.profile.Events()
	if before > int64(len(slow)+PerSecond) {
		t.Errorf("%d events in a second", before)
	}
	c.pass(time.Second)
	one.untilDone(t, offer(one, 50))
	other.untilDone(t, offer(other, 50))
	if one.every != 50 {
		t.Errorf("every %d. event", one.every)
	}
	a, b := one.profile.Events()-before, other.profile.Events()
	if a < 25*PerSecond/50 || a > 25*PerSecond/50+1 || a+b != PerSecond {
		t.Errorf("%d and %d events of two tasks in a second", a, b)
	}
}

// TestTurns: of a fast stream that repeats itself all parts are profiled, alike.
func TestTurns(t *testing.T) {
	c := &clock{at: time.Unix(7000, 0)}
	b := beside(t, c, nil)
	parts := events(500, `{"label":1,"a":"w%d"}`)
	for range 3 {
		b.untilDone(t, func() {
			for range 100 {
				b.Offer(parts)
				x := <-b.free
				b.free <- x
			}
		})
		c.pass(time.Second)
	}
	of := b.profile.named["a"].current.of
	for word, n := range of {
		if n < 150 || n > 350 { // of 2,500 in ten parts
			t.Errorf("%d of %s", n, word)
		}
	}
	if len(of) != 10 {
		t.Errorf("%d parts of 10: %v", len(of), of)
	}
}

// TestHeaders: an event whose headers say what it is, as a CloudEvent in binary mode, is profiled as it is read.
func TestHeaders(t *testing.T) {
	o := event.Defaults(event.JSON)
	o.Envelope = event.CloudEvents
	b, err := NewBeside(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	var headers []byte
	headers = binary.AppendVarint(headers, 2)
	for _, text := range []string{"ce_specversion", "1.0", "ce_id", "c1"} {
		headers = append(binary.AppendVarint(headers, int64(len(text))), text...)
	}
	records := events(10, `{"label":1,"a":%d}`)
	for i := range records {
		records[i].Headers = headers
	}
	b.untilDone(t, func() { b.Offer(records); b.Offer(records) })
	if n := b.profile.Events(); n != 20 {
		t.Errorf("%d events", n)
	}
}

// TestBehind: what there is no time for is not profiled, and nobody waits.
func TestBehind(t *testing.T) {
	c := &clock{at: time.Unix(5000, 0)}
	b := beside(t, c, nil)
	for range 10 {
		b.Offer(events(10, `{"label":1,"a":%d}`))
	}
	if len(b.offered) != batches {
		t.Errorf("%d batches", len(b.offered))
	}
	b.untilDone(t, func() {})
	if n := b.profile.Events(); n != batches*10 {
		t.Errorf("%d events", n)
	}
}

// TestBeside: the report, the reference and alerts come from the goroutine that profiles.
func TestBeside(t *testing.T) {
	c := &clock{at: time.Unix(9000, 0)}
	b := beside(t, c, nil)
	var told []string
	b.Changed = func(x Change) { told = append(told, x.Field+": "+x.Text()) }
	offer := func(n int, format string) {
		b.untilDone(t, func() {
			for range n / PerSecond {
				c.pass(time.Second)
				b.Offer(events(PerSecond, format))
				b.free <- <-b.free
			}
		})
	}
	if b.Reference() != nil || len(b.Report().Fields) != 0 {
		t.Error("a report of nothing")
	}
	offer(2*PerSecond, `{"label":1,"a":%d,"b":"x"}`)
	if r := b.Report(); r.Events == 0 || len(r.Fields) != 2 || b.Reference() != nil {
		t.Errorf("%+v", r)
	}
	offer(3*Window, `{"label":1,"a":%d,"b":"x"}`)
	packed := b.Reference()
	ref, err := Decompress(packed)
	if err != nil || ref.Events != Window || len(ref.Fields) != 2 || len(told) != 0 {
		t.Fatalf("%+v, %v, %q", ref, err, told)
	}
	offer(2*Window, `{"label":1,"a":%d}`)
	if len(told) != 1 || told[0] != "b: 0 % of the events have it, 100 % before" &&
		!strings.HasSuffix(told[0], "100 % before") || !bytes.Equal(b.Reference(), packed) {
		t.Errorf("%q", told)
	}
	again := beside(t, c, ref)
	if r := again.Report(); len(r.Fields) != 2 || r.Fields[0].Reference.Events != Window || again.Reference() == nil {
		t.Errorf("%+v", r)
	}
}

// TestReferenceFits: a reference of ever so many fields and words takes 64 KiB at most.
func TestReferenceFits(t *testing.T) {
	p := newProfile(t, nil)
	for i := range Window {
		var e strings.Builder
		e.WriteString(`{"label":1`)
		for f := range 40 {
			fmt.Fprintf(&e, `,"words%d":"w%d","numbers%d":%d.%d`, f, i*(f+1)*7919%100_003, f, i*i%1009, i)
		}
		p.Add(&event.Record{Value: []byte(e.String() + "}")})
	}
	ref := p.ofReference()
	packed, err := ref.Compress()
	if err != nil || len(packed) > MaxReference || len(packed) < MaxReference/4 {
		t.Fatalf("%d bytes, %v", len(packed), err)
	}
	got, err := Decompress(packed)
	if err != nil || len(got.Fields) < 60 || ref.Fields[0].Seen == nil {
		t.Fatalf("%d fields, %v", len(got.Fields), err)
	}
	again := newProfile(t, got)
	for range fewValues {
		again.Add(&event.Record{Value: []byte(`{"label":1,"words0":"w1"}`)})
	}
	if f := fieldNamed(t, again.Report(), "words0"); f.NewWords != nil && *f.NewWords > 0.1 {
		t.Errorf("%v new words of a reference that does not know", *f.NewWords)
	}
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	for range 40 {
		_, _ = w.Write(bytes.Repeat([]byte(" "), 1<<20)) // a buffer
	}
	_ = w.Close()
	for _, bad := range [][]byte{nil, []byte("x"), packed[:len(packed)/2], bomb.Bytes()} {
		if _, err := Decompress(bad); err == nil {
			t.Errorf("%d bytes are taken", len(bad))
		}
	}
}
