package profile

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"rosenblatt/stream/event"
)

// PerSecond is how many events a second are profiled, at most, by all of a process.
const PerSecond = 1000

// Bounds of what waits to be profiled.
const (
	batches    = 4
	batchBytes = 4 << 20
)

// Beside profiles some of the events of a stream beside those who handle them, on a goroutine of its own. What it has
// no time for is not profiled.
type Beside struct {
	Changed func(Change)     // is told of each alert that begins; may be nil
	Now     func() time.Time // for tests; nil: time.Now

	profile   *Profile
	published atomic.Pointer[Report]
	reference atomic.Pointer[[]byte]
	at        time.Time // of published

	offered, free chan *batch
	renew         chan chan bool // to make the newest window the reference; the answer says whether there is one

	// Of the owner of the records.
	second int64 // since 1970
	count  int   // records of it
	every  int   // of so many one is profiled
	seen   int64 // records so far
	next   int64 // the place of the next one that is profiled
	until  int64 // the place from which on the one after it is chosen
	chosen []int // of Offer, for its memory
	random *rand.Rand
}

// batch holds copies of records.
type batch struct {
	text    []byte
	records []event.Record // whose slices are in text
}

func (x *batch) add(r *event.Record) {
	own := *r
	//mutation:profiled-headers
	own.Key, own.Value, own.Headers = x.copy(r.Key), x.copy(r.Value), x.copy(r.Headers)
	x.records = append(x.records, own)
}

func (x *batch) copy(b []byte) []byte {
	if b == nil {
		return nil
	}
	from := len(x.text)
	x.text = append(x.text, b...)
	return x.text[from:]
}

// budget is what is left of a second for all of the process.
var budget struct {
	sync.Mutex
	second int64
	left   int
}

// NewBeside returns one that has profiled nothing. A reference may be given.
func NewBeside(o event.Options, reference *Reference) (*Beside, error) {
	p, err := New(o, reference)
	if err != nil {
		return nil, err
	}
	b := &Beside{profile: p, every: 1, offered: make(chan *batch, batches), free: make(chan *batch, batches),
		renew: make(chan chan bool), until: 1, random: rand.New(rand.NewPCG(1, 1))}
	for range batches {
		b.free <- new(batch)
	}
	b.published.Store(p.Report())
	if reference != nil {
		b.keepReference(reference)
	}
	return b, nil
}

// Report is of about now. Any goroutine may call it.
func (b *Beside) Report() *Report { return b.published.Load() }

// Reference is what Reference.Compress makes of the reference; nil until there is one. Any goroutine may call it.
func (b *Beside) Reference() []byte {
	if text := b.reference.Load(); text != nil {
		return *text
	}
	return nil
}

func (b *Beside) keepReference(r *Reference) {
	if text, err := r.Compress(); err == nil { // else there is none to keep
		b.reference.Store(&text)
	}
}

func (b *Beside) now() time.Time {
	if b.Now != nil {
		return b.Now()
	}
	return time.Now()
}

// Offer takes copies of some of the records, so many as a second may have. It never waits. The owner of the records
// calls it.
func (b *Beside) Offer(records []event.Record) {
	second := b.now().Unix()
	if second != b.second {
		b.every = max(1, (b.count+PerSecond-1)/PerSecond)
		b.second, b.count = second, 0
	}
	b.count += len(records)
	chosen := b.choose(len(records))
	if len(chosen) == 0 {
		return
	}
	chosen = chosen[:grant(second, len(chosen))]
	if len(chosen) == 0 {
		return
	}
	select {
	case x := <-b.free:
		x.text, x.records = x.text[:0], x.records[:0]
		for _, i := range chosen {
			if len(x.text) < batchBytes {
				x.add(&records[i])
			}
		}
		b.offered <- x
	default: // it is behind
	}
}

// choose returns the places of the next n records that are to be profiled: of each b.every one, at random. Always the
// same place would show one part alone of a stream that repeats itself, as where sensors take turns.
func (b *Beside) choose(n int) []int {
	b.chosen = b.chosen[:0]
	end := b.seen + int64(n)
	for b.next < end {
		b.chosen = append(b.chosen, int(b.next-b.seen))
		//mutation:profiled-at-random
		b.next = b.until + b.random.Int64N(int64(b.every))
		b.until += int64(b.every)
	}
	b.seen = end
	return b.chosen
}

// grant takes so many of what the process may profile in a second.
func grant(second int64, wanted int) int {
	budget.Lock()
	defer budget.Unlock()
	if budget.second != second {
		budget.second, budget.left = second, PerSecond
	}
	//mutation:profiled-per-second
	wanted = min(wanted, budget.left)
	budget.left -= wanted
	return wanted
}

// Run profiles what is offered until the context ends.
func (b *Beside) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case x := <-b.offered:
			b.add(x)
			b.free <- x
		case answer := <-b.renew:
			answer <- b.setReference()
		}
	}
}

func (b *Beside) setReference() bool {
	if !b.profile.SetReference() {
		return false
	}
	b.published.Store(b.profile.Report())
	b.keepReference(b.profile.ofReference())
	return true
}

// SetReference makes the newest whole window the reference, while Run runs. Any goroutine may call it. Errors:
// ErrNoWindow, and that of the context.
func (b *Beside) SetReference(ctx context.Context) error {
	answer := make(chan bool, 1)
	select {
	case b.renew <- answer:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if !<-answer {
		return ErrNoWindow
	}
	return nil
}

// ErrNoWindow means that no window is whole yet.
var ErrNoWindow = errors.New("no window of events is whole yet")

// firstReports is how often there is a report before the first window is whole.
const firstReports = 2 * time.Second

func (b *Beside) add(x *batch) {
	p := b.profile
	sealed, known := false, p.reference
	for i := range x.records {
		p.Add(&x.records[i])
		if p.filled == 0 && !sealed {
			sealed = true
			b.tell()
		}
	}
	if now := b.now(); sealed || p.now == 0 && now.Sub(b.at) >= firstReports {
		b.published.Store(p.Report())
		b.at = now
	}
	if known == 0 && p.reference > 0 {
		b.keepReference(p.ofReference())
	}
}

// tell tells of the alerts that began with the window that has just ended.
func (b *Beside) tell() {
	for _, c := range b.profile.changes {
		if c.To == b.profile.events && b.Changed != nil {
			b.Changed(c)
		}
	}
}
