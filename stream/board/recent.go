package board

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

// Sample is an event or a label record that was rejected, or an event that was predicted wrongly. Its bytes are
// untrusted and need not be text.
type Sample struct {
	IsLabel   bool // of a label record
	Partition int32
	Offset    int64
	Time      int64  // the record's timestamp, ms
	Null      bool   // no value
	Value     []byte // its first 1024 bytes
	Size      int    // of the whole value
	Error     string // of a rejected record, at most 1024 bytes

	// Of a mistake: JSON, as in predictions; null for a class unknown to the model.
	Prediction, Label string
	Score             float64
}

// Recent holds the last rejects and mistakes of this process, the newest first. It does not change.
type Recent struct {
	Rejected map[string][]Sample // by reason, at most 3 each
	Mistakes []Sample            // at most 8; of many that waited for their labels, those whose records are kept
}

// recent keeps the newest rejects and mistakes in memory that is reused. The owner of the state owns it.
type recent struct {
	rejected map[event.Reason]*ring
	mistakes ring
	latest   [keptMistakes]mistake // not copied yet: number n is at n modulo keptMistakes
	made     int                   // mistakes since copySamples
	changed  bool                  // since shown was made
	shown    *Recent               // the newest copy
}

// mistake is a wrong prediction for a record that is not copied yet.
type mistake struct {
	at      topics.Place
	time    int64  // the record's
	value   []byte // the record's memory
	outcome model.Outcome
}

type ring struct {
	kept []kept
	next int // the index of the oldest, once the ring is full
}

// kept is a sample whose labels are not encoded yet.
type kept struct {
	Sample
	outcome model.Outcome
}

// entry returns a new entry, or the oldest to overwrite.
func (r *ring) entry(limit int) *kept {
	if len(r.kept) < limit {
		r.kept = append(r.kept, kept{})
		return &r.kept[len(r.kept)-1]
	}
	k := &r.kept[r.next]
	r.next = (r.next + 1) % limit
	return k
}

func (k *kept) set(at topics.Place, time int64, value []byte) {
	copied := append(k.Value[:0], value[:min(len(value), sampleBytes)]...)
	k.Sample = Sample{IsLabel: at.Topic == topics.Labels, Partition: at.Partition, Offset: at.Offset, Time: time,
		Null: value == nil, Value: copied, Size: len(value)}
}

func (h *recent) reject(at topics.Place, r *topics.Record, why *event.Error) {
	if h.rejected == nil {
		h.rejected = map[event.Reason]*ring{}
	}
	of := h.rejected[why.Reason]
	if of == nil {
		of = new(ring)
		h.rejected[why.Reason] = of
	}
	k := of.entry(keptRejects)
	k.set(at, r.Timestamp, r.Value)
	k.Error = clip(why.Message())
	h.changed = true
}

// mistake notes a wrong prediction. It refers to the record's value until copySamples: copying each value would take a
// fiftieth of the time for an event.
func (h *recent) mistake(at topics.Place, r *topics.Record, o *model.Outcome) {
	m := &h.latest[h.made%keptMistakes]
	m.at, m.time, m.value = at, r.Timestamp, r.Value
	to := &m.outcome
	to.Score, to.Prediction, to.Label, to.Family = o.Score, o.Prediction, o.Label, o.Family
	h.made++
	h.changed = true
}

// copySamples copies the records of the newest mistakes, whose memory may then be reused.
func (h *recent) copySamples() {
	for n := max(0, h.made-keptMistakes); n < h.made; n++ {
		m := &h.latest[n%keptMistakes]
		k := h.mistakes.entry(keptMistakes)
		k.set(m.at, m.time, m.value)
		k.outcome = m.outcome
		m.value = nil
	}
	h.made = 0
}

// copy returns a copy, with labels as p and o spell them: the same one until something changes.
func (h *recent) copy(p *model.Processor, o *event.Options) *Recent {
	if h.shown != nil && !h.changed {
		return h.shown
	}
	h.copySamples()
	c := &Recent{Rejected: map[string][]Sample{}}
	for _, reason := range slices.Sorted(maps.Keys(h.rejected)) {
		c.Rejected[reason.String()] = h.rejected[reason].samples(nil)
	}
	form := formOf(o)
	c.Mistakes = h.mistakes.samples(func(k *kept, s *Sample) {
		form(s)
		s.Score = k.outcome.Score
		s.Prediction = clip(string(p.AppendPrediction(nil, o, &k.outcome)))
		s.Label = clip(string(p.AppendLabel(nil, o, nil, &k.outcome)))
	})
	h.shown, h.changed = c, false
	return c
}

// formOf returns what makes the value of an event that has a schema or an envelope what it is in json, for people.
func formOf(o *event.Options) func(*Sample) {
	if !o.HasForm() {
		return func(*Sample) {}
	}
	d, err := event.New(*o)
	return func(s *Sample) {
		if err != nil || len(s.Value) < s.Size {
			return
		}
		//mutation:form-of-a-mistake
		if text, ok := d.JSONForm(nil, &event.Record{Value: s.Value}); ok && len(text) <= 2*sampleBytes {
			s.Value, s.Size = text, len(text)
		}
	}
}

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

// clip returns at most sampleBytes of a text, a part as a copy.
func clip(text string) string {
	if len(text) <= sampleBytes {
		return text
	}
	return strings.ToValidUTF8(text[:sampleBytes-len("…")], "") + "…"
}
