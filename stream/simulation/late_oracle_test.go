package simulation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"rosenblatt/checkpoint"
	"rosenblatt/learner/decision"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/verify"
)

// lateOracle knows what waits for labels, in lists and maps.
type lateOracle struct {
	*model.LateLabels
	decoder *event.Decoder
	assumed event.Example
	waiting []*lateEvent          // by seq
	known   map[string]*lateEvent // every id that was predicted
	last    *lateEvent            // the last prediction, if its id was known
	settled int                   // the least number of settled ids that a process remembers
	ended   int                   // ids that were settled so far, at most
	other   map[int64]uint64      // by seq: sums if that id was forgotten
	floor   *verify.Floor         // of the newest checkpoint
}

// lateEvent is an event that was predicted.
type lateEvent struct {
	seq       int64
	in        *input
	at        spot
	published labels.Example   // its prediction
	beside    []labels.Example // what each learner predicted
	by        int              // the one whose prediction was published
	ended     int              // ids that were settled before its own was, -1 while it waits
}

func newLateOracle(c *model.LateLabels) (o *lateOracle, err error) {
	o = &lateOracle{LateLabels: c, known: map[string]*lateEvent{}, settled: math.MaxInt, other: map[int64]uint64{}}
	if o.decoder, err = event.NewLabels(c.Decode, false); err == nil && c.Assume != "" {
		o.assumed, err = o.decoder.ReadLabel(c.Assume)
	}
	return o, err
}

// sum is a hash of what waits.
func (o *lateOracle) sum() uint64 {
	var seqs []int64
	for _, x := range o.waiting {
		seqs = append(seqs, x.seq)
		if x.published.Published.Prediction().Untrained {
			seqs = append(seqs, 0)
		}
	}
	last := int64(0)
	if o.last != nil {
		last = o.last.seq
	}
	text, _ := json.Marshal(append(seqs, -last))
	return maphash.Bytes(sumSeed, text)
}

// sums is what waits of a learner for what it teaches its cut.
func (o *lateOracle) sums(number int) (w decision.Waiting) {
	for _, x := range o.waiting {
		if p := x.beside[number].Published.Prediction(); !p.Untrained && p.Millionths > 0 {
			w.Add(p.Class == model.Positive, p.Millionths, 1)
		}
	}
	return w
}

// waitingOf compares what a checkpoint holds.
func (o *oracle) waitingOf(f *checkpoint.File) error {
	var h model.Header
	if err := json.Unmarshal(f.Header, &h); err != nil {
		return err
	}
	if h.Late == nil {
		return errors.New("it has no label time")
	}
	w, err := labels.Restore(o.w.setup.Config.Labels.Limits, 0, f.Section)
	if err != nil {
		return err
	}
	var is lateOracle
	for x := w.First(); x != nil; x = w.After(x) {
		is.waiting = append(is.waiting, &lateEvent{seq: x.Seq, published: *x})
	}
	if h.Late.Duplicate != nil {
		is.last = &lateEvent{seq: h.Late.Duplicate.Seq}
	}
	if sum := is.sum(); sum != o.pendingSums[h.Seq] && sum != o.late.other[h.Seq] {
		return fmt.Errorf("what waits, %d examples, is not what waits after seq %d", len(is.waiting), h.Seq)
	}
	if o.late.floor == nil || h.Seq >= o.late.floor.Seq {
		o.late.floor = verify.FloorOf(&h)
	}
	for at, in := range o.labels {
		below := int(at.partition) < len(h.LabelPositions) && at.offset < h.LabelPositions[at.partition]
		switch {
		case in.aborted, in.skipped:
		case in.seq != 0 && (in.seq <= h.Seq) != below:
			return fmt.Errorf("label %v has the outcome of seq %d, the positions are %v", at, in.seq, h.LabelPositions)
		case below && in.malformed && in.deadLetters == 0:
			return fmt.Errorf("label %v is malformed, the positions are %v", at, h.LabelPositions)
		case below && in.seq == 0 && in.deadLetters == 0 && o.late.known[in.id] == nil:
			return fmt.Errorf("label %v has neither outcome nor dead letter, the positions are %v", at,
				h.LabelPositions)
		}
	}
	return nil
}

// predictedLate notes a prediction, and learns it unless it waits.
func (o *oracle) predictedLate(a journal.Prediction, in *input, e *event.Example) {
	l := o.late
	if l.forgot(); l.last != nil {
		o.w.violate("seq %d is a prediction, and the outcome of seq %d is due", a.Seq, l.last.seq)
		return
	}
	kept := o.learners.kept()
	x := &lateEvent{seq: a.Seq, in: in, at: spot{a.Partition, a.Offset}, ended: -1, beside: kept,
		by: o.learners.champion, published: kept[o.learners.champion]}
	switch before := l.known[in.id]; {
	case in.later && before == nil:
		l.known[in.id] = x
		l.waiting = append(l.waiting, x)
	case in.later:
		l.last = x
		if was := *l; l.forgettable() {
			was.waiting, was.last = append(slices.Clone(l.waiting), x), nil
			l.other[a.Seq] = was.sum()
		}
	default:
		if before == nil {
			l.known[in.id] = x
			l.settle(x)
		}
		for i, y := range o.learners.all {
			y.out.Waiting = l.sums(i)
		}
		o.learnOwn(in, e)
	}
	o.remember()
}

// settle notes that an id does not wait any more.
func (l *lateOracle) settle(x *lateEvent) { x.ended, l.ended = l.ended, l.ended+1 }

// forgettable reports whether the id of the last prediction may be forgotten, as only the next entry tells.
func (l *lateOracle) forgettable() bool {
	before := l.known[l.last.in.id]
	return before.ended >= 0 && l.ended-before.ended > l.settled
}

// forgot lets the last prediction wait because its outcome, which would be the next entry, is not.
func (l *lateOracle) forgot() {
	if l.last != nil && l.forgettable() {
		l.known[l.last.in.id], l.waiting, l.last = l.last, append(l.waiting, l.last), nil
	}
}

// settleLate makes an outcome anew, and learns.
func (o *oracle) settleLate(e entry) {
	is := e.outcome
	o.w.count("outcomes " + is.Kind.String())
	x, label, err := o.ended(&e)
	if err != nil {
		o.w.violate("seq %d, %v of seq %d: %v", e.Seq, is.Kind, is.Of, err)
		return
	}
	x.in.ended = e.Seq
	want := journal.Outcome{Kind: is.Kind, Of: x.seq, ID: []byte(x.in.id), Key: x.in.record.Key,
		Score: x.published.Score, Untrained: x.published.Published.Prediction().Untrained,
		Partition: x.at.partition, Offset: x.at.offset, Time: x.in.record.Timestamp}
	options := &o.w.setup.Config.ModelConfig.Decode
	champion := o.learners.live().proc
	want.Prediction = champion.AppendPrediction(nil, options,
		&model.Outcome{Prediction: x.published.Published.Prediction().Class, Family: champion.Family})
	if is.Kind.ByLabel() {
		in := o.labels[spot{is.LabelPartition, is.LabelOffset}]
		in.seq = e.Seq
		want.LabelPartition, want.LabelOffset, want.Delay = is.LabelPartition, is.LabelOffset,
			in.record.Timestamp-x.in.record.Timestamp
	}
	if label != nil {
		var ex event.Example
		arena := o.decoder.Decode(&x.in.record, nil, &ex)
		ex.Label, ex.Class, ex.Family = label.Label, label.Class, label.Family
		now, err := o.learners.predict(&ex, arena)
		if err != nil {
			o.w.violate("seq %d learns what the model refuses: %v", e.Seq, err)
			return
		}
		want.Scored, want.ScoreNow, want.Updated = true, now.Score, now.Updated
		was := champion.Published(&x.published)
		champion.SetPrediction(&was)
		want.Mistake, want.Label = now.Mistake, champion.AppendLabel(nil, options, &ex, now)
	}
	if o.sameOutcome(&e, &want) {
		o.learnLate(x, is.Kind, label != nil)
		o.remember()
	}
}

// learnLate has each learner learn by what it had predicted itself.
func (o *oracle) learnLate(x *lateEvent, kind journal.Kind, labelled bool) {
	if kind == journal.DuplicateID {
		o.late.last = nil
	}
	for i, y := range o.learners.all {
		was := y.proc.Published(&x.beside[i])
		switch {
		case kind == journal.DuplicateID:
			y.proc.Learn(nil, &model.Outcome{Family: y.proc.Family}) // it is counted
		case !labelled:
			y.proc.Learn(nil, &was)
		default:
			y.proc.SetPrediction(&was)
			if i == x.by {
				o.learners.figure(y.out)
			}
			y.out.Waiting = o.late.sums(i)
			untrained, mistake := was.Untrained, y.out.Mistake
			y.proc.Learn(&x.in.record, y.out)
			o.learned(y, untrained, mistake)
		}
	}
}

// ended takes out what an outcome ends the waiting of, and returns the label that is learned.
func (o *oracle) ended(e *entry) (x *lateEvent, label *event.Example, err error) {
	l, is := o.late, e.outcome
	if is.Kind != journal.DuplicateID {
		l.forgot()
	}
	switch {
	case (is.Kind == journal.DuplicateID) != (l.last != nil):
		return nil, nil, fmt.Errorf("the last prediction is %+v", l.last)
	case l.last != nil:
		return l.last, nil, nil
	case len(l.waiting) == 0:
		return nil, nil, errors.New("nothing waits")
	}
	i := 0
	switch is.Kind {
	case journal.Assumed:
		label = &l.assumed
	case journal.Gone:
		return nil, nil, errors.New("the input has every event")
	case journal.Labelled:
		in := o.labels[spot{is.LabelPartition, is.LabelOffset}]
		if in == nil || in.aborted || in.malformed || in.skipped || in.seq != 0 || in.deadLetters != 0 {
			return nil, nil, fmt.Errorf("its label is %+v", in)
		}
		for i < len(l.waiting) && l.waiting[i].in.id != in.id {
			i++
		}
		label = &event.Example{}
		l.decoder.Decode(&in.record, nil, label)
	}
	if i == len(l.waiting) || l.waiting[i].seq != is.Of {
		return nil, nil, fmt.Errorf("it does not wait for that: place %d of %d", i, len(l.waiting))
	}
	x = l.waiting[i]
	l.waiting = append(l.waiting[:i:i], l.waiting[i+1:]...)
	l.settle(x)
	return x, label, nil
}

// sameOutcome compares an outcome with the one that was made anew.
func (o *oracle) sameOutcome(e *entry, want *journal.Outcome) bool {
	r := e.record
	r.Key = want.Key
	r.Value = journal.NewOutcomeEncoder(o.w.setup.Config.Model, journal.EpochOf(e.Model)).Append(nil, want, e.Seq)
	if journal.IsShort(e.record.Value) {
		o.w.count("short outcomes")
		journal.Shorten(&r)
	}
	if bytes.Equal(r.Value, e.record.Value) && bytes.Equal(r.Key, e.record.Key) {
		return true
	}
	o.w.violate("outcome\n%s\nis made anew as\n%s", e.record.Value, r.Value)
	return false
}

// deadLabel checks a dead letter of a label record.
func (o *oracle) deadLabel(partition int32, l *journal.DeadLetter) {
	o.checkEarly(l.Model)
	in := o.labels[spot{l.Partition, l.Offset}]
	if in == nil || in.aborted || in.skipped || in.seq != 0 || in.deadLetters > 0 {
		o.w.violate("dead letter of label %d/%d, %v: %+v", l.Partition, l.Offset, l.Reason, in)
		return
	}
	if by := l.Reason < event.NoExample && l.Reason != event.BadLabel; by != in.malformed {
		o.w.violate("dead letter of label %d/%d, %v: %s", l.Partition, l.Offset, l.Reason, in.record.Value)
	}
	if l.Reason == event.NoExample {
		o.unread(spot{l.Partition, l.Offset}, in, l.Model)
	}
	in.deadLetters++
	o.w.count("dead labels " + l.Reason.String())
	o.deadLabels[partition] = append(o.deadLabels[partition],
		published{offset: l.Own, of: spot{l.Partition, l.Offset}})
}
