package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// recover is the one path to a live model (PROTOCOL.md, "Takeover"): newest checkpoint, comparison with the cluster, fence,
// journal, first checkpoint of the new epoch. It is taken at every start and whenever a write ended in doubt.
func (t *Task) recover(ctx context.Context, held topics.Producer) (*state, error) {
	t.recent = recent{} // its classes are numbered by a model that may have answered more than the journal holds
	t.publishRecovering(Recovery{})
	if t.Prepare != nil {
		if err := t.Prepare(ctx); err != nil {
			return nil, err
		}
	}
	file, invalid, err := t.newest()
	if err != nil {
		return nil, err
	}
	top, err := t.Log.Topology(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.fit(top); err != nil {
		return nil, err
	}
	r := &recovery{t: t, top: top}
	if file == nil {
		err = r.fresh(ctx, invalid)
	} else {
		err = r.resume(ctx, file)
	}
	if err != nil {
		return nil, err
	}
	loaded := slices.Clone(r.st.positions)
	if err := r.takeover(ctx, held); err != nil {
		return nil, err
	}
	if held == topics.NoProducer {
		t.nameGroupOffsets(ctx, loaded)
	}
	return r.st, t.begin(r.st)
}

// recovery is one recovery under way.
type recovery struct {
	t       *Task
	top     *topics.Topology
	st      *state
	lenient bool          // a stop was accepted: the journal is followed as far as the input goes, and not compared
	cut     []int32       // input partitions that end before the position: letters there are of records that are gone
	blind   bool          // the input is another one: the journal's answers are passed, not learned again
	wanted  *model.Config // the configuration that takes effect behind the journal, when it was accepted
	begin   time.Time
	saved   time.Time
	relearn int64
	newest  int64 // the highest epoch among the journal's answers: a copy of the folder may have been elsewhere
}

// newest loads the newest valid checkpoint; nil without one. Where files stand and none is valid, it is the stop if that was
// accepted.
func (t *Task) newest() (*checkpoint.File, *stops.Error, error) {
	file, aside, err := t.Store.Newest()
	for _, a := range aside {
		t.Logger.Error().Str("file", a.From).Str("now", a.To).Err(a.Why).Msg("invalid checkpoint set aside")
	}
	if err != nil && !errors.Is(err, checkpoint.ErrNoneValid) {
		return nil, nil, stateStop(t.Store.Dir, err)
	} else if err == nil {
		return file, nil, nil
	}
	stop := &stops.Error{Name: stops.StateInvalid, What: fmt.Sprintf("%s holds checkpoints, and none of them is valid", t.Store.Dir),
		Safe: "nothing was changed; the damaged files are kept beside as *.corrupt",
		Do:   "put a checkpoint back from a backup, or start a model from nothing with --accept state-invalid,state-missing"}
	if !t.Config.accepts(stops.StateInvalid) {
		return nil, nil, stop
	}
	return nil, stop, nil
}

// fit refuses topics that cannot keep the promise.
func (t *Task) fit(top *topics.Topology) error {
	unfit := func(what, do string) error {
		return &stops.Error{Name: stops.OutputUnfit, What: what, Safe: "nothing was written", Do: do}
	}
	out := top.Output
	switch enough := 10 * t.Config.CheckpointInterval; {
	case out.Compacted:
		return unfit(fmt.Sprintf("topic %s has cleanup.policy compact: it would forget answers, and they are the journal", out.Name),
			"set cleanup.policy=delete on it, or name another --output")
	case out.RetentionMS >= 0 && time.Duration(out.RetentionMS)*time.Millisecond < enough:
		return unfit(fmt.Sprintf("topic %s keeps records for %d ms only, checkpoints are up to %s apart", out.Name, out.RetentionMS, t.Config.CheckpointInterval),
			fmt.Sprintf("set retention.ms of %s to at least %d", out.Name, enough.Milliseconds()))
	case len(out.Partitions) < len(top.Input.Partitions):
		return &stops.Error{Name: stops.OutputTooNarrow, What: fmt.Sprintf("topic %s has %d partitions, the input %s has %d", out.Name, len(out.Partitions), top.Input.Name, len(top.Input.Partitions)),
			Safe: "no record of the partitions without an output was read", Do: "start with --create-topics, which adds them, or add them yourself"}
	case len(top.DeadLetters.Partitions) == 0:
		return fmt.Errorf("dead-letter topic %s has no partitions", top.DeadLetters.Name)
	}
	return nil
}

// fresh makes the state of a model that has no checkpoint.
func (r *recovery) fresh(ctx context.Context, invalid *stops.Error) error {
	proc, err := model.NewProcessor(r.t.Config.Fixed)
	if err != nil {
		return err
	}
	if path := r.t.Config.FromModel; path != "" {
		if err := proc.StartFrom(r.t.Config.Fixed, path); err != nil {
			return err
		}
	}
	if w := r.t.Config.Weights; w != nil {
		if err := proc.SetWeights(w); err != nil {
			return err
		}
	}
	r.st = &state{proc: proc, fixed: r.t.Config.Fixed, topology: r.top, dead: map[place]deadLetter{}, counts: model.Counts{Rejected: map[string]int64{}}}
	for i, b := range r.top.Input.Partitions {
		at := b.Start
		if i < len(r.t.Config.Start) {
			at = r.t.Config.Start[i]
		}
		r.st.positions = append(r.st.positions, at)
	}
	r.st.started = append([]int64(nil), r.st.positions...)
	r.st.skipped = append(r.st.skipped, r.t.Config.Skip...)
	r.t.Log.Skip(r.st.skipped)
	if invalid != nil {
		if err := r.accept(invalid, nil); err != nil {
			return err
		}
	}
	if err := r.unanswered(ctx); err != nil {
		return err
	}
	// Nothing in the topics is this model's so far. What comes between this look and the markers is of one that began at the
	// same time, and it is followed; where old answers were given up, the journal begins at the markers.
	from := func(b topics.Bounds) int64 {
		if r.lenient {
			return fromMarker
		}
		return b.End
	}
	for _, b := range r.top.Output.Partitions {
		r.st.base.Output = append(r.st.base.Output, from(b))
	}
	for _, b := range r.top.DeadLetters.Partitions {
		r.st.base.DeadLetters = append(r.st.base.DeadLetters, from(b))
	}
	return nil
}

// fromMarker stands for an end that is the marker's own offset, known only after the takeover.
const fromMarker = -1

// unanswered refuses to start from nothing where answers of this model, or somebody else's records, stand in the output.
func (r *recovery) unanswered(ctx context.Context) error {
	for i, b := range r.top.Output.Partitions {
		rec, err := firstRecord(ctx, r.t.Log.Open(topics.Output, int32(i), b.Start), b)
		if err != nil {
			return err
		}
		if rec == nil {
			continue
		}
		if a, err := journal.ParsePrediction(rec.Value); err != nil || !journal.IsModel(a.Model, r.t.Config.Model) {
			return foreign(r.top.Output.Name, i, rec, err)
		}
		stop := &stops.Error{Name: stops.StateMissing, What: fmt.Sprintf("topic %s partition %d holds answers of model %s from offset %d on, and %s holds no checkpoint of it",
			r.top.Output.Name, i, r.t.Config.Model, rec.Offset, r.t.Store.Dir),
			Safe: "the answers stand; nothing was changed",
			Do:   "point --state to the model's folder; or start a new model with another --model and --output; or, to begin again in the same topic, --accept state-missing"}
		return r.accept(stop, nil)
	}
	return r.unlettered(ctx)
}

// unlettered refuses to start from nothing where dead letters of this model speak of records ahead: those would get a second one.
// Another process may be about to answer the first record, or have died before.
func (r *recovery) unlettered(ctx context.Context) error {
	for i, b := range r.top.DeadLetters.Partitions {
		reader, c := r.t.Log.Open(topics.DeadLetters, int32(i), b.Start), topics.Run{Next: b.Start}
		for c.Next < b.End {
			if err := reader.Read(ctx, &c, r.t.Config.ChunkRecords); err != nil {
				return err
			}
			for j := range c.Records {
				l, ours := journal.ParseDeadLetter(&c.Records[j])
				if !ours || !journal.IsModel(l.Model, r.t.Config.Model) || l.Topic != r.top.Input.Name || int(l.Partition) >= len(r.st.positions) || l.Offset < r.st.positions[l.Partition] {
					continue
				}
				return r.accept(&stops.Error{Name: stops.StateMissing, What: fmt.Sprintf("topic %s partition %d offset %d is a dead letter of model %s for input partition %d offset %d, and %s holds no checkpoint of it",
					r.top.DeadLetters.Name, i, c.Records[j].Offset, r.t.Config.Model, l.Partition, l.Offset, r.t.Store.Dir),
					Safe: "the dead letters stand; nothing was changed",
					Do:   "point --state to the model's folder; or start a new model with another --model and --output; or, to begin again and dead-letter such records a second time, --accept state-missing"}, nil)
			}
		}
	}
	return nil
}

// firstRecord returns the first data record of a partition's log as it stands, nil if there is none.
func firstRecord(ctx context.Context, reader topics.Reader, b topics.Bounds) (*topics.Record, error) {
	c := topics.Run{Next: b.Start}
	for c.Next < b.End {
		if err := reader.Read(ctx, &c, 1); err != nil {
			return nil, err
		}
		if len(c.Records) > 0 {
			return &c.Records[0], nil
		}
	}
	return nil, nil
}

func foreign(topic string, partition int, rec *topics.Record, why error) error {
	what := fmt.Sprintf("topic %s partition %d offset %d is no answer of this model", topic, partition, rec.Offset)
	if why != nil {
		what += " (" + why.Error() + ")"
	}
	return &stops.Error{Name: stops.OtherWriter, What: what, Safe: "everything up to the last checkpoint; nothing was changed",
		Do: "find who else writes to the topic; an output belongs to one model: name another --output for this one"}
}

// accept passes a stop if this start was told to, records what was given up, and lets mend put the state right.
func (r *recovery) accept(stop *stops.Error, mend func()) error {
	if !r.t.Config.accepts(stop.Name) {
		return stop
	}
	if mend != nil {
		mend()
	}
	r.lenient = true
	r.t.Logger.Warn().Str("accepted", stop.Name).Msg(stop.What)
	r.st.accepted = append(r.st.accepted, model.Acceptance{Name: stop.Name, What: stop.What, Seq: r.st.seq, Epoch: r.st.epoch + 1,
		Positions: append([]int64(nil), r.st.positions...), Time: time.Now().UTC()})
	return nil
}
