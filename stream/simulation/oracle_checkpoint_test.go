package simulation

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"math"
	"path/filepath"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/model"
)

// sum is a hash of all that a model has learned.
func sum(p *model.Processor) uint64 {
	var state model.Header
	state.SetModelState(p)
	return sumState(p, &state, p.DriftReport())
}

// sumState is the sum of a model whose short state and drifts are given.
func sumState(p *model.Processor, state *model.Header, drifts *model.DriftReport) uint64 {
	var h maphash.Hash
	h.SetSeed(sumSeed)
	columns := p.Binary().Columns
	if m := p.Multi(); m != nil {
		columns = m.Columns
	}
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
	if drifts != nil {
		fmt.Fprint(&h, *drifts)
	}
	if d := p.Decision(); d != nil {
		fmt.Fprint(&h, *d)
	}
	return h.Sum64()
}

// named checks a file that has got its name.
func (o *oracle) named(d *disk, path string) {
	name := filepath.Base(path)
	if !strings.HasPrefix(name, "checkpoint-") {
		return
	}
	o.w.mu.Lock()
	defer o.w.mu.Unlock()
	f, err := checkpoint.Open(calm{d}, path)
	if strings.HasSuffix(name, ".corrupt") {
		if err == nil {
			o.w.count("checkpoints set aside that the topic lacks")
		}
		return
	}
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
	if o.epochs[h.Epoch] = true; !o.isRestored(d, path) {
		d.p.positions = h.Positions
	}
	if err = o.check(&h, proc); err == nil {
		err = o.pendingOf(f)
	}
	if err != nil {
		o.w.violate("%v saved checkpoint %d: %v", d.p, h.Seq, err)
	}
}

// check compares a checkpoint with the topics.
func (o *oracle) check(h *model.Header, proc *model.Processor) error {
	if h.Seq > o.seen {
		return fmt.Errorf("only %d entries are readable", o.seen)
	}
	if h.Seq >= int64(len(o.sums)) {
		return fmt.Errorf("a prediction before seq %d was wrong", h.Seq)
	}
	is, err := sum(proc), error(nil)
	if o.learners.several() {
		is, err = sumOf(&h.Config, proc)
	}
	if err != nil || is != o.sums[h.Seq] {
		return fmt.Errorf("the model is not the one after seq %d: %v", h.Seq, err)
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
		predicted := in.seq != 0 && in.seq <= h.Seq
		switch {
		case in.aborted, in.skipped:
			continue
		case below && !predicted && in.deadLetters == 0:
			return fmt.Errorf("position %d passes %d, which has no outcome yet", h.Positions[at.partition], at.offset)
		case !below && predicted:
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
	entries := h.Counts.Read - h.Counts.Tombstones // members need not agree on those
	if entries != passed || h.Counts.Predictions != o.predicted[h.Seq] ||
		h.Counts.Untrained != o.untrained[h.Seq] || counted != rejected ||
		entries != h.Counts.Predictions+counted {
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
	for p, all := range o.outcomes {
		for _, a := range all {
			if below := int(p) < len(h.Ends.Outcomes) && a.offset < h.Ends.Outcomes[p]; below != (a.seq <= h.Seq) {
				return fmt.Errorf("the ends of the outcomes are %v, seq %d is at %d/%d", h.Ends.Outcomes, a.seq, p,
					a.offset)
			}
		}
	}
	for p, all := range o.deadLabels {
		for _, l := range all {
			ahead := int(l.of.partition) >= len(h.LabelPositions) || l.of.offset >= h.LabelPositions[l.of.partition]
			if ahead && int(p) < len(h.Ends.DeadLetters) && l.offset < h.Ends.DeadLetters[p] {
				return fmt.Errorf("the ends of the dead letters are %v, that of label %v, which is ahead, is at %d/%d",
					h.Ends.DeadLetters, l.of, p, l.offset)
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
// that, or a member that follows, not one that has been live and may have been fenced since.
func (o *oracle) starting(p *process) {
	o.w.mu.Lock()
	defer o.w.mu.Unlock()
	if p.positions != nil && p.member == nil {
		o.w.violate("%v takes over as if it were starting", p)
	}
}
