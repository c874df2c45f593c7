package stream

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// How much is kept.
const (
	keptRejects  = 3    // of each reason
	keptMistakes = 8    // in all
	sampleBytes  = 1024 // of each value, and of each text
)

// Sample is a record of the input that was rejected, or predicted wrongly. Its bytes are untrusted: they may be markup,
// and they may be no text.
type Sample struct {
	Partition int32
	Offset    int64
	Time      int64  // the record's timestamp, ms
	Null      bool   // there was no value
	Value     []byte // at most the first 1024 bytes of it
	Size      int    // of all of it
	Error     string // why it was rejected, at most 1024 bytes

	// Of a mistake: JSON, as in predictions. A class that the model does not know is null.
	Prediction, Label string
	Score             float64
}

// Recent holds the last rejects and mistakes of this process, the newest first. It does not change.
type Recent struct {
	Rejected map[string][]Sample // by reason, at most 3 each
	Mistakes []Sample            // at most 8
}

// recent keeps the newest rejects and mistakes in memory that it uses again. The owner of the state owns it.
type recent struct {
	rejected map[event.Reason]*ring
	mistakes ring
	latest   [keptMistakes]mistake // those whose records are not copied yet: number n is at n modulo keptMistakes
	made     int                   // mistakes since settle
	changed  bool                  // since shown was made
	shown    *Recent               // the newest copy
}

// mistake is a wrong prediction for a record that is not copied yet.
type mistake struct {
	at      place
	record  *topics.Record
	outcome model.Outcome // what encoding it needs
}

// ring holds the newest samples.
type ring struct {
	kept []kept
	next int // the index of the oldest, once the ring is full
}

// kept is a sample whose labels are not encoded yet.
type kept struct {
	Sample
	outcome model.Outcome
}

// entry returns the entry to write to: a new one, or the oldest.
func (r *ring) entry(limit int) *kept {
	if len(r.kept) < limit {
		r.kept = append(r.kept, kept{})
		return &r.kept[len(r.kept)-1]
	}
	k := &r.kept[r.next]
	r.next = (r.next + 1) % limit
	return k
}

// set copies a record.
func (k *kept) set(at place, r *topics.Record) {
	value := append(k.Value[:0], r.Value[:min(len(r.Value), sampleBytes)]...)
	k.Sample = Sample{Partition: at.partition, Offset: at.offset, Time: r.Timestamp,
		Null: r.Value == nil, Value: value, Size: len(r.Value)}
}

// reject notes a rejected record.
func (h *recent) reject(at place, r *topics.Record, why *event.Error) {
	if h.rejected == nil {
		h.rejected = map[event.Reason]*ring{}
	}
	of := h.rejected[why.Reason]
	if of == nil {
		of = new(ring)
		h.rejected[why.Reason] = of
	}
	k := of.entry(keptRejects)
	k.set(at, r)
	k.Error = clip(why.Message())
	h.changed = true
}

// mistake notes a wrong prediction. It refers to the record until settle is called: copying each value would take a
// fiftieth of the time for an event.
func (h *recent) mistake(at place, r *topics.Record, o *model.Outcome) {
	m := &h.latest[h.made%keptMistakes]
	m.at, m.record = at, r
	to := &m.outcome
	to.Score, to.Prediction, to.Label, to.Family = o.Score, o.Prediction, o.Label, o.Family
	h.made++
	h.changed = true
}

// settle copies the records of the newest mistakes. From then on their memory may be used again.
func (h *recent) settle() {
	for n := max(0, h.made-keptMistakes); n < h.made; n++ {
		m := &h.latest[n%keptMistakes]
		k := h.mistakes.entry(keptMistakes)
		k.set(m.at, m.record)
		k.outcome = m.outcome
		m.record = nil
	}
	h.made = 0
}

// copy returns a copy, with labels as p and o spell them: the same one until something changes.
func (h *recent) copy(p *model.Processor, o *event.Options) *Recent {
	if h.shown != nil && !h.changed {
		return h.shown
	}
	h.settle()
	c := &Recent{Rejected: map[string][]Sample{}}
	for _, reason := range slices.Sorted(maps.Keys(h.rejected)) {
		c.Rejected[reason.String()] = h.rejected[reason].samples(nil)
	}
	c.Mistakes = h.mistakes.samples(func(k *kept, s *Sample) {
		s.Score = k.outcome.Score
		s.Prediction = clip(string(p.AppendPrediction(nil, o, &k.outcome)))
		s.Label = clip(string(p.AppendLabel(nil, o, nil, &k.outcome)))
	})
	h.shown, h.changed = c, false
	return c
}

// samples returns copies, the newest first.
func (r *ring) samples(encode func(*kept, *Sample)) []Sample {
	out := make([]Sample, 0, len(r.kept))
	for i := range r.kept {
		k := &r.kept[(r.next+len(r.kept)-1-i)%len(r.kept)]
		s := k.Sample
		s.Value = bytes.Clone(k.Value)
		if encode != nil {
			encode(k, &s)
		}
		out = append(out, s)
	}
	return out
}

// clip returns the beginning of a text: all of it, or a copy of a part.
func clip(text string) string {
	if len(text) <= sampleBytes {
		return text
	}
	return strings.ToValidUTF8(text[:sampleBytes-len("…")], "") + "…"
}
