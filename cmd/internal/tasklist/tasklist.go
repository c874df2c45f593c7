// Package tasklist is what `rosenblatt tasks` does, apart from its command line: it shows which daemon has which task,
// which others follow it, and how far each task is. It reads only.
package tasklist

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/group"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/stops"
)

// Settings say which tasks are shown. The tags are those of github.com/alecthomas/kong, as in daemon.Settings.
type Settings struct {
	daemon.Connection `embed:"" group:"Connection"`
	daemon.Topics     `embed:"" group:"Topics and places"`

	JSON    bool          `name:"json"`
	Timeout time.Duration `cmdline:"" default:"10s" placeholder:"DURATION"`
}

// FlagHelp implements cli.Documented.
func (Settings) FlagHelp() cli.Help {
	return `
json: Print JSON.
timeout: How long each step may take, of which there are some for each task (default: ${default}).
`
}

// List is what is known of the tasks of a group.
type List struct {
	Group   string   `json:"group"`
	State   string   `json:"state"` // Kafka's, as Stable; Dead without members
	Tasks   []Task   `json:"tasks"`
	Refused []Member `json:"refused,omitempty"` // members that get no tasks
}

// Task is one of them.
type Task struct {
	Model     string     `json:"model"`
	Active    string     `json:"active,omitempty"` // the instance; empty: none
	Followers []Member   `json:"followers,omitempty"`
	Stopped   []Member   `json:"stopped,omitempty"` // where it has stopped, each with the stop as its reason
	Epoch     int16      `json:"producerEpoch"`     // Kafka's, of the last takeover; -1: unknown
	Lag       int64      `json:"lag"`               // records behind the newest checkpoint; -1: unknown
	Saved     *time.Time `json:"saved,omitempty"`   // the newest checkpoint
}

// Member is a member that follows, at which the task has stopped, or that gets no tasks.
type Member struct {
	Instance string `json:"instance"`
	Behind   *int64 `json:"behind,omitempty"`  // seconds, as of its last join; none: less than 10
	Cold     bool   `json:"cold,omitempty"`    // it gets the task only if there is no other
	Differs  bool   `json:"differs,omitempty"` // it does not get the task: its settings are others
	Reason   string `json:"reason,omitempty"`
}

// Load asks the cluster. The first step that takes longer than Timeout ends it.
func Load(ctx context.Context, s *Settings) (*List, error) {
	var f cli.Faults
	cluster, err := s.Cluster()
	f.Join(err)
	f.Join(s.Topics.Check())
	f.AddIf(s.Timeout <= 0, "timeout: %s: want a duration over 0, as 10s", s.Timeout)
	if err := f.Err(); err != nil {
		return nil, err
	}
	// What ends the attempts is the context; a broker that does not respond is given up in time for another one.
	cluster.Log, cluster.Patience, cluster.ResponseTimeout = zerolog.Nop(), 2*s.Timeout, s.Timeout/4
	client, err := kafka.New(kafka.Options{
		ClusterOptions: cluster, Input: s.Input, Output: s.Output, DeadLetters: s.DeadLetter,
		TransactionalID: s.TransactionalID(), Group: s.Group,
	})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	l, err := load(ctx, s, client)
	if err == nil {
		err = s.step(ctx, func(ctx context.Context) error { return l.members(ctx, client) })
	}
	if err != nil {
		return nil, stops.OnlyRead(err)
	}
	return l, nil
}

func (s *Settings) step(ctx context.Context, take func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	err := take(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("given up after %v (--timeout): %w; `rosenblatt check` goes step by step", s.Timeout, err)
	}
	return err
}

// load lists the tasks and their progress.
func load(ctx context.Context, s *Settings, client *kafka.Client) (*List, error) {
	l := &List{Group: s.TasksGroup()}
	var n int
	err := s.step(ctx, func(ctx context.Context) (err error) { n, _, err = client.Partitions(ctx); return err })
	add := func(model string, client *kafka.Client) error {
		return s.step(ctx, func(ctx context.Context) error { return l.add(ctx, model, client) })
	}
	if !s.Split() && err == nil {
		return l, add(s.Model, client)
	}
	for p := 0; p < n && err == nil; p++ {
		err = add(s.TaskModel(int32(p)), client.Task(int32(p)))
	}
	return l, err
}

func (l *List) add(ctx context.Context, model string, client *kafka.Client) error {
	p, err := client.Progress(ctx)
	if err != nil {
		return err
	}
	t := Task{Model: model, Epoch: p.Epoch, Lag: p.Lag}
	if !p.Saved.IsZero() {
		t.Saved = &p.Saved
	}
	l.Tasks = append(l.Tasks, t)
	return nil
}

// members adds who has and follows the tasks.
func (l *List) members(ctx context.Context, client *kafka.Client) error {
	g, err := client.DescribeGroup(ctx, l.Group)
	if err != nil {
		return err
	}
	l.State = g.State
	for i := range g.Members {
		m := &g.Members[i]
		if len(m.Assignment) == 0 || len(m.Metadata) == 0 { // the group is not stable
			continue
		}
		metadata, err := group.DecodeMetadata(m.Metadata)
		a, invalid := group.DecodeAssignment(m.Assignment)
		if err = errors.Join(err, invalid); err != nil {
			a = group.Assignment{Refused: err.Error()}
		}
		l.member(m.Instance, &metadata, &a)
	}
	return nil
}

func (l *List) member(instance string, metadata *group.Metadata, a *group.Assignment) {
	if a.Refused != "" {
		l.Refused = append(l.Refused, Member{Instance: instance, Reason: a.Refused})
	}
	for task := range l.Tasks {
		t := &l.Tasks[task]
		if slices.Contains(a.Active, int32(task)) {
			t.Active = instance
		}
		if slices.Contains(a.Follow, int32(task)) {
			t.Followers = append(t.Followers, follower(instance, metadata, int32(task)))
		}
		for _, h := range metadata.Held {
			if h.Task == int32(task) && h.Stopped != "" {
				t.Stopped = append(t.Stopped, Member{Instance: instance, Reason: h.Stopped})
			}
		}
	}
}

func follower(instance string, metadata *group.Metadata, task int32) Member {
	i := slices.IndexFunc(metadata.Held, func(h group.TaskInfo) bool { return h.Task == task })
	switch {
	case i >= 0 && metadata.Held[i].Differs:
		return Member{Instance: instance, Differs: true}
	case i < 0, metadata.Held[i].Behind == group.NotLoaded:
		return Member{Instance: instance, Cold: true}
	case metadata.Held[i].Cold:
		return Member{Instance: instance, Cold: true, Behind: &metadata.Held[i].Behind}
	}
	return Member{Instance: instance}
}
