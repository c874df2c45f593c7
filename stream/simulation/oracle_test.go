package simulation

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recordbatch"
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
	aborted     bool  // of a transaction that was aborted: it is not to be read
	seq         int64 // of its prediction
	deadLetters int
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
	proc        *model.Processor // after the last prediction
	decoder     *event.Decoder
	input       map[spot]*input
	seen        int64 // every prediction up to this seq is readable
	ahead       map[int64]journal.Prediction
	flight      *journal.Layout // of the newest predictions, nil if they came in one batch
	flightLast  int64
	flightEpoch int64             // the highest in it
	shares      map[int32][]int64 // of the flight: the seqs of each partition that are not readable yet
	passed      map[int32]int64   // of each input partition: all below have an outcome
	sums        []uint64          // of the model, by seq
	predictions map[int32][]published
	deadLetters map[int32][]published
	epochs      map[int64]bool // that a checkpoint has
}

var sumSeed = maphash.MakeSeed()

func newOracle(w *world, fixed model.Config) (*oracle, error) {
	proc, err := model.NewProcessor(fixed)
	if err != nil {
		return nil, err
	}
	d, err := event.New(fixed.Decode)
	if err != nil {
		return nil, err
	}
	o := &oracle{w: w, proc: proc, decoder: d, input: map[spot]*input{}, predictions: map[int32][]published{},
		deadLetters: map[int32][]published{}, ahead: map[int64]journal.Prediction{}, passed: map[int32]int64{},
		epochs: map[int64]bool{}}
	o.sums = append(o.sums, sum(proc))
	return o, nil
}

// sum is a hash of all that a model has learned.
func sum(p *model.Processor) uint64 {
	var h maphash.Hash
	h.SetSeed(sumSeed)
	columns := p.Binary().Columns
	if m := p.Multi(); m != nil {
		columns = m.Columns
	}
	var state model.Header
	state.Hold(p)
	var b [8]byte
	for _, c := range columns() {
		for _, v := range c.Float64 {
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
			h.Write(b[:])
		}
		for _, v := range c.Uint16 {
			binary.LittleEndian.PutUint16(b[:], v)
			h.Write(b[:2])
		}
		h.Write(c.Bytes)
	}
	text, _ := json.Marshal(state) // numbers and names
	h.Write(text)
	fmt.Fprint(&h, p.Family)
	return h.Sum64()
}

// appended checks a batch that has become readable.
func (o *oracle) appended(at place, base int64, b recordbatch.Batch) {
	var u recordbatch.Unpacker
	rs, err := u.Open(&b)
	if err != nil {
		o.w.violate("%v at %d: %v", at, base, err)
		return
	}
	var r recordbatch.Record
	for i := int64(0); rs.Next(&r); i++ {
		r.Offset = base + i
		if at.topic == o.w.setup.DeadLetters() {
			o.deadLetter(at.partition, &r)
		} else {
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
	if o.flight != nil && a.Seq <= o.flightLast && journal.EpochOf(a.Model) > o.flightEpoch {
		o.flightEpoch = journal.EpochOf(a.Model)
		o.w.count("completions of torn flights")
	}
	if err := o.place(partition, r, a.Seq, journal.EpochOf(a.Model)); err != nil {
		o.w.violate("seq %d in partition %d, complete up to %d: %v", a.Seq, partition, o.seen, err)
		return
	}
	in := o.input[spot{a.Partition, a.Offset}]
	short := journal.IsShort(r.Value)
	switch {
	case in == nil || in.aborted || in.malformed:
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
	o.ahead[a.Seq] = a
	for {
		next, ok := o.ahead[o.seen+1]
		if !ok {
			return
		}
		delete(o.ahead, next.Seq)
		o.seen = next.Seq
		o.learn(next)
	}
}

// place checks that a prediction is one that may be readable now: everything of earlier flights is, and so are those
// before it of its partition in its own.
func (o *oracle) place(partition int32, r *topics.Record, seq, epoch int64) error {
	if l, err := journal.LayoutOf(r); err != nil {
		return err
	} else if l != nil && (o.flight == nil || l.First != o.flight.First) {
		if l.First != o.seen+1 || len(o.ahead) > 0 {
			return fmt.Errorf("the flight from seq %d on comes before the one before is complete", l.First)
		}
		o.w.count("flights of several batches")
		o.flight, o.shares, o.flightEpoch = l, map[int32][]int64{}, epoch
		for at, i := l.First, 0; i < len(l.Runs); i++ {
			for range l.Runs[i].N {
				o.shares[l.Runs[i].Partition] = append(o.shares[l.Runs[i].Partition], at)
				at++
			}
			o.flightLast = at - 1
		}
	} else if l != nil && !reflect.DeepEqual(l, o.flight) {
		return fmt.Errorf("another layout, %v, than that of its flight, %v", l, o.flight)
	}
	share := o.shares[partition]
	switch {
	case len(share) > 0 && share[0] == seq:
		o.shares[partition] = share[1:]
	case len(o.ahead) > 0, o.flight != nil && seq <= o.flightLast:
		return fmt.Errorf("it does not fit the flight; its partition lacks %v of that", share)
	case seq != o.seen+1:
		return errors.New("it is not the next one")
	}
	return nil
}

// skipped checks that the records before a predicted one have outcomes.
func (o *oracle) skipped(a *journal.Prediction) {
	at := o.passed[a.Partition]
	for ; at < a.Offset; at++ {
		in := o.input[spot{a.Partition, at}]
		if in != nil && !in.aborted && in.seq == 0 && in.deadLetters == 0 {
			o.w.violate("seq %d is for %d/%d, and %d has no outcome yet", a.Seq, a.Partition, a.Offset, at)
		}
	}
	o.passed[a.Partition] = at
}

// learn computes a prediction again, and learns.
func (o *oracle) learn(a journal.Prediction) {
	in := o.input[spot{a.Partition, a.Offset}]
	var e event.Example
	arena := o.decoder.Decode(in.record.Key, in.record.Value, nil, &e)
	out, rejected := o.proc.Predict(&e, e.Features(arena))
	if rejected != nil || math.Float64bits(out.Score) != math.Float64bits(a.Score) {
		o.w.violate("seq %d (%d/%d) has score %v, computed anew %v %v", a.Seq, a.Partition, a.Offset, a.Score,
			out.Score, rejected)
		return
	}
	o.proc.Learn(&in.record, out)
	o.sums = append(o.sums, sum(o.proc))
}

func (o *oracle) deadLetter(partition int32, r *topics.Record) {
	l, ok := journal.ParseDeadLetter(r)
	in := o.input[spot{l.Partition, l.Offset}]
	switch {
	case !ok || in == nil || in.aborted:
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

// named checks a file that has got its name.
func (o *oracle) named(d *disk, path string) {
	if name := filepath.Base(path); !strings.HasPrefix(name, "checkpoint-") || strings.HasSuffix(name, ".corrupt") {
		return
	}
	o.w.mu.Lock()
	defer o.w.mu.Unlock()
	f, err := checkpoint.Open(calm{d}, path)
	if err != nil {
		o.w.violate("%v saved what cannot be read: %v", d.p, err)
		return
	}
	h, proc, err := model.Read(f)
	if err != nil {
		o.w.violate("%v saved what cannot be read: %v", d.p, err)
		return
	}
	o.w.count("checkpoints")
	if len(f.BuildsOn) > 0 {
		o.w.count("checkpoints that build on others")
	}
	o.w.logf("%v checkpoint %d, epoch %d, positions %v, ends %v %v", d.p, h.Seq, h.Epoch, h.Positions, h.Ends.Output,
		h.Ends.DeadLetters)
	d.p.positions, o.epochs[h.Epoch] = h.Positions, true
	if err := o.check(&h, proc); err != nil {
		o.w.violate("%v saved checkpoint %d: %v", d.p, h.Seq, err)
	}
}

// check compares a checkpoint with the topics.
func (o *oracle) check(h *model.Header, proc *model.Processor) error {
	if h.Seq > o.seen {
		return fmt.Errorf("only %d predictions are readable", o.seen)
	}
	if h.Seq >= int64(len(o.sums)) {
		return fmt.Errorf("a prediction before seq %d was wrong", h.Seq)
	}
	if sum(proc) != o.sums[h.Seq] {
		return fmt.Errorf("the model is not the one after seq %d", h.Seq)
	}
	if err := o.checkPositions(h); err != nil {
		return err
	}
	return o.checkEnds(h)
}

func (o *oracle) checkPositions(h *model.Header) error {
	var passed, rejected int64
	for at, in := range o.input {
		below := int(at.partition) < len(h.Positions) && at.offset < h.Positions[at.partition]
		answered := in.seq != 0 && in.seq <= h.Seq
		switch {
		case in.aborted:
			continue
		case below && !answered && in.deadLetters == 0:
			return fmt.Errorf("position %d passes %d, which has no outcome yet", h.Positions[at.partition], at.offset)
		case !below && answered:
			return fmt.Errorf("%d/%d has the prediction of seq %d, and the position is not above it: %v", at.partition,
				at.offset, in.seq, h.Positions)
		}
		if below {
			passed++
			rejected += int64(in.deadLetters)
		}
	}
	var counted int64
	for _, n := range h.Counts.Rejected {
		counted += n
	}
	if h.Counts.Read != passed || h.Counts.Answered != h.Seq || counted != rejected ||
		h.Counts.Read != h.Counts.Answered+counted {
		return fmt.Errorf("the counters do not add up: %+v; passed %d, rejected %d, seq %d", h.Counts, passed,
			rejected, h.Seq)
	}
	return nil
}

func (o *oracle) checkEnds(h *model.Header) error {
	for p, all := range o.predictions {
		for _, a := range all {
			if below := int(p) < len(h.Ends.Output) && a.offset < h.Ends.Output[p]; below != (a.seq <= h.Seq) {
				return fmt.Errorf("the ends of the output are %v, seq %d is at %d/%d", h.Ends.Output, a.seq, p,
					a.offset)
			}
		}
	}
	for p, all := range o.deadLetters {
		for _, l := range all {
			ahead := int(l.of.partition) >= len(h.Positions) || l.of.offset >= h.Positions[l.of.partition]
			if ahead && int(p) < len(h.Ends.DeadLetters) && l.offset < h.Ends.DeadLetters[p] {
				return fmt.Errorf("the ends of the dead letters are %v, that of %v, which is ahead, is at %d/%d",
					h.Ends.DeadLetters, l.of, p, l.offset)
			}
		}
	}
	return nil
}

// committed checks group offsets: they follow the checkpoint.
func (o *oracle) committed(p *process, r *kmsg.OffsetCommitRequest) {
	o.w.mu.Lock()
	defer o.w.mu.Unlock()
	for _, t := range r.Topics {
		for _, c := range t.Partitions {
			if int(c.Partition) >= len(p.positions) || c.Offset > p.positions[c.Partition] {
				o.w.violate("%v committed offset %d of partition %d, its checkpoint says %v", p, c.Offset, c.Partition,
					p.positions)
			}
		}
	}
}

// starting checks a takeover that names no producer: it fences any other, so only a process that starts may do
// that, not one that has been live and may have been fenced since.
func (o *oracle) starting(p *process) {
	o.w.mu.Lock()
	defer o.w.mu.Unlock()
	if p.positions != nil {
		o.w.violate("%v takes over as if it were starting", p)
	}
}

// outcomes checks that every record has one.
func (o *oracle) outcomes() {
	for at, in := range o.input {
		if n := in.deadLetters + int(min(in.seq, 1)); !in.aborted && n != 1 {
			o.w.violate("%v has %d outcomes", at, n)
		}
	}
}
