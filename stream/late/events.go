package late

import (
	"sync/atomic"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recall"
	"rosenblatt/stream/topics"
)

// Events are the events of waiting examples: the newest in memory, others read back from the input when they are
// needed. The daemon, recovery and audits use it.
type Events struct {
	Waiting   *labels.Waiting
	Duplicate *labels.Example // the last prediction, if its id was known: its outcome is next

	Cache   labels.Cache             // the newest waiting examples
	kept    map[int64]*topics.Record // by seq: others, and what was read back; nil: no more in the input
	wants   map[int64]want           // by seq: what has to be read back
	urgent  bool                     // an outcome waits for one of them
	found   foundExample
	decoder *event.Decoder // of what is kept without features

	memory     int64         // of cache and kept, at most
	shared     *atomic.Int64 // so many tasks share it evenly; nil: it is this one's
	keptBytes  int64
	reserved   int64 // of memory, for what is being read back
	ReadBack   int64 // examples
	recallSize int64 // bytes of one, on average

	beside   model.Beside // of the outcome that is learned
	replaced int64        // predictions up to this seq belong to a deleted input topic; their outcome is evicted
}

// foundExample is what is kept of the example that was asked for last; without one, seq is 0.
type foundExample struct {
	seq  int64
	kept labels.Kept
}

// NewEvents makes the events of what waits. They are decoded under options.
func NewEvents(options event.Options, w *labels.Waiting) (Events, error) {
	d, err := event.New(options)
	cache := labels.Cache{Reuse: true, Headers: options.ReadsHeaders()}
	return Events{Waiting: w, Cache: cache, kept: map[int64]*topics.Record{},
		wants: map[int64]want{}, decoder: d, recallSize: recallSize}, err
}

// SetMemory bounds what is kept of events in memory: so many tasks share it evenly, or it is this one's.
func (l *Events) SetMemory(bytes int64, tasks *atomic.Int64) {
	l.memory, l.shared = bytes, tasks
	l.Cache.Limit = l.share()
}

// InputReplaced notes that predictions up to a seq are of a deleted input topic, or of records that were replaced: what
// would be read back may be another event.
func (l *Events) InputReplaced(seq int64) { l.replaced = seq }

// Put keeps the event of a prediction that waits, the newest one.
func (l *Events) Put(p *Predicted) {
	l.found.seq = 0 // its memory may be used again
	share := l.share()
	l.Cache.Limit = max(share-l.keptBytes-l.reserved, share/4)
	l.Cache.Put(p.Seq, p.Example, p.Features, p.Record)
}

// MemoryInUse is how many bytes are kept of events.
func (l *Events) MemoryInUse() int64 { return l.keptBytes + l.Cache.Bytes() }

// share is the part of the memory that is this task's now.
func (l *Events) share() int64 {
	//mutation:memory-shared
	if l.shared == nil {
		return l.memory
	}
	return max(1, l.memory/l.shared.Load())
}

// Features returns what is kept of an event, nil if the input no longer holds it. What is not known has to be read
// back. It is valid until the next call, and the next prediction.
func (l *Events) Features(e *labels.Example) (k *labels.Kept, known bool) {
	f := &l.found
	switch {
	case f.seq == e.Seq:
		return &f.kept, true
	case e.Seq <= l.replaced:
		return nil, true
	}
	if r, known := l.kept[e.Seq]; known {
		if r == nil {
			return nil, true
		}
		f.kept = labels.Kept{Record: *r, Features: f.kept.Features[:0]}
	} else if !l.Cache.Get(e.Seq, &f.kept) {
		return nil, false
	}
	f.kept.Record.In(e.Partition)
	// Features that were dropped are in the record. An event that has none may be kept without its record.
	//mutation:featureless-kept
	dropped := len(f.kept.Features) == 0 && f.kept.Record.Value != nil
	if f.seq = 0; dropped && !l.decode() {
		return nil, true
	}
	f.seq = e.Seq
	return &f.kept, true
}

// known reports whether features has something to return.
func (l *Events) known(e *labels.Example) bool {
	_, kept := l.kept[e.Seq]
	return kept || e.Seq <= l.replaced || l.Cache.Has(e.Seq)
}

// decode decodes what was found again. It returns false if the configuration that was accepted since rejects it.
func (l *Events) decode() bool {
	k := &l.found.kept
	k.Features = l.decoder.Decode(&k.Record, k.Features[:0], &k.Example)
	return k.Example.Rejected == nil && !k.Example.Skip
}

func (l *Events) keep(seq int64, r *topics.Record) {
	if l.kept[seq] = r; r != nil {
		l.keptBytes += recall.Size(r)
	}
}

// WaitBeside says to a prediction with a label what waits of each learner's.
func (l *Events) WaitBeside(o *model.Outcome) {
	if o.Beside != nil {
		o.Beside.Waiting = l.Waiting.SumsOf(o.Beside.Waiting[:0])
	}
}

// EndBeside says to the outcome of an example that waits what each learner predicted, and what else waits.
func (l *Events) EndBeside(e *labels.Example, o *model.Outcome) {
	if l.Waiting.Challengers() == 0 {
		return
	}
	b := &l.beside
	l.Waiting.Beside(&b.KeptBeside, e)
	b.Waiting = l.Waiting.OthersOf(b.Waiting[:0], e, &b.KeptBeside)
	b.Published, o.Beside = e.Published, b
}

// Drop forgets what is kept of an event.
func (l *Events) Drop(seq int64) {
	if l.found.seq == seq {
		l.found.seq = 0
	}
	delete(l.wants, seq)
	r, other := l.kept[seq]
	if !other {
		l.Cache.Remove(seq)
		return
	}
	if r != nil {
		l.keptBytes -= recall.Size(r)
	}
	delete(l.kept, seq)
}
