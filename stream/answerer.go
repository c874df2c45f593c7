package stream

import (
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// Answerer spells answers as the daemon publishes them, so that what was published can be compared with what had to be. One
// goroutine uses it.
type Answerer struct {
	with *answerer
	buf  []byte
}

// NewAnswerer makes an Answerer for what p answers under the name model@epoch.
func NewAnswerer(f model.Config, p *model.Processor, model string, epoch int64) *Answerer {
	return &Answerer{with: newAnswerer(f.Decode, p, model, epoch)}
}

// Spell gives the answer to record r of an input partition, of which e was decoded and o is the outcome. It is called between
// Predict and Learn. The bytes are valid until the next call.
func (a *Answerer) Spell(partition int32, r *topics.Record, e *event.Example, o *model.Outcome, seq int64) []byte {
	a.buf = a.with.encode(a.buf[:0], partition, r, e, o, seq)
	return a.buf
}
