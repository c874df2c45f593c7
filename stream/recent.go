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

// How much of what happened lately is kept for people to look at.
const (
	keptRejects  = 3    // of each reason
	keptMistakes = 8    // in all
	sampleBytes  = 1024 // of each value, and of each text
)

// Sample is a record of the input that was rejected, or answered wrongly. Its bytes are other people's: whoever shows them
// must not take them for markup, nor trust them to be text.
type Sample struct {
	Partition int32
	Offset    int64
	Time      int64  // the record's timestamp, ms
	Null      bool   // there was no value at all
	Value     []byte // at most the first 1024 bytes of it
	Size      int    // of all of it
	Error     string // why it was rejected, at most 1024 bytes

	// Of a mistake: JSON, as answers spell them. A class that the model does not know is null.
	Prediction, Label string
	Score             float64
}

// Recent is what this process rejected and answered wrongly last, the newest first. Nobody changes it.
type Recent struct {
	Rejected map[string][]Sample // by reason, at most 3 each
	Mistakes []Sample            // at most 8
}

// recent keeps the newest rejects and mistakes in memory that it uses again. The owner of the model owns it.
type recent struct {
	rejected map[event.Reason]*ring
	mistakes ring
	latest   [keptMistakes]mistake // the newest ones whose records are still at hand: number n stands at n modulo keptMistakes
	made     int                   // how many mistakes there were since settle
	changed  bool                  // since shown was made
	shown    *Recent               // the newest copy
}

// mistake is a wrong answer to a record that is still at hand.
type mistake struct {
	at      place
	record  *topics.Record
	outcome model.Outcome // as far as spelled
}

// ring holds the newest few kept.
type ring struct {
	kept []kept
	next int // the place of the oldest, once all places are taken
}

// kept is a sample whose labels are not spelled yet.
type kept struct {
	Sample
	outcome model.Outcome
}

// place returns the entry to write to: a new one, or the oldest.
func (r *ring) place(limit int) *kept {
	if len(r.kept) < limit {
		r.kept = append(r.kept, kept{})
		return &r.kept[len(r.kept)-1]
	}
	k := &r.kept[r.next]
	r.next = (r.next + 1) % limit
	return k
}

// set takes what a record holds.
func (k *kept) set(at place, r *topics.Record) {
	value := append(k.Value[:0], r.Value[:min(len(r.Value), sampleBytes)]...)
	k.Sample = Sample{Partition: at.partition, Offset: at.offset, Time: r.Timestamp, Null: r.Value == nil, Value: value, Size: len(r.Value)}
}

// reject takes note of a rejected record.
func (h *recent) reject(at place, r *topics.Record, reason event.Reason, text string) {
	if h.rejected == nil {
		h.rejected = map[event.Reason]*ring{}
	}
	of := h.rejected[reason]
	if of == nil {
		of = new(ring)
		h.rejected[reason] = of
	}
	k := of.place(keptRejects)
	k.set(at, r)
	k.Error = clip(text)
	h.changed = true
}

// mistake takes note of a wrong answer. The record is looked at until settle is called: a model may be wrong every other time,
// and a copy of each value would be a fiftieth of all there is to do for an event.
func (h *recent) mistake(at place, r *topics.Record, o *model.Outcome) {
	m := &h.latest[h.made%keptMistakes]
	m.at, m.record = at, r
	to := &m.outcome
	to.Score, to.Prediction, to.Label, to.Family = o.Score, o.Prediction, o.Label, o.Family
	h.made++
	h.changed = true
}

// settle copies what the newest mistakes hold of their records, which may be used again from then on.
func (h *recent) settle() {
	for n := max(0, h.made-keptMistakes); n < h.made; n++ {
		m := &h.latest[n%keptMistakes]
		k := h.mistakes.place(keptMistakes)
		k.set(m.at, m.record)
		k.outcome = m.outcome
		m.record = nil
	}
	h.made = 0
}

// copy returns what there is, spelled with p and o. It is made anew only when something has changed.
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
		s.Label = clip(string(p.AppendLabel(nil, o, &k.outcome)))
	})
	h.shown, h.changed = c, false
	return c
}

// samples are copies, the newest first.
func (r *ring) samples(spell func(*kept, *Sample)) []Sample {
	out := make([]Sample, 0, len(r.kept))
	for i := range r.kept {
		k := &r.kept[(r.next+len(r.kept)-1-i)%len(r.kept)]
		s := k.Sample
		s.Value = bytes.Clone(k.Value)
		if spell != nil {
			spell(k, &s)
		}
		out = append(out, s)
	}
	return out
}

// clip is the beginning of a text, in memory of its own when something is left out.
func clip(text string) string {
	if len(text) <= sampleBytes {
		return text
	}
	return strings.ToValidUTF8(text[:sampleBytes-len("…")], "") + "…"
}
