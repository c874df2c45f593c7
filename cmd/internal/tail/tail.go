package tail

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// shower shows rows. Flush shows what it keeps.
type shower interface {
	add(r *row) error
	flush() error
}

// tail is one run.
type tail struct {
	*plan
	topic     topics.Topic
	name      string
	client    *kafka.Client
	show      shower
	shown     int
	strangers int64 // records that are not the model's
}

// Run shows what the settings say. Given holds the names of given settings.
func Run(ctx context.Context, program *cli.Program, s *Settings, given map[string]bool) error {
	p, err := newPlan(s, given)
	if err != nil {
		return err
	}
	cluster, err := s.Cluster()
	if err != nil {
		return err
	}
	cluster.Log = daemon.ConsoleLog(program.Stderr)
	t := &tail{plan: p, show: newShower(program.Stdout, s.JSON, p.columns())}
	t.topic, t.name = p.where()
	t.client, err = kafka.New(kafka.Options{ClusterOptions: cluster, Input: p.names.Input, Output: p.names.Output,
		Outcomes: s.Outcomes, DeadLetters: p.names.DeadLetter})
	if err != nil {
		return err
	}
	defer t.client.Close()
	err = t.run(ctx)
	if ctx.Err() != nil && s.Follow {
		err = nil // as it is meant to end
	}
	if err != nil {
		return t.explain(err)
	}
	t.note(program.Stderr)
	return nil
}

// where is the topic that is shown, and its name.
func (p *plan) where() (topics.Topic, string) {
	switch p.What {
	case outcomes:
		return topics.Outcomes, p.Outcomes
	case deadLetters:
		return topics.DeadLetters, p.names.DeadLetter
	}
	return topics.Output, p.names.Output
}

func (t *tail) run(ctx context.Context) error {
	parts, err := daemon.Between(ctx, t.client, t.topic, t.from, t.to)
	if err != nil {
		return err
	}
	if parts, err = t.chosen(parts); err != nil {
		return err
	}
	switch {
	case t.from.Set:
		err = t.first(ctx, parts)
	case t.limit > 0:
		err = t.newest(ctx, parts)
	}
	if err == nil {
		err = t.show.flush()
	}
	if err != nil || !t.Follow {
		return err
	}
	return t.follow(ctx, parts)
}

// chosen are the partitions that the settings name.
func (t *tail) chosen(parts []topics.Part) ([]topics.Part, error) {
	for _, n := range t.Partitions {
		if int(n) >= len(parts) {
			return nil, cli.Usagef("partitions: %d: topic %s has partitions 0 to %d", n, t.name, len(parts)-1)
		}
	}
	if len(t.Partitions) == 0 {
		return parts, nil
	}
	unwanted := func(p topics.Part) bool { return !slices.Contains(t.Partitions, p.Partition) }
	return slices.DeleteFunc(parts, unwanted), nil
}

// first shows records from the beginning of parts, as many as the limit says.
func (t *tail) first(ctx context.Context, parts []topics.Part) error {
	m := newMerge(t.client, t.topic, parts)
	for t.limit == 0 || t.shown < t.limit {
		r, err := m.next(ctx)
		if err != nil || r == nil {
			return err
		}
		if err := t.add(r); err != nil {
			return err
		}
	}
	return nil
}

// add shows a record, if it is of those that are asked for.
func (t *tail) add(r *record) error {
	row := t.rowOf(r)
	if row == nil {
		return nil
	}
	t.shown++
	return t.show.add(row)
}

// newest shows the last records of parts, as many as the limit says. Markers and records of others lie between them, so
// it looks farther and farther back until nothing that it has not read can be among them.
func (t *tail) newest(ctx context.Context, parts []topics.Part) error {
	for span := int64(t.limit) + 16; ; span *= 8 {
		near := slices.Clone(parts)
		for i := range near {
			near[i].From = max(near[i].From, near[i].To-span)
		}
		t.strangers = 0
		m := newMerge(t.client, t.topic, near)
		rows, err := t.last(ctx, m)
		if err != nil {
			return err
		}
		//mutation:tail-looks-farther
		if !t.enough(rows, m, parts) {
			continue
		}
		for _, row := range rows {
			t.shown++
			if err := t.show.add(row); err != nil {
				return err
			}
		}
		return nil
	}
}

// enough reports whether what was not read of parts comes before all rows.
func (t *tail) enough(rows []*row, m *merge, parts []topics.Part) bool {
	for i := range parts {
		if m.cursors[i].From == parts[i].From {
			continue
		}
		if first := m.first[i]; len(rows) < t.limit || first == nil || compare(first, rows[0].of) > 0 {
			return false
		}
	}
	return true
}

// last are the last rows, at most as many as the limit says.
func (t *tail) last(ctx context.Context, m *merge) (rows []*row, err error) {
	for {
		r, err := m.next(ctx)
		if err != nil {
			return nil, err
		}
		if r == nil {
			return rows[max(0, len(rows)-t.limit):], nil
		}
		if row := t.rowOf(r); row != nil {
			if rows = append(rows, row); len(rows) >= 2*t.limit+1000 {
				rows = append(rows[:0], rows[len(rows)-t.limit:]...)
			}
		}
	}
}

// note says what was left out, and that there is nothing.
func (t *tail) note(w io.Writer) {
	if t.strangers > 0 {
		fmt.Fprintf(w, "rosenblatt: topic %s: %s of other models or programs left out: this one is %s (--model)\n",
			t.name, count(t.strangers), t.names.Model)
	}
	if t.shown == 0 {
		fmt.Fprintf(w, "rosenblatt: topic %s: no %s%s\n", t.name, strings.ReplaceAll(t.What, "-", " "),
			cli.When(t.from.Set || t.to.Set || len(t.Reason) > 0, " that the settings ask for"))
	}
}

// explain makes a stop that of a command that only reads, and says which settings name the topic.
func (t *tail) explain(err error) error {
	if stops.Is(err, stops.TopicMissing) {
		setting := map[string]string{predictions: "output", outcomes: "outcomes", deadLetters: "dead-letter"}[t.What]
		return cli.Usagef("%s: topic %s does not exist: name the model's topic of %s with --%s%s", setting, t.name,
			strings.ReplaceAll(t.What, "-", " "), setting,
			cli.When(t.What == outcomes, "; a model without --labels has none"))
	}
	return stops.OnlyRead(err)
}
