package stream

import (
	"context"
	"fmt"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/model"
	"rosenblatt/stream/plan"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// fitTopics prepares the topics and returns them as they are once they are fit. Partitions may be added to the input
// between the two, and the brokers may not all know of those that were just added to the output.
func (t *Task) fitTopics(ctx context.Context) (*topics.Topology, error) {
	const tries = 8
	var pause pacer
	for try := 1; ; try++ {
		if t.remembered.prepared = false; t.Prepare != nil {
			if err := t.Prepare(ctx); err != nil {
				return nil, err
			}
			t.remembered.prepared = true
		}
		top, err := t.Log.Topology(ctx)
		if err != nil {
			return nil, err
		}
		err = plan.CheckTopics(&t.Config, top)
		//mutation:prepared-again
		if t.Prepare == nil || try == tries || !stops.Is(err, stops.OutputTooNarrow) || !pause.wait(ctx) {
			return top, err
		}
	}
}

// compare loads the newest checkpoint and compares it with the configuration and the cluster; nil without one.
func (r *recovery) compare(ctx context.Context) (*checkpoint.File, error) {
	t := r.t
	file, invalid, err := r.newest()
	if err != nil {
		return nil, err
	}
	if t.remembered.loaded = (checkpoint.Link{}); file != nil {
		t.remembered.loaded = file.Link()
	}
	r.needed = r.needed || file == nil
	r.begins = file == nil && r.inTopic != nil && r.inTopic.Empty()
	r.noteEpoch(r.inTopic)
	if file == nil {
		return nil, r.fresh(ctx, invalid)
	}
	return file, r.resume(ctx, file)
}

func (r *recovery) resume(ctx context.Context, file *checkpoint.File) error {
	h, proc, err := model.ReadWith(file, r.t.schemas.store())
	if err != nil {
		return err
	}
	//mutation:other-model
	if h.Model != r.t.Config.Model {
		return &stops.Error{Name: stops.ConfigDiffers,
			What: fmt.Sprintf("%s is a checkpoint of model %s, this one is %s", file.Path, h.Model, r.t.Config.Model),
			Safe: "nothing was read, and no prediction was made",
			Do:   "name another --state or --model"}
	}
	//mutation:other-partition
	if stop := plan.OtherPartition(file.Path, h.Partition, r.t.Config.Partition); stop != nil {
		return stop
	}
	if err := r.awaitPartitions(ctx, &h); err != nil {
		return err
	}
	ended, err := r.epochsEnded(ctx, &h)
	if err != nil {
		return err
	}
	var errBy error
	if r.otherSlices, errBy = proc.SliceBy(&h.Config, r.t.Config.By); errBy != nil { // a new one may allow it
		r.otherSlices = true
		_, _ = proc.SliceBy(&h.Config, nil)
	}
	proc.DetectBy(&h.Config, r.t.Config.Drift)
	if err := r.t.askSubjects(ctx, &h.Config); err != nil {
		return err
	}
	r.st, r.saved, r.lastEpoch = state.FromHeader(&h, proc), h.Late, h.Epoch
	if r.member {
		r.plan, r.differing, err = plan.ForMember(&h, &r.t.Config, r.top, ended)
	} else {
		r.plan, err = plan.FromCheckpoint(&h, &r.t.Config, r.top, ended)
	}
	if !r.t.remembered.toldTokens {
		r.tellTokens(true, r.plan.Accepted, h.Accepted)
		r.t.remembered.toldTokens = true
	}
	for _, stop := range r.plan.Accepted { // also where a later one is not
		if r.member {
			r.t.Logger.Warn().Str("toAccept", stop.Name).Msg("for this member's takeover: " + stop.What)
		} else {
			r.t.logAccepted(stop)
		}
	}
	if err == nil && r.plan.Config == nil && r.differing == nil {
		err = errBy
	}
	return err
}

// awaitPartitions looks at the topics again where they have fewer partitions than a checkpoint knows: the broker that
// was asked may not know of all yet.
func (r *recovery) awaitPartitions(ctx context.Context, h *model.Header) (err error) {
	fewer := false
	for topic, was := range h.Topics() {
		is := r.top.Of(topic)
		if h.Cluster != r.top.Cluster || was.Name != is.Name || was.ID != is.ID {
			continue
		}
		r.t.Log.Known(topic, was.ID, was.Partitions)
		fewer = fewer || was.Partitions > len(is.Partitions)
	}
	//mutation:checkpoint-partitions
	if fewer {
		r.top, err = r.lookAgain(ctx)
	}
	return err
}

// epochsEnded asks where the leader epochs ended under which the checkpoint's positions and ends were reached.
func (r *recovery) epochsEnded(ctx context.Context, h *model.Header) (plan.EpochEnds, error) {
	r.written = map[topics.Topic][]topics.Reached{}
	ended := plan.EpochEnds{}
	for topic, was := range h.Topics() {
		is := r.top.Of(topic)
		if h.Cluster != r.top.Cluster || was.Name != is.Name || was.ID != is.ID || is.Name == "" {
			continue
		}
		reached := h.Reached(topic)
		reached = reached[:min(len(reached), len(is.Partitions))]
		ends, err := r.t.Log.EpochEnds(ctx, topic, reached)
		if err != nil {
			return nil, err
		}
		//mutation:epochs-at-a-start
		ended[topic] = plan.ReachedEnds{Reached: reached, Ends: ends}
		r.written[topic] = reached
	}
	return ended, nil
}

// hasPartition looks at a topic again that has fewer partitions than an entry of the journal names, and reports whether
// it has that one.
func (r *recovery) hasPartition(ctx context.Context, topic topics.Topic, partition int32) (bool, error) {
	r.t.Log.Known(topic, r.top.Of(topic).ID, int(partition)+1)
	top, err := r.t.Log.Topology(ctx)
	if err != nil {
		return false, err
	}
	return int(partition) < len(top.Of(topic).Partitions), nil
}

// fresh makes the state of a model without a checkpoint. The stop is an accepted one or nil.
func (r *recovery) fresh(ctx context.Context, invalid *stops.Error) error {
	c := &r.t.Config
	if err := r.t.askSubjects(ctx, nil); err != nil {
		return err
	}
	proc, err := c.NewProcessor()
	if err == nil {
		_, err = proc.SliceBy(&c.ModelConfig, c.By)
	}
	if err != nil {
		return err
	}
	proc.DetectBy(&c.ModelConfig, c.Drift)
	if !r.top.Checkpoints.Planned { // else nobody has saved anything there
		if err := r.t.startOfAdded(ctx); err != nil {
			return err
		}
	}
	r.st = state.New(c, proc)
	r.plan = plan.Fresh(c, r.top)
	if invalid != nil {
		r.plan.Accepted = append(r.plan.Accepted, invalid)
	}
	if r.t.Standby != nil && c.Start == nil && c.LabelStart == nil {
		r.plan.BeginWithJournal(r.top)
		return nil
	}
	missing, err := r.history(ctx)
	if err != nil {
		return err
	}
	if missing != nil {
		if err := r.begunMeanwhile(ctx); err != nil {
			return err
		}
		beside := ""
		if invalid != nil {
			beside = stops.StateInvalid
		}
		missing.Offer(beside, r.journalNow())
		if refused := c.Judge(missing, nil); refused != nil {
			return refused
		}
		r.t.logAccepted(missing)
		r.plan.Accepted = append(r.plan.Accepted, missing)
	}
	r.plan.BeginFresh(r.top)
	return nil
}

// begunMeanwhile returns errNewWriter if another process has begun the model since the checkpoint topic was read.
func (r *recovery) begunMeanwhile(ctx context.Context) error {
	if !r.begins {
		return nil
	}
	if err := r.inTopic.ReadNow(ctx); err != nil {
		return err
	}
	//mutation:begun-meanwhile
	if r.inTopic.Empty() {
		return nil
	}
	return errNewWriter
}

// startOfAdded makes a partition that was added be read from its start.
func (t *Task) startOfAdded(ctx context.Context) error {
	if t.Added == nil || t.Config.Start == nil && t.Config.LabelStart == nil {
		return nil
	}
	added, err := t.Added(ctx)
	//mutation:added-from-its-start
	if added {
		t.Config.Start, t.Config.LabelStart = nil, nil
	}
	return err
}
