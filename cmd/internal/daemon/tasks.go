package daemon

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/kafka"
	"rosenblatt/stream/stops"
)

// watchEvery is how often the daemon looks for partitions that were added to the input.
const watchEvery = time.Second

// runTasks runs a task for each partition of the input, and for those that are added. One that ends with a stop that no
// restart mends leaves the others running. What a restart may mend ends them all, as the end of the last one does.
func (d *Daemon) runTasks(ctx context.Context) error {
	if err := d.with.Settings.SameKind(); err != nil {
		return err
	}
	if !d.with.Settings.Split() {
		return d.tasks()[0].run(ctx)
	}
	if err := d.look(ctx); err != nil {
		return err
	}
	n, _, err := d.client.Partitions(ctx)
	if err != nil {
		return err
	}
	d.had = n
	g, work := errgroup.WithContext(ctx)
	d.start(work, g, n)
	g.Go(func() error { return d.watchKeys(work) })
	if !d.with.Task.UntilEnd {
		g.Go(func() error { return d.watch(work, g) })
	}
	err = g.Wait()
	first := d.firstStop()
	if first == nil || err != nil && ctx.Err() == nil {
		return err
	}
	if err != nil && !errors.Is(err, first) && !errors.Is(err, context.Canceled) {
		d.log.Error().Err(err).Msg("failed")
	}
	return first // also when it is told to end
}

// start starts tasks until there are so many.
func (d *Daemon) start(ctx context.Context, g *errgroup.Group, n int) {
	had := len(d.tasks())
	for p := had; p < n; p++ {
		d.add(d.newTask(int32(p), n))
	}
	for _, t := range d.tasks()[had:] { // all are known before one can stop
		g.Go(func() error { return t.ended(t.run(ctx)) })
	}
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

// look is ensure without creating anything: the tasks do that, each after it has found that it can start.
func (d *Daemon) look(ctx context.Context) error {
	//mutation:looked-at-first
	if !d.with.Settings.CreateTopics {
		return d.ensure(ctx)
	}
	_, err := d.client.Planned(ctx)
	return err
}

// ensure creates missing topics. One task does at a time.
func (d *Daemon) ensure(ctx context.Context) error {
	d.ensuring.Lock()
	defer d.ensuring.Unlock()
	made, err := d.client.Ensure(ctx, d.with.Settings.CreateTopics)
	for _, name := range made {
		d.log.Info().Str("topic", name).Msg("created")
	}
	if err == nil {
		d.nameSharedIDs(ctx)
	}
	return d.whileRunning(err)
}

// whileRunning passes by what is a stop for a start only: that partitions of the labels are added after those of the
// input.
func (d *Daemon) whileRunning(err error) error {
	if stops.Is(err, stops.PartitionsDiffer) && len(d.tasks()) > 0 {
		return nil
	}
	return err
}

// nameSharedIDs says once, at the start, where another daemon may fence this one and be fenced by it. What brokers do
// not tell is no reason to wait.
func (d *Daemon) nameSharedIDs(ctx context.Context) {
	if d.named {
		return
	}
	outputs, err := d.client.SharedIDs(ctx, d.with.Settings.Split())
	d.named = err == nil
	for _, output := range outputs {
		found, do := kafka.SharedIDAdvice(output)
		d.log.Warn().Str("do", do).Msg(found)
	}
}
