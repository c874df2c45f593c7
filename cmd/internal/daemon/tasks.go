package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/stops"
)

// watchEvery is how often the daemon looks for partitions that were added to the input.
const watchEvery = time.Second

// runTasks runs a task for each partition of the input, and for those that are added. The first one that fails ends the
// others: a daemon that goes on without a partition looks as if it were well.
func (d *Daemon) runTasks(ctx context.Context) error {
	if err := d.with.Settings.SameKind(); err != nil {
		return err
	}
	if !d.with.Settings.Split() {
		return d.tasks()[0].run(ctx)
	}
	if err := d.ensure(ctx); err != nil {
		return err
	}
	n, _, err := d.client.Partitions(ctx)
	if err != nil {
		return err
	}
	d.had = n
	g, work := errgroup.WithContext(ctx)
	d.start(work, g, n)
	if !d.with.Task.UntilEnd {
		g.Go(func() error { return d.watch(work, g) })
	}
	return g.Wait()
}

// start starts tasks until there are so many.
func (d *Daemon) start(ctx context.Context, g *errgroup.Group, n int) {
	for p := len(d.tasks()); p < n; p++ {
		t := d.newTask(int32(p), n)
		d.add(t)
		g.Go(func() error { return t.named(t.run(ctx)) })
	}
}

// named says of which task an error is.
func (t *task) named(err error) error {
	model := t.daemon.with.Settings.TaskModel(t.partition)
	if stop, ok := errors.AsType[*stops.Error](err); ok {
		of := *stop
		of.What = "model " + model + ": " + of.What
		return &of
	}
	if err != nil {
		return fmt.Errorf("model %s: %w", model, err)
	}
	return nil
}

// watch starts tasks for partitions that are added. What fails, the tasks meet themselves.
func (d *Daemon) watch(ctx context.Context, g *errgroup.Group) error {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	told := 0
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		n, input, err := d.client.Partitions(ctx)
		if err != nil {
			continue
		}
		if had := len(d.tasks()); n > had {
			d.log.Info().Int("from", had).Int("to", n).Msg("partitions were added: new tasks")
			d.start(ctx, g, n)
		}
		if input > n && input != told {
			d.log.Warn().Int("input", input).Int("labels", n).Msg("the labels have fewer partitions than the input:" +
				" those beyond have no task until the labels have them, too")
			told = input
		}
	}
}

func (d *Daemon) tasks() []*task {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running
}

func (d *Daemon) add(t *task) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running = append(d.running[:len(d.running):len(d.running)], t)
}

// ensure creates missing topics. One task does at a time. That partitions of the labels are added after those of the
// input is a stop for a start only.
func (d *Daemon) ensure(ctx context.Context) error {
	d.ensuring.Lock()
	defer d.ensuring.Unlock()
	made, err := d.client.Ensure(ctx, d.with.Settings.CreateTopics)
	for _, name := range made {
		d.log.Info().Str("topic", name).Msg("created")
	}
	if stops.Is(err, stops.PartitionsDiffer) && len(d.tasks()) > 0 {
		return nil
	}
	return err
}
