package daemon

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// members starts daemons that share their tasks.
func members(t *testing.T, s Settings, n int) (all []*Daemon, urls []string, stops []func() error) {
	t.Helper()
	s.Standby.Standby, s.SessionTimeout, s.CheckpointTopic = true, 10*time.Second, s.Input+".checkpoints"
	for range n {
		s.State = t.TempDir()
		d, url, stop, _ := serve(t, s)
		all, urls, stops = append(all, d), append(urls, url), append(stops, stop)
	}
	return all, urls, stops
}

// states are those of a task in all daemons.
func states(all []*Daemon, task int) (names []string) {
	for _, d := range all {
		if of := d.Statuses(); task < len(of) {
			names = append(names, of[task].State)
		}
	}
	return names
}

// awaitStates waits until one daemon has the task, at a seq, and the others follow up to there; it returns the one.
func awaitStates(t *testing.T, all []*Daemon, task int, seq int64) (active int) {
	t.Helper()
	streamtest.Await(t, "one active member", func() bool {
		names := states(all, task)
		active = slices.Index(names, board.Live)
		for i := range names {
			if all[i].Statuses()[task].Seq != seq || i != active && names[i] != board.Following {
				return false
			}
		}
		return active >= 0 && len(names) == len(all)
	})
	return active
}

// TestStandby: one of the daemons predicts, and when it is stopped, one of the others goes on at once. A daemon that
// comes back follows.
func TestStandby(t *testing.T) {
	t.Parallel()
	c, s := topicOf(t, 2, 0)
	all, urls, stops := members(t, s, 2)
	produceSome(t, c, s.Input, 0, 100)
	active := awaitStates(t, all, 0, 100)
	for i := range all {
		streamtest.Await(t, "ready", func() bool { return get(t, urls[i]+"/readyz") == "ready\n" })
	}
	if body := get(t, urls[1-active]+"/status"); !strings.Contains(body, `"state":"following"`) {
		t.Errorf("the status of the follower: %.300s", body)
	}
	name := all[active].Settings().Instance
	for i, want := range []string{`"instance":"` + name + `"`, `"text":"` + name + ` predicts since`} {
		if body := get(t, urls[1-active]+"/status"); !strings.Contains(body, want) {
			t.Errorf("%d: the status of the follower lacks %s", i, want)
		}
	}
	if body := get(t, urls[active]+"/status"); !strings.Contains(body, `"text":"this daemon predicts since`) {
		t.Errorf("the status of the one that predicts: %.2000s", body)
	}
	begin, late := time.Now(), streamtest.Timeout(t, 9*time.Second)
	if err := stops[active](); err != nil {
		t.Fatal(err)
	}
	t.Logf("the first one has ended after %v", time.Since(begin))
	rest := all[1-active : 2-active]
	produceSome(t, c, s.Input, 1, 100)
	awaitStates(t, rest, 0, 200)
	if late.Err() != nil {
		t.Errorf("the other one went on after %v", time.Since(begin))
	}
	begin, late = time.Now(), streamtest.Timeout(t, 9*time.Second)
	if err := stops[1-active](); err != nil {
		t.Fatal(err)
	}
	if late.Err() != nil {
		t.Errorf("the last one waited %v for others", time.Since(begin))
	}
}

// TestStandbyModels: the models of the partitions are spread over the daemons, and one that goes leaves its models to
// the other one.
func TestStandbyModels(t *testing.T) {
	t.Parallel()
	const partitions = 4
	c, s := splitCluster(t, partitions, 25)
	all, _, stops := members(t, s, 2)
	streamtest.Await(t, "models on both daemons", func() bool {
		return len(liveModels(all[0])) == 2 && len(liveModels(all[1])) == 2
	})
	for p := range partitions {
		awaitStates(t, all, p, 25)
	}
	if err := stops[0](); err != nil {
		t.Fatal(err)
	}
	for p := range partitions {
		produceSome(t, c, s.Input, p, 25)
		awaitStates(t, all[1:], p, 50)
	}
	if err := stops[1](); err != nil {
		t.Fatal(err)
	}
}

// TestStandbys: a daemon more than the standbys is idle until one is missing.
func TestStandbys(t *testing.T) {
	t.Parallel()
	c, s := topicOf(t, 1, 0)
	all, urls, stops := members(t, s, 3)
	produceSome(t, c, s.Input, 0, 100)
	streamtest.Await(t, "one predicts, one follows, one is idle", func() bool {
		names := states(all, 0)
		slices.Sort(names)
		return slices.Equal(names, []string{board.Following, board.Idle, board.Live})
	})
	names := states(all, 0)
	idle := slices.Index(names, board.Idle)
	if got := get(t, urls[idle]+"/readyz"); got != "ready\n" {
		t.Errorf("idle: %q", got)
	}
	gone := slices.Index(names, board.Live)
	if err := stops[gone](); err != nil {
		t.Fatal(err)
	}
	produceSome(t, c, s.Input, 0, 100)
	rest := slices.Delete(slices.Clone(all), gone, gone+1)
	awaitStates(t, rest, 0, 200)
	for i := range all {
		if i != gone {
			if err := stops[i](); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestOtherSettings: a daemon with other settings of the model follows it, and is not ready. One with other topics gets
// none.
func TestOtherSettings(t *testing.T) {
	t.Parallel()
	_, s := topicOf(t, 1, 0)
	first, _, stop := members(t, s, 1)
	awaitStates(t, first, 0, 0)
	other, topic := s, s
	other.Bits++
	_, urls, stopOther := members(t, other, 1)
	streamtest.Await(t, "it is not to take over", func() bool {
		return strings.Contains(get(t, urls[0]+"/readyz"), "following, and not to take over: ")
	})
	topic.DeadLetter = s.Output + ".dlq"
	_, urls, stopTopic := members(t, topic, 1)
	streamtest.Await(t, "it is refused", func() bool {
		return strings.Contains(get(t, urls[0]+"/readyz"), "other topics")
	})
	for _, end := range []func() error{stopOther[0], stopTopic[0], stop[0]} {
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}

// liveModels are the tasks that a daemon predicts in.
func liveModels(d *Daemon) (all []int) {
	for p, s := range d.Statuses() {
		if s.State == board.Live {
			all = append(all, p)
		}
	}
	return all
}

// TestResponseTimeout: a daemon with --standby gives up a connection without responses while the group still waits for
// it.
func TestResponseTimeout(t *testing.T) {
	s := Defaults()
	s.Brokers, s.Input, s.CheckpointTopic, s.State = []string{"localhost:1"}, "in", "checkpoints", t.TempDir()
	for _, c := range []struct {
		standby       bool
		session, want time.Duration
	}{{false, 6 * time.Second, 0}, {true, 6 * time.Second, 3 * time.Second}, {true, time.Minute, 10 * time.Second}} {
		s.Standby.Standby, s.SessionTimeout = c.standby, c.session
		r, err := s.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Kafka.ResponseTimeout; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
