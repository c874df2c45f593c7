package daemon

import (
	"context"
	"slices"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/web"
)

// task is a task of the daemon, with the view of the cluster that it has.
type task struct {
	*stream.Task
	daemon    *Daemon
	client    *kafka.Client
	partition int32 // its only one; every
	added     bool  // the partition was added after other tasks were begun: it is read from its start
}

const every = -1

// newTask makes the task of a partition, one of so many.
func (d *Daemon) newTask(partition int32, of int) *task {
	t := &task{daemon: d, client: d.client, partition: partition}
	config, folder, log := d.with.Task, d.with.Folder, d.log
	if partition != every {
		d.sharing.Store(int64(of))
		t.client, t.added = d.client.Task(partition), int(partition) >= d.had
		config.Model, config.Partition, config.Tasks = d.with.Settings.TaskModel(partition), &partition, of
		config.Skip = slices.DeleteFunc(slices.Clone(config.Skip), func(s topics.SkipRange) bool {
			return s.Partition != partition
		})
		if l := config.Labels; l != nil {
			share := *l
			share.Shared = &d.sharing
			config.Labels = &share
		}
		folder, log = d.with.Settings.Folder(config.Model), log.With().Str("task", config.Model).Logger()
	}
	journal := t.client.Journal()
	t.Task = (&stream.Task{
		Config: config, Prepare: t.prepare, Planned: t.planned, Log: t.client, Journal: journal, Group: t.client,
		Store: &checkpoint.Store{Dir: folder}, Logger: log,
		Progress: t.progress,
	}).Open()
	if d.registry != nil {
		t.Registry, t.Subjects = d.registry, d.registry
	}
	if d.with.Settings.CheckpointTopic != "" {
		t.Checkpoints = journal.Checkpoints()
	}
	if partition != every {
		t.Added = t.wasAdded
	}
	if d.member != nil {
		t.Standby = d.member.membership(max(0, partition))
	}
	return t
}

// prepare creates missing topics and determines where a model without a checkpoint starts. The task calls it before
// each takeover.
func (t *task) prepare(ctx context.Context) error {
	if err := t.daemon.ensure(ctx); err != nil {
		return err
	}
	return t.begin(ctx)
}

// planned returns the topics as prepare will leave them, where it has some to create or to widen; else nil.
func (t *task) planned(ctx context.Context) (*topics.Topology, error) {
	if !t.daemon.with.Settings.CreateTopics {
		return nil, nil
	}
	top, err := t.client.Planned(ctx)
	if err != nil || top == nil {
		return nil, t.daemon.whileRunning(err)
	}
	return top, t.begin(ctx)
}

// begin determines where a model without a checkpoint starts.
func (t *task) begin(ctx context.Context) (err error) {
	d, c := t.daemon, &t.Config
	if c.Start != nil || t.added {
		return nil
	}
	if d.with.Settings.Labels != "" {
		if c.LabelStart, err = d.with.Start.Positions(ctx, t.client, topics.Labels); err != nil {
			return err
		}
	}
	c.Start, err = d.with.Start.Positions(ctx, t.client, topics.Input)
	return err
}

// webTasks are the tasks as the web server shows them.
func (d *Daemon) webTasks() (all []web.Task) {
	for _, t := range d.tasks() {
		all = append(all, t)
	}
	return all
}

func (t *task) progress(s *board.Status) {
	if t.daemon.Progress != nil {
		t.daemon.Progress(s)
		return
	}
	e := t.Logger.Info().Int64("predictions", s.Counts.Predictions)
	if s.Counts.Untrained > 0 {
		e.Int64("untrained", s.Counts.Untrained)
	}
	reached(e, s)
	if s.Score.Examples > 0 {
		e.Float64("accuracy", rounded(s.Score.Accuracy.Value())).
			Float64("last-1000", rounded(s.Score.Last.Accuracy.Value()))
	}
	if s.Late != nil {
		e.Int("waiting", s.Late.Waiting)
	}
	e.Int64("lag", s.Lag()).Msg("progress")
}

// reached tells the figure that the rule is about, before all others: where a label is rare, accuracy says nothing.
func reached(e *zerolog.Event, s *board.Status) {
	d := s.Decision
	if d == nil || d.Waits {
		return
	}
	add := func(name string, x metrics.Optional, times float64) {
		if value, known := x.Get(); known {
			e.Float64(name, rounded(times*value))
		}
	}
	long := &s.Score.Last10000
	switch {
	//mutation:progress-leads-with-the-rule
	case d.Rule.Moves():
		count, hits := d.Cut.Progress.Last()
		add("reached-"+d.Rule.Kind.String(), metrics.Quotient(float64(hits), float64(count)), 1)
		e.Float64("target", d.Rule.Value)
	case d.Rule.Kind == decision.Cost:
		cost := metrics.Cost{FalsePositive: d.Rule.FP, FalseNegative: d.Rule.FN}
		add("cost-of-1000", cost.Of(&long.Confusion), 1000)
		add("cost-never", cost.Never(&long.Confusion), 1000)
	case d.Rule.Kind == decision.Probability:
		add("precision", long.Precision, 1)
		add("recall", long.Recall, 1)
	}
}
