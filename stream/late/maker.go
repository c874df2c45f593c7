package late

import (
	"fmt"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// Maker makes outcomes: what one says of an example, its event and its label. Which is next, and when, is for others to
// decide. The daemon, recovery and audits use it. An outcome is valid until the next one is made.
type Maker struct {
	options *event.Options // of the events
	byKey   bool           // ids are the records' keys
	assumed *event.Example // the label that silence means; nil: none
	last    ending         // the outcome made last

	made    journal.Outcome // memory that is used again, as what follows
	text    []byte
	example event.Example
	outcome model.Outcome
}

// ending is what an outcome is made of.
type ending struct {
	example *labels.Example
	kept    *labels.Kept
	label   labels.Label
	now     *model.Outcome // what is learned; nil: nothing
}

// LabelRecord is a label record and what it says.
type LabelRecord struct {
	Partition int32
	Record    *topics.Record
	Example   *event.Example
}

// NewMaker makes a maker for a configuration, which may be without later labels.
func NewMaker(c *model.Config) (m Maker, err error) {
	m.options = &c.Decode
	if c.Late == nil {
		return m, nil
	}
	if m.byKey = c.Late.ByKey(); c.Late.Assume == "" {
		return m, nil
	}
	d, err := event.NewLabels(c.Late.Decode, m.byKey)
	if err == nil {
		var assumed event.Example
		assumed, err = d.ReadLabel(c.Late.Assume)
		m.assumed = &assumed
	}
	if err != nil {
		return m, fmt.Errorf("the label that silence means: %w", err)
	}
	return m, nil
}

// Assumes reports whether silence means a label.
func (m *Maker) Assumes() bool { return m.assumed != nil }

// Learned is what is learned of the outcome made last; nil: nothing.
func (m *Maker) Learned() *model.Outcome { return m.last.now }

// MakeUnlabelled makes an outcome from which nothing is learned.
func (m *Maker) MakeUnlabelled(kind journal.Kind, e *labels.Example, k *labels.Kept, p *model.Processor,
) *journal.Outcome {
	m.last = ending{example: e, kept: k}
	was := e.Published.Prediction()
	m.made = journal.Outcome{Kind: kind, Of: e.Seq, Score: e.Score, Untrained: was.Untrained,
		Partition: e.Partition, Offset: e.Offset, Time: e.Time}
	o := &m.made
	m.outcome = model.Outcome{Prediction: was.Class, Family: p.Family}
	m.text = p.AppendPrediction(m.text[:0], m.options, &m.outcome)
	o.Prediction = m.text
	if k != nil {
		o.Key = k.Record.Key
		if k.Example.ID != nil {
			o.ID = m.added(event.AppendID(m.text, &k.Example))
		}
	}
	return o
}

// added returns what was appended to the texts of the outcome.
func (m *Maker) added(longer []byte) []byte {
	from := len(m.text)
	m.text = longer
	return longer[from:len(longer):len(longer)]
}

// MakeAssumed makes the outcome of an example with the label that silence means. The model may refuse it.
func (m *Maker) MakeAssumed(e *labels.Example, k *labels.Kept, p *model.Processor) (*journal.Outcome, *event.Error) {
	return m.learned(journal.Assumed, e, k, m.assumed, p)
}

// MakeLabelled makes the outcome of a label record whose example waits: learned with the event's features, or gone
// without them. The model may refuse the label.
func (m *Maker) MakeLabelled(e *labels.Example, k *labels.Kept, label *LabelRecord, p *model.Processor) (
	o *journal.Outcome, rejected *event.Error) {
	if k != nil {
		o, rejected = m.learned(journal.Labelled, e, k, label.Example, p)
	} else {
		o, rejected = m.gone(e, label, p)
	}
	if rejected == nil {
		o.LabelPartition, o.LabelOffset = label.Partition, label.Record.Offset
		o.Delay = label.Record.Timestamp - e.Time
	}
	return o, rejected
}

// Predict predicts an event again, with a label, and with its weight if that has one. Without the event k is nil, and
// only whether the label fits those before is said.
func (m *Maker) Predict(k *labels.Kept, label *event.Example, p *model.Processor) (*model.Outcome, *event.Error) {
	x := &m.example
	if k == nil {
		*x = *label
		x.Weight = 1
		return p.Predict(x, nil)
	}
	*x = k.Example
	x.Label, x.Class, x.Family = label.Label, label.Class, label.Family
	if label.Weight >= 0 {
		x.Weight = label.Weight
	}
	return p.Predict(x, k.Features)
}

// learned makes an outcome with a label: scored is the published prediction, the present model is updated.
func (m *Maker) learned(kind journal.Kind, e *labels.Example, k *labels.Kept, label *event.Example,
	p *model.Processor) (*journal.Outcome, *event.Error) {
	now, rejected := m.Predict(k, label, p)
	if rejected != nil {
		return nil, rejected
	}
	o := m.MakeUnlabelled(kind, e, k, p)
	o.ScoreNow = now.Score
	was := p.Published(e)
	//mutation:published-scored
	p.SetPrediction(&was)
	o.Label = m.added(p.AppendLabel(m.text, m.options, &m.example, now))
	o.Scored, o.Mistake, o.Updated = true, now.Mistake, now.Updated
	m.last.now, m.last.label = now, labels.LabelOf(label)
	return o, nil
}

// gone makes the outcome of a label whose event the input no longer holds.
func (m *Maker) gone(e *labels.Example, label *LabelRecord, p *model.Processor) (*journal.Outcome, *event.Error) {
	now, rejected := m.Predict(nil, label.Example, p)
	if rejected != nil {
		return nil, rejected
	}
	o := m.MakeUnlabelled(journal.Gone, e, nil, p)
	o.Label = m.added(p.AppendLabel(m.text, m.options, &m.example, now))
	if m.byKey {
		o.Key = label.Record.Key
	} else {
		o.ID = m.added(event.AppendID(m.text, label.Example))
	}
	m.last.label = labels.LabelOf(label.Example)
	return o, nil
}
