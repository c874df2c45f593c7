package simulation

import (
	"bytes"
	"hash/maphash"
	"math"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/late"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// spot is one offset of an input partition.
type spot struct {
	partition int32
	offset    int64
}

// input is one record of the input, and what has become of it.
type input struct {
	record      topics.Record
	malformed   bool  // to be dead-lettered
	skipped     bool  // a null value that is passed by
	aborted     bool  // of a transaction that was aborted: it is not to be read
	seq         int64 // of its prediction, or of a label record's outcome
	deadLetters int

	id, label string // as JSON
	number    int    // in the order in which they came to the brokers
	later     bool   // it is to be predicted, and bears no label
	ended     int64  // the seq of its outcome
}

// published is a prediction or a dead letter and its offset.
type published struct {
	offset int64
	seq    int64 // of a prediction
	of     spot  // a dead letter's record
}

// oracle knows what must be read in the topics and in the checkpoints. Its methods are called with w.mu held, but for
// named, committed and starting.
type oracle struct {
	w           *world
	learners    *learners
	decoder     *event.Decoder
	input       map[spot]*input
	labels      map[spot]*input // the label records
	late        *lateOracle     // nil without them
	seen        int64           // every entry up to this seq is readable
	ahead       map[int64]entry
	pending     *streamtest.Pending
	pendingSums []uint64        // of pending, by seq
	predicted   []int64         // predictions among the entries, by seq
	untrained   []int64         // of them, those without a label before the model learned
	newest      map[place]int64 // the highest seq in each partition of the outcomes
	flight      *journal.Layout // of the newest predictions, nil if they came in one batch
	flightLast  int64
	flightEpoch int64             // the highest in it
	shares      map[int32][]int64 // of the flight: the seqs of each partition that are not readable yet
	passed      map[int32]int64   // of each input partition: all below have an outcome
	sums        []uint64          // of the model, by seq
	predictions map[int32][]published
	outcomes    map[int32][]published
	deadLetters map[int32][]published
	deadLabels  map[int32][]published // dead letters of label records
	early       []early
	epochs      map[int64]bool  // that a checkpoint has
	takeovers   map[int64]int16 // the producer's epoch under which something of an epoch was written

	from     *process                 // that has written last
	state    pieceLog                 // the checkpoint topic
	number   int64                    // of its newest manifest
	links    map[checkpoint.Link]bool // the files of all its manifests
	manifest *saved                   // its newest manifest's
}

var sumSeed = maphash.MakeSeed()

func newOracle(w *world, fixed model.Config) (*oracle, error) {
	all, err := newLearners(w, fixed)
	if err != nil {
		return nil, err
	}
	d, err := event.New(fixed.Decode)
	if err != nil {
		return nil, err
	}
	o := &oracle{w: w, learners: all, decoder: d, input: map[spot]*input{},
		labels: map[spot]*input{}, predictions: map[int32][]published{},
		outcomes: map[int32][]published{}, deadLetters: map[int32][]published{}, deadLabels: map[int32][]published{},
		ahead:  map[int64]entry{},
		passed: map[int32]int64{}, epochs: map[int64]bool{}, newest: map[place]int64{}, predicted: []int64{0},
		untrained: []int64{0},
		links:     map[checkpoint.Link]bool{}, takeovers: map[int64]int16{}}
	if w.hasLabels() {
		if o.late, err = newLateOracle(fixed.Late); err != nil {
			return nil, err
		}
	}
	if o.pending, err = streamtest.NewPending(fixed.Decode, nil, nil); err != nil {
		return nil, err
	}
	o.pending.Learned = func(untrained, mistake bool) { o.learned(o.learners.live(), untrained, mistake) }
	o.pendingSums = append(o.pendingSums, o.waiting())
	o.remember()
	return o, nil
}

// appended checks a batch of a process that has become readable.
func (o *oracle) appended(from *process, at place, base int64, b recordbatch.Batch) {
	o.from = from
	var u recordbatch.Unpacker
	rs, err := u.Open(&b)
	if err != nil {
		o.w.violate("%v at %d: %v", at, base, err)
		return
	}
	var r recordbatch.Record
	for i := int64(0); rs.Next(&r); i++ {
		r.Offset = base + i
		o.isOf(at, &r, b.Epoch)
		if i == 0 && (at.topic == o.w.setup.Output() || at.topic == o.w.setup.Kafka.Outcomes) {
			o.announced(&r)
		}
		switch at.topic {
		case o.w.setup.DeadLetters():
			o.deadLetter(at.partition, &r)
		case o.w.setup.Kafka.Outcomes:
			o.outcome(at.partition, &r)
		case o.w.setup.State:
			o.inTopic(&r, b.Epoch)
		default:
			o.prediction(at.partition, &r)
		}
	}
	if rs.Err() != nil {
		o.w.violate("%v at %d: %v", at, base, rs.Err())
	}
}

func (o *oracle) prediction(partition int32, r *topics.Record) {
	a, err := journal.ParsePrediction(r.Value)
	if err != nil {
		o.w.violate("%v", err)
		return
	}
	if err := o.fits(place{o.w.setup.Output(), partition}, r, a.Seq, journal.EpochOf(a.Model)); err != nil {
		o.w.violate("seq %d in partition %d, complete up to %d: %v", a.Seq, partition, o.seen, err)
		return
	}
	in := o.input[spot{a.Partition, a.Offset}]
	short := journal.IsShort(r.Value)
	switch {
	case in == nil || in.aborted || in.malformed || in.skipped:
		o.w.violate("seq %d is for %d/%d, which is no record to predict", a.Seq, a.Partition, a.Offset)
		return
	case in.seq != 0 || in.deadLetters != 0:
		o.w.violate("a second outcome of %d/%d: seq %d and then seq %d (%d dead letters)", a.Partition, a.Offset,
			in.seq, a.Seq, in.deadLetters)
		return
	case a.Partition != partition:
		o.w.violate("seq %d of partition %d in partition %d", a.Seq, a.Partition, partition)
		return
	case !short && !bytes.Equal(r.Key, in.record.Key), short && r.Key != nil:
		o.w.violate("seq %d has the key %q, its record %q", a.Seq, r.Key, in.record.Key)
	}
	if epoch := journal.EpochOf(a.Model); !o.epochs[epoch] {
		o.epochs[epoch] = true
		o.w.count("epochs that begin without a checkpoint")
	}
	o.skipped(&a)
	if short {
		o.w.count("short predictions")
	}
	in.seq = a.Seq
	o.predictions[partition] = append(o.predictions[partition], published{offset: r.Offset, seq: a.Seq})
	o.add(entry{Prediction: a})
}

// add learns the entries that are readable without a hole.
func (o *oracle) add(e entry) {
	o.ahead[e.Seq] = e
	for {
		next, ok := o.ahead[o.seen+1]
		if !ok {
			return
		}
		delete(o.ahead, next.Seq)
		o.seen = next.Seq
		o.switchAt(next.Seq)
		predicted, untrained := o.predicted[len(o.predicted)-1], o.untrained[len(o.untrained)-1]
		switch {
		case next.outcome == nil:
			predicted++
			if next.Untrained {
				untrained++
			}
			o.learn(next.Prediction)
		case o.late != nil:
			o.settleLate(next)
		default:
			o.settle(next)
		}
		o.predicted, o.untrained = append(o.predicted, predicted), append(o.untrained, untrained)
		o.pendingSums = append(o.pendingSums, o.waiting())
	}
}

// skipped checks that the records before a predicted one have outcomes.
func (o *oracle) skipped(a *journal.Prediction) {
	at := o.passed[a.Partition]
	for ; at < a.Offset; at++ {
		in := o.input[spot{a.Partition, at}]
		if in != nil && !in.aborted && !in.skipped && in.seq == 0 && in.deadLetters == 0 {
			o.w.violate("seq %d is for %d/%d, and %d has no outcome yet", a.Seq, a.Partition, a.Offset, at)
		}
	}
	o.passed[a.Partition] = at
}

// learn computes a prediction again, and learns.
func (o *oracle) learn(a journal.Prediction) {
	in := o.input[spot{a.Partition, a.Offset}]
	var e event.Example
	arena := o.decoder.Decode(&in.record, nil, &e)
	out, err := o.learners.predict(&e, arena)
	if err != nil || math.Float64bits(out.Score) != math.Float64bits(a.Score) {
		o.w.violate("seq %d (%d/%d) has score %v, computed anew %+v %v", a.Seq, a.Partition, a.Offset, a.Score,
			out, err)
		return
	}
	if want := e.Label == 0 && e.Class == nil && !o.learners.live().trained; a.Untrained != want ||
		out.Untrained != want {
		o.w.violate("seq %d is untrained: %v, want %v", a.Seq, a.Untrained, want)
	}
	if has := a.Threshold != nil; has != out.HasThreshold || has && *a.Threshold != out.Threshold {
		o.w.violate("seq %d has threshold %v, computed anew %v %v", a.Seq, a.Threshold, out.Threshold, out.HasThreshold)
	}
	if a.Threshold != nil {
		o.w.count("thresholds")
	}
	o.learners.publish()
	if o.late != nil {
		o.predictedLate(a, in, &e)
		return
	}
	if o.w.setup.Kafka.Outcomes != "" {
		o.pending.Predicted(&late.Predicted{Seq: a.Seq, Partition: a.Partition, Record: &in.record, Outcome: out})
	}
	o.learnOwn(in, &e)
	o.remember()
}

// remember notes what the learners are after an entry.
func (o *oracle) remember() {
	if o.learners.several() {
		o.sums = append(o.sums, o.learners.sum())
		return
	}
	o.sums = append(o.sums, sum(o.learners.live().proc))
}

// learnOwn learns the label that an event has, if it has one.
func (o *oracle) learnOwn(in *input, e *event.Example) {
	labelled := e.Label != 0 || e.Class != nil
	if out := o.learners.live().out; labelled {
		o.learners.figure(out)
	}
	for _, x := range o.learners.all {
		untrained, mistake := x.out.Untrained, x.out.Mistake
		x.proc.Learn(&in.record, x.out)
		if labelled {
			o.learned(x, untrained, mistake)
		}
	}
}

// learned says that the label of a prediction is learned.
func (o *oracle) learned(x *alone, untrained, mistake bool) {
	if x.learned(untrained, mistake) {
		o.w.count("resets")
	}
}

func (o *oracle) deadLetter(partition int32, r *topics.Record) {
	l, ok := journal.ParseDeadLetter(r)
	in := o.input[spot{l.Partition, l.Offset}]
	if ok && o.late != nil && l.Topic == o.w.setup.Kafka.Labels {
		o.deadLabel(partition, &l)
		return
	}
	switch {
	case !ok || in == nil || in.aborted || in.skipped:
		o.w.violate("dead letter of %d/%d, which is no record", l.Partition, l.Offset)
	case !in.malformed && l.Reason != event.TooManyClasses && l.Reason != event.BadLabel:
		o.w.violate("dead letter of %d/%d, a good record: %v", l.Partition, l.Offset, l.Reason)
	case in.seq != 0 || in.deadLetters != 0:
		o.w.violate("a second outcome of %d/%d: dead letter after seq %d and %d dead letters", l.Partition, l.Offset,
			in.seq, in.deadLetters)
	default:
		in.deadLetters++
		o.deadLetters[partition] = append(o.deadLetters[partition],
			published{offset: r.Offset, of: spot{l.Partition, l.Offset}})
	}
}

// complete checks that every record has a prediction or a dead letter.
func (o *oracle) complete() {
	for at, in := range o.input {
		if n := in.deadLetters + int(min(in.seq, 1)); !in.aborted && !in.skipped && n != 1 {
			o.w.violate("%v has %d predictions and dead letters", at, n)
		}
	}
}
