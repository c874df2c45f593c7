package simulation

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"slices"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/late"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// entry is an entry of the journal: a prediction, or an outcome where that is not nil.
type entry struct {
	journal.Prediction
	outcome *journal.Outcome
	record  topics.Record // of an outcome
	home    int32         // the partition that it is in
}

// newPending makes the outcomes of a process, with decisions of its own.
func (w *world) newPending(p *process) func(*checkpoint.File) (late.Pending, error) {
	if w.setup.Kafka.Outcomes == "" || w.hasLabels() {
		return nil
	}
	r := rand.New(rand.NewPCG(w.seed, uint64(p.id)<<40))
	return func(from *checkpoint.File) (late.Pending, error) {
		return streamtest.NewPending(w.setup.Config.ModelConfig.Decode, r, from)
	}
}

// pendingSum is a hash of what a Pending holds, as it is in a checkpoint.
func pendingSum(saved []byte) uint64 { return maphash.Bytes(sumSeed, saved) }

// waiting is the sum of the oracle's own.
func (o *oracle) waiting() uint64 {
	if o.late != nil {
		return o.late.sum()
	}
	all := o.pending.Snapshot()()
	saved, _ := all[0].Append(nil, 0, all[0].Size)
	return pendingSum(saved)
}

// pendingOf compares what a checkpoint holds.
func (o *oracle) pendingOf(f *checkpoint.File) error {
	if o.late != nil {
		return o.waitingOf(f)
	}
	saved, ok := f.Section(streamtest.PendingSection)
	seq := int(f.Seq)
	switch {
	case ok != (o.w.setup.Kafka.Outcomes != ""):
		return errors.New("the section of the outcomes is missing, or is one too many")
	case ok && pendingSum(saved) != o.pendingSums[seq]:
		return fmt.Errorf("what waits is not what waits after seq %d", seq)
	}
	return nil
}

// outcome checks a record of the outcomes topic.
func (o *oracle) outcome(partition int32, r *topics.Record) {
	v, err := journal.ParseOutcome(r.Value)
	if err != nil {
		o.w.violate("%v", err)
		return
	}
	at := place{o.w.setup.Kafka.Outcomes, partition}
	if err := o.fits(at, r, v.Seq, journal.EpochOf(v.Model)); err != nil {
		o.w.violate("outcome of seq %d in partition %d, complete up to %d: %v", v.Seq, partition, o.seen, err)
		return
	}
	in := o.input[spot{v.Partition, v.Offset}]
	if in == nil || in.seq != v.Of && in.seq != 0 {
		o.w.violate("seq %d is the outcome of seq %d, %d/%d, which is not that: %v", v.Seq, v.Of, v.Partition, v.Offset,
			in)
		return
	}
	o.w.count("outcomes")
	o.outcomes[partition] = append(o.outcomes[partition], published{offset: r.Offset, seq: v.Seq})
	p := journal.Prediction{Score: v.Score, Partition: v.Partition, Offset: v.Offset, Seq: v.Seq, Model: v.Model}
	copied := topics.Record{Key: bytes.Clone(r.Key), Value: bytes.Clone(r.Value)}
	o.add(entry{Prediction: p, outcome: v, record: copied, home: partition})
}

// settle makes an outcome anew, and learns.
func (o *oracle) settle(e entry) {
	made := o.pending.Make(e.outcome.Kind, e.outcome.Run().Partition, o.learners.live().proc)
	if made == nil {
		o.w.violate("seq %d is the outcome %v, and nothing waits for that", e.Seq, e.outcome.Kind)
		return
	}
	r := topics.Record{Key: made.Key,
		Value: journal.NewOutcomeEncoder(modelName, journal.EpochOf(e.Model)).Append(nil, made, e.Seq)}
	if journal.IsShort(e.record.Value) {
		o.w.count("short outcomes")
		journal.Shorten(&r)
	}
	if !bytes.Equal(r.Value, e.record.Value) || !bytes.Equal(r.Key, e.record.Key) {
		o.w.violate("outcome\n%s\nis made anew as\n%s", e.record.Value, r.Value)
		return
	}
	if !slices.ContainsFunc(o.w.widths, func(n int) bool { return made.Home(n) == e.home }) {
		o.w.violate("seq %d, %v, is in partition %d of the outcomes", e.Seq, made.Run(), e.home)
	}
	o.pending.Learn(made, o.learners.live().proc)
	o.remember()
}
