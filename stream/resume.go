package stream

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// resume makes the state of a checkpoint and compares it with the configuration and the cluster, before anything is written.
func (r *recovery) resume(_ context.Context, file *checkpoint.File) error {
	h, proc, err := model.Read(file)
	if err != nil {
		return err
	}
	if h.Model != r.t.Config.Model {
		return fmt.Errorf("%s is a checkpoint of model %q, not of %q: name another --state or --model", file.Path, h.Model, r.t.Config.Model)
	}
	r.st = stateOf(&h, proc)
	r.st.topology = r.top
	r.st.skipped = append(r.st.skipped, newRanges(r.st.skipped, r.t.Config.Skip)...)
	r.t.Log.Skip(r.st.skipped)
	for _, step := range []func(*model.Header) error{r.compareConfig, r.compareInput, r.compareAnswers, r.compareLetters} {
		if err := step(&h); err != nil {
			return err
		}
	}
	return nil
}

func newRanges(have, want []topics.SkipRange) (out []topics.SkipRange) {
	for _, s := range want {
		if !slices.Contains(have, s) {
			out = append(out, s)
		}
	}
	return out
}

// compareConfig refuses a configuration that would compute something else than the checkpoint's.
func (r *recovery) compareConfig(h *model.Header) error {
	diff, err := h.Config.Diff(r.t.Config.Fixed)
	if err != nil || len(diff) == 0 {
		return err
	}
	var lines []string
	fixed := false
	for _, d := range diff {
		lines = append(lines, fmt.Sprintf("%s was %s, is %s", d.Name, d.Was, d.Now))
		fixed = fixed || d.Permanent()
	}
	stop := &stops.Error{Name: stops.ConfigDiffers, What: "the checkpoint's configuration differs: " + strings.Join(lines, "; "), Safe: "nothing was changed",
		Do: "go back to the checkpoint's settings, or let the new ones take effect from here on with --accept config"}
	if fixed {
		stop.Do = "learner, bits, seed and hash never change under a state: go back to the checkpoint's, or start a new model with another --model and --output"
		return stop
	}
	lenient := r.lenient
	if err := r.accept(stop, func() { r.wanted = &r.t.Config.Fixed }); err != nil {
		return err
	}
	r.lenient = lenient // the journal is followed under the checkpoint's configuration, and compared
	return nil
}

// reconfigure lets an accepted configuration take effect.
func (r *recovery) reconfigure() error {
	if r.wanted == nil {
		return nil
	}
	proc, err := model.NewProcessor(*r.wanted)
	if err != nil {
		return err
	}
	if err := proc.Inherit(r.st.proc); err != nil {
		return err
	}
	if r.st.fixed.Decode.Positive == r.wanted.Decode.Positive && slices.Equal(r.st.fixed.Decode.LabelNames, r.wanted.Decode.LabelNames) {
		proc.Family = r.st.proc.Family
	}
	r.st.proc, r.st.fixed = proc, *r.wanted
	return nil
}

func (r *recovery) compareInput(h *model.Header) error {
	if changed := r.changed(h, h.Input, r.top.Input); changed != nil {
		return r.accept(changed, func() {
			r.st.positions = r.st.positions[:0]
			for _, b := range r.top.Input.Partitions {
				r.st.positions = append(r.st.positions, b.Start)
			}
			r.st.started = slices.Clone(r.st.positions)
			r.blind = true
		})
	}
	for p, b := range r.top.Input.Partitions {
		if p >= len(r.st.positions) { // it was added since
			r.st.positions, r.st.started = append(r.st.positions, b.Start), append(r.st.started, b.Start)
			continue
		}
		if err := r.comparePosition(p, b); err != nil {
			return err
		}
	}
	return nil
}

func (r *recovery) comparePosition(p int, b topics.Bounds) error {
	at, name := r.st.positions[p], r.top.Input.Name
	switch {
	case at < b.Start:
		return r.accept(stops.InputGoneAt(name, int32(p), at, b.Start), func() { r.st.positions[p] = b.Start })
	case at > b.End:
		return r.accept(stops.BeyondEndAt(name, int32(p), at, b.End), func() {
			r.st.positions[p] = b.End
			r.cut = append(r.cut, int32(p))
		})
	}
	return nil
}

// changed is the stop for a topic or cluster that is not the checkpoint's.
func (r *recovery) changed(h *model.Header, was model.TopicRef, is topics.TopicState) *stops.Error {
	var what string
	switch {
	case h.Cluster != r.top.Cluster:
		what = fmt.Sprintf("the cluster's id is %s, the checkpoint's %s", r.top.Cluster, h.Cluster)
	case was.Name != is.Name:
		what = fmt.Sprintf("the topic is %s, the checkpoint's %s", is.Name, was.Name)
	case was.ID != is.ID:
		what = fmt.Sprintf("topic %s has id %s, the checkpoint's had %s: it was deleted and created again", is.Name, is.ID, was.ID)
	case was.Partitions > len(is.Partitions):
		what = fmt.Sprintf("topic %s has %d partitions, the checkpoint's had %d", is.Name, len(is.Partitions), was.Partitions)
	default:
		return nil
	}
	return &stops.Error{Name: stops.TopicChanged, What: what, Safe: "the checkpoint, and nothing was written to any topic",
		Do: "go back to the cluster and topics of the checkpoint; or go on from the start of what is there now with --accept topic-changed"}
}

func (r *recovery) compareAnswers(h *model.Header) error {
	return r.compareOutput(r.changed(h, h.Output, r.top.Output), stops.JournalGone, r.top.Output, &r.st.base.Output)
}

func (r *recovery) compareLetters(h *model.Header) error {
	return r.compareOutput(r.changed(h, h.Dead, r.top.DeadLetters), stops.DeadLettersGone, r.top.DeadLetters, &r.st.base.DeadLetters)
}

// compareOutput compares a topic we write with the saved ends of its partitions; gone names the stop for what is missing.
func (r *recovery) compareOutput(changed *stops.Error, gone string, is topics.TopicState, ends *[]int64) error {
	if changed != nil {
		return r.accept(changed, func() { *ends = starts(is) })
	}
	for p, b := range is.Partitions {
		if p >= len(*ends) {
			*ends = append(*ends, b.Start)
			continue
		}
		if err := r.compareEnd(gone, is.Name, p, b, *ends); err != nil {
			return err
		}
	}
	return nil
}

// compareEnd stops when the log no longer reaches from the saved end on.
func (r *recovery) compareEnd(name, topic string, p int, b topics.Bounds, ends []int64) error {
	at := ends[p]
	if at >= b.Start && at <= b.End {
		return nil
	}
	stop := &stops.Error{Name: name, What: fmt.Sprintf("topic %s partition %d holds offsets %d to %d, the checkpoint ends at %d: what was written since may be gone", topic, p, b.Start, b.End, at),
		Safe: fmt.Sprintf("the model up to seq %d", r.st.seq),
		Do:   "restore the topic; or go on from the checkpoint with --accept " + name + ": records since may be answered or dead-lettered a second time, and those that a later answer passes are learned without being compared; and raise the topic's retention"}
	return r.accept(stop, func() { ends[p] = min(max(at, b.Start), b.End) })
}

func starts(t topics.TopicState) (out []int64) {
	for _, b := range t.Partitions {
		out = append(out, b.Start)
	}
	return out
}
