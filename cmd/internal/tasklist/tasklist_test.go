package tasklist

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/group"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

const session = 6 * time.Second

// settings are those of a model for each partition of an input with three.
func settings(t *testing.T) (*streamtest.Cluster, *Settings, *kafka.Client) {
	c := streamtest.Start(t)
	s := &Settings{Timeout: time.Minute}
	s.Brokers, s.Input, s.ModelPer, s.State = c.Brokers, streamtest.Name(t), "partition", "./state"
	if err := s.Topics.Check(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{s.Input, s.Output, s.DeadLetter} {
		c.Topic(t, name, 3)
	}
	cluster, err := s.Cluster()
	if err != nil {
		t.Fatal(err)
	}
	cluster.Log = zerolog.Nop()
	client, err := kafka.New(kafka.Options{ClusterOptions: cluster, Input: s.Input, Output: s.Output,
		DeadLetters: s.DeadLetter, TransactionalID: s.TransactionalID(), Group: s.Group})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return c, s, client
}

// join starts a member that follows the first two tasks, or at which the first one has stopped; it returns when it has
// joined.
func join(t *testing.T, s *Settings, client *kafka.Client, instance, fixed, stop string) {
	t.Helper()
	var joined atomic.Bool
	m := group.New(group.Config{
		Instance: instance, Session: session, Settings: fixed, Format: 3, Standbys: 1, Log: zerolog.Nop(),
		Transport: client.Member(s.TasksGroup(), instance, session),
		State: func() group.State {
			if !joined.Load() {
				return group.State{Tasks: 3}
			}
			return group.State{Tasks: 3, Held: []group.Held{{Task: 0, Stopped: stop}, {Task: 1}}}
		},
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- m.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if _, err := m.Next(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	joined.Store(true)
}

func TestList(t *testing.T) {
	t.Parallel()
	c, s, client := settings(t)
	l, err := Load(t.Context(), s)
	if err != nil || len(l.Tasks) != 3 || l.Tasks[0].Active != "" || l.Tasks[2].Epoch != -1 || l.Tasks[1].Lag != -1 {
		t.Fatalf("before anything runs: %+v %v", l, err)
	}
	c.Produce(t, s.Input, 1, "{}", "{}", "{}")
	task := client.Task(1)
	if _, err := task.Journal().Takeover(t.Context(), topics.NoProducer); err != nil {
		t.Fatal(err)
	}
	if err := task.Commit(t.Context(), []int64{0, 1, 0}); err != nil {
		t.Fatal(err)
	}
	join(t, s, client, "a", "x", "")
	join(t, s, client, "b", "x", stops.InputGone)
	join(t, s, client, "c", "other", "")
	streamtest.Await(t, "the list", func() bool {
		l, err = Load(t.Context(), s)
		return err == nil && l.State == "Stable" && len(l.Refused) == 1 && len(l.Tasks[0].Stopped) == 1 &&
			len(l.Tasks[1].Followers) == 1 &&
			!l.Tasks[1].Followers[0].Cold && len(l.Tasks[2].Followers) == 1
	})
	x := l.Tasks[1]
	if f := l.Tasks[2].Followers; len(f) != 1 || !f[0].Cold || f[0].Behind != nil {
		t.Errorf("nobody has loaded the last task: %+v", f)
	}
	if s := l.Tasks[0].Stopped; len(s) != 1 || s[0].Instance != "b" || l.Tasks[0].Active != "a" {
		t.Errorf("the first task: %+v", l.Tasks[0])
	}
	if x.Epoch != 1 || x.Lag != 2 || x.Saved == nil || time.Since(*x.Saved) > time.Minute || x.Active == "" ||
		x.Followers[0].Instance == x.Active {
		t.Errorf("%+v", x)
	}
	var b bytes.Buffer
	if err := l.Print(&b, time.Now()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"MODEL ", x.Model + " ", " ago", "c gets no tasks: other topics",
		l.Tasks[0].Model + " has stopped at b: input-gone\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	t.Log(b.String())
}

func TestPrint(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC)
	at, behind := now.Add(-90*time.Second), int64(34)
	l := List{Group: "g.tasks", State: "Stable", Tasks: []Task{
		{Model: "m.0", Active: "host-1", Epoch: 12, Lag: 12345, Saved: &at, Followers: []Member{
			{Instance: "host-2"}, {Instance: "host-3", Cold: true, Behind: &behind}, {Instance: "host-4", Cold: true}}},
		{Model: "m.1", Epoch: -1, Lag: -1, Followers: []Member{{Instance: "host-6", Differs: true}},
			Stopped: []Member{{Instance: "host-2", Reason: "input-gone"}}},
	}, Refused: []Member{{Instance: "host-5", Reason: "other topics than the members that have tasks"}}}
	var b bytes.Buffer
	if err := l.Print(&b, now); err != nil {
		t.Fatal(err)
	}
	want := `group g.tasks: Stable
MODEL  ACTIVE  PRODUCER EPOCH  LAG     CHECKPOINT  FOLLOWERS
m.0    host-1  12              12,345  1m30s ago   host-2 (< 10 s behind), ` +
		`host-3 (34 s behind when it joined), host-4 (restoring)
m.1    -       -               -       -           host-6 (other settings: not to take over)
m.1 has stopped at host-2: input-gone
host-5 gets no tasks: other topics than the members that have tasks
`
	if b.String() != want {
		t.Errorf("\n%s", b.String())
	}
}

// TestPrintWithoutMembers: a daemon without --standby is in no group, which is not dead for that.
func TestPrintWithoutMembers(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"Dead", "Empty"} {
		var b bytes.Buffer
		l := List{Group: "g.tasks", State: state, Tasks: []Task{{Model: "m", Epoch: 3, Lag: 2}}}
		if err := l.Print(&b, time.Now()); err != nil || !strings.HasPrefix(b.String(),
			"group g.tasks: no daemon with --standby is in it, and others are not shown\n") {
			t.Errorf("%v\n%s", err, b.String())
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	s := &Settings{Topics: daemon.Topics{ModelPer: "all"}}
	if _, err := Load(t.Context(), s); err == nil || !strings.Contains(err.Error(), "input: missing") ||
		!strings.Contains(err.Error(), "brokers: missing") {
		t.Error(err)
	}
}
