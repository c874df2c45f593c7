package verify_test

import (
	"fmt"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// scribe writes what a daemon would: it handles events and label records as they are given, in memory. Its journal has
// no layouts. Fields of the configuration may be changed before the first record.
type scribe struct {
	t *testing.T
	recorded
	config model.Config
	limits labels.Limits
	epoch  int64
	now    int64 // by its clock, ms

	proc    *model.Processor
	decoder *event.Decoder
	labels  *event.Decoder
	assumed event.Example
	waiting *labels.Waiting
	clock   labels.Clock
	events  map[int64]*labels.Kept // by seq
	seq     int64
}

const scribeModel = "m"

func newScribe(t *testing.T, events, labelPartitions, outcomes int) *scribe {
	options := event.Defaults(event.JSON)
	options.Bits = 10
	s := &scribe{t: t, epoch: 1, now: 1_000_000, clock: labels.Clock{Ahead: 60 * 60 * 1000},
		events: map[int64]*labels.Kept{}, limits: labels.Limits{Wait: 1000, Examples: 1000, Settled: 1000}}
	s.config.Decode = options
	s.config.Learner.Scale, s.config.Learner.Bits = "standard", options.Bits
	s.config.Learner.Learner = "perceptron"
	s.config.Learner = s.config.Learner.WithDefaults()
	s.config.Late = &model.LateLabels{Join: model.JoinID, Decode: options}
	for topic, n := range [...]int{topics.Input: events, topics.Output: events, topics.DeadLetters: 1,
		topics.Outcomes: outcomes, topics.Labels: labelPartitions} {
		s.records[topic] = make([][]topics.Record, n)
		s.top.Of(topics.Topic(topic)).Name = fmt.Sprint("topic", topic)
		s.top.Of(topics.Topic(topic)).Partitions = make([]topics.Bounds, n)
	}
	return s
}

// begin makes the model, with the first record.
func (s *scribe) begin() {
	if s.proc != nil {
		return
	}
	var err error
	if s.proc, err = model.NewProcessor(s.config); err != nil {
		s.t.Fatal(err)
	}
	if s.decoder, err = event.New(s.config.Decode); err != nil {
		s.t.Fatal(err)
	}
	if s.labels, err = event.NewLabels(s.config.Late.Decode, s.config.Late.ByKey()); err != nil {
		s.t.Fatal(err)
	}
	if s.config.Late.Assume != "" {
		if s.assumed, err = s.labels.ReadLabel(s.config.Late.Assume); err != nil {
			s.t.Fatal(err)
		}
	}
	s.waiting = labels.New(s.limits)
}

func (s *scribe) append(topic topics.Topic, partition int32, r topics.Record) topics.Record {
	all := &s.records[topic][partition]
	r.Offset = int64(len(*all))
	if r.Timestamp == 0 {
		r.Timestamp = s.now
	}
	*all = append(*all, r)
	s.renumber(topic)
	return r
}

func (s *scribe) id(e *event.Example, r *topics.Record) (labels.ID, bool) {
	by := event.Example{ID: e.ID, IDIsJSON: e.IDIsJSON}
	if s.config.Late.ByKey() {
		by = event.Example{ID: r.Key}
	}
	if by.ID == nil {
		return labels.ID{}, false
	}
	return labels.NewID(event.AppendIDKey(nil, &by)), true
}

func (s *scribe) deadLetter(topic topics.Topic, partition int32, r *topics.Record, reason event.Reason) {
	s.append(topics.DeadLetters, 0, topics.Record{Headers: rawHeaders("rosenblatt.reason", reason.String(),
		"rosenblatt.topic", s.top.Of(topic).Name, "rosenblatt.partition", fmt.Sprint(partition), "rosenblatt.offset",
		fmt.Sprint(r.Offset), "rosenblatt.model", journal.ModelAt(scribeModel, s.epoch),
		"rosenblatt.output", s.top.Output.Name)})
}

// event handles an event.
func (s *scribe) event(partition int32, r topics.Record) {
	s.begin()
	r = s.append(topics.Input, partition, r)
	var e event.Example
	x := e.Features(s.decoder.Decode(&r, nil, &e))
	x = x[:e.End-e.Start]
	o, rejected := s.proc.Predict(&e, x)
	if rejected != nil {
		s.deadLetter(topics.Input, partition, &r, rejected.Reason)
		return
	}
	s.seq++
	encoder := journal.NewPredictionEncoder(s.config.Decode, s.proc, scribeModel, s.epoch)
	s.append(topics.Output, partition,
		topics.Record{Key: r.Key, Value: encoder.Append(nil, partition, &r, &e, o, s.seq)})
	was := *o
	o.Waiting = s.waiting.Sums()
	s.proc.Publish(o)
	s.proc.Learn(&r, o)
	id, named := s.id(&e, &r)
	switch {
	case !named:
		return
	case was.Labelled:
		s.waiting.Own(id, labels.LabelOf(&e))
		return
	}
	w := labels.Example{ID: id, Seq: s.seq, Partition: partition, Offset: r.Offset, Time: r.Timestamp,
		Since: min(r.Timestamp, s.now), Published: was.Kept(), Score: was.Score}
	s.events[s.seq] = &labels.Kept{Example: e, Features: x, Record: r}
	if s.waiting.Add(w) {
		s.outcome(journal.DuplicateID, w, nil, nil, 0)
	}
	s.due()
}

// label handles a label record.
func (s *scribe) label(partition int32, r topics.Record) {
	s.begin()
	r = s.append(topics.Labels, partition, r)
	var e event.Example
	s.labels.Decode(&r, nil, &e)
	switch {
	case e.Skip:
	case e.Rejected != nil:
		s.deadLetter(topics.Labels, partition, &r, e.Rejected.Reason)
	default:
		s.act(partition, &r, &e)
	}
	s.clock.Pass(partition, r.Timestamp, s.now)
	s.due()
}

func (s *scribe) act(partition int32, r *topics.Record, e *event.Example) {
	id, _ := s.id(e, r)
	switch verdict, x := s.waiting.Find(id, labels.LabelOf(e)); verdict {
	case labels.Waits:
		kind := journal.Labelled
		if s.events[x.Seq] == nil {
			kind = journal.Gone
		}
		if why := s.outcome(kind, *x, e, r, partition); why != event.OK {
			s.deadLetter(topics.Labels, partition, r, why)
		}
	case labels.Repeat:
	default:
		s.deadLetter(topics.Labels, partition, r, map[labels.Verdict]event.Reason{labels.NoExample: event.NoExample,
			labels.Conflicting: event.ConflictingLabel, labels.Late: event.LateLabel}[verdict])
	}
}

func (s *scribe) due() {
	for {
		x, how := s.waiting.Due(&s.clock, s.config.Late.Assume != "")
		switch how {
		case 0:
			return
		case labels.Assumed:
			if s.events[x.Seq] == nil || s.outcome(journal.Assumed, *x, &s.assumed, nil, 0) != event.OK {
				s.outcome(journal.Expired, *x, nil, nil, 0)
			}
		case labels.Expired:
			s.outcome(journal.Expired, *x, nil, nil, 0)
		default:
			s.outcome(journal.Evicted, *x, nil, nil, 0)
		}
	}
}

// outcome publishes an outcome and learns it, unless the model refuses its label.
func (s *scribe) outcome(kind journal.Kind, x labels.Example, label *event.Example, r *topics.Record, p int32,
) event.Reason {
	was := x.Published.Prediction()
	o := &journal.Outcome{Kind: kind, Of: x.Seq, Score: x.Score, Untrained: was.Untrained, Partition: x.Partition,
		Offset: x.Offset, Time: x.Time, LabelPartition: p, Prediction: s.proc.AppendPrediction(nil, &s.config.Decode,
			&model.Outcome{Prediction: was.Class, Family: s.proc.Family})}
	k := s.events[x.Seq]
	if k != nil {
		o.Key = k.Record.Key
		if k.Example.ID != nil {
			o.ID = event.AppendID(nil, &k.Example)
		}
	}
	if r != nil {
		o.LabelOffset, o.Delay = r.Offset, r.Timestamp-x.Time
		if k == nil && !s.config.Late.ByKey() {
			o.ID = event.AppendID(nil, label)
		} else if k == nil {
			o.Key = r.Key
		}
	}
	var learned *model.Outcome
	if label != nil {
		e, features := *label, []learner.Feature(nil)
		e.Weight = 1
		if k != nil {
			e, features = k.Example, k.Features
			e.Label, e.Class, e.Family = label.Label, label.Class, label.Family
			if label.Weight >= 0 {
				e.Weight = label.Weight
			}
		}
		now, rejected := s.proc.Predict(&e, features)
		if rejected != nil {
			return rejected.Reason
		}
		score := now.Score
		s.proc.SetPrediction(&model.Outcome{Prediction: was.Class, Score: x.Score, Untrained: was.Untrained,
			Millionths: was.Millionths, Calibrated: was.Calibrated})
		o.Label = s.proc.AppendLabel(nil, &s.config.Decode, &e, now)
		if k != nil {
			learned = now
			o.Scored, o.ScoreNow, o.Mistake, o.Updated = true, score, now.Mistake, now.Updated
		}
	}
	s.seq++
	value := journal.NewOutcomeEncoder(scribeModel, s.epoch).Append(nil, o, s.seq)
	s.append(topics.Outcomes, o.Home(len(s.records[topics.Outcomes])), topics.Record{Key: o.Key, Value: value})
	if learned != nil {
		learned.Waiting = s.waiting.Others(&x)
		s.proc.Learn(&k.Record, learned)
	}
	if kind != journal.DuplicateID {
		known := labels.Label(0)
		if r != nil {
			known = labels.LabelOf(label)
		}
		_, waits := s.waiting.Find(x.ID, 0)
		ends := map[journal.Kind]labels.Outcome{journal.Labelled: labels.Labelled, journal.Gone: labels.Gone,
			journal.Assumed: labels.Assumed, journal.Expired: labels.Expired, journal.Evicted: labels.Evicted}
		s.waiting.End(waits, ends[kind], known)
	}
	return event.OK
}
