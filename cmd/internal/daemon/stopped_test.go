package daemon

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// stopCount counts the stops of models that a daemon logs.
type stopCount struct{ atomic.Int32 }

func (n *stopCount) Run(_ *zerolog.Event, _ zerolog.Level, message string) {
	if strings.HasPrefix(message, "this model has stopped") {
		n.Add(1)
	}
}

// wantStopped wants the page of a daemon to say that its model of a partition has stopped, and of no other.
func wantStopped(t *testing.T, url, model, stop string) {
	t.Helper()
	for path, want := range map[string]string{
		"/readyz":  model + ": stopped with " + stop + ": ",
		"/status":  `"stop":{"name":"` + stop + `","what":"`,
		"/metrics": fmt.Sprintf(`rosenblatt_stopped{model=%q,stop=%q} 1`, model, stop),
		"/":        `<span class="badge bad">stopped</span> ` + stop + "</td>",
	} {
		if got := get(t, url+path); strings.Count(got, want) != 1 {
			t.Errorf("%s: %.3000s: want %s, once", path, got, want)
		}
	}
}

// TestStoppedTask: another process takes one partition over. That model has stopped, which the daemon shows; the others
// go on, and those of partitions that are added begin. When it is told to end it says that it was fenced.
func TestStoppedTask(t *testing.T) {
	t.Parallel()
	c, s := splitCluster(t, 3, 10)
	d, url, stop, done := serve(t, s)
	streamtest.Await(t, "three live tasks", func() bool { return slices.Equal(seqs(d), []int64{10, 10, 10}) })
	other := s
	other.State = t.TempDir()
	if err := os.CopyFS(other.State, os.DirFS(s.State)); err != nil {
		t.Fatal(err)
	}
	second := newDaemon(t, other)
	ctx := streamtest.Timeout(t, time.Minute)
	if err := second.ensure(ctx); err != nil {
		t.Fatal(err)
	}
	if err := second.newTask(1, 3).Run(ctx); err != nil {
		t.Fatal(err)
	}
	for p := range 3 {
		produceSome(t, c, s.Input, p, 1)
	}
	state := func() string { return d.Statuses()[1].State }
	streamtest.Await(t, "it has stopped", func() bool { return state() == board.Stopped })
	wantStopped(t, url, s.Input+".1", stops.Fenced)
	c.AddPartitions(t, s.Input, 4)
	produceSome(t, c, s.Input, 3, 10)
	streamtest.Await(t, "the others", func() bool {
		all := seqs(d)
		return len(all) == 4 && all[0] == 11 && all[2] == 11 && all[3] == 10
	})
	for query, want := range map[string]string{"0": `"seq":11`, "1": `"reason":"stopped"`, "3": `"seq":10`} {
		res, err := http.Post(url+"/predict?partition="+query, "application/json", strings.NewReader(`{"x":1}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := body(t, res); !strings.Contains(got, want) || (res.StatusCode == http.StatusOK) == (query == "1") {
			t.Errorf("/predict of %s: %d %s: want %s", query, res.StatusCode, got, want)
		}
	}
	if live := get(t, url+"/2/readyz"); live != "ready\n" || len(done) > 0 {
		t.Errorf("another one is not ready: %s", live)
	}
	if err := stop(); !stops.Is(err, stops.Fenced) || !strings.Contains(err.Error(), "model "+s.Input+".1: ") {
		t.Errorf("%v: want the stop %s of the second model", err, stops.Fenced)
	}
	if got := seqs(run(t, s)); !slices.Equal(got, []int64{11, 11, 11, 10}) {
		t.Errorf("the next start: seqs %v", got)
	}
}

// TestEndsOfTasks: what a restart may mend ends a daemon at once, a stop that it does not mend with the last task.
func TestEndsOfTasks(t *testing.T) {
	t.Parallel()
	_, s := splitCluster(t, 2, 0)
	d := newDaemon(t, s)
	d.add(d.newTask(0, 2))
	d.add(d.newTask(1, 2))
	for _, err := range []error{nil, stream.ErrUnfinished, &stops.Error{Name: stops.KafkaError},
		&stops.Error{Name: stops.StateUnreadable, Retriable: true}} {
		if got := d.running[0].ended(err); (got == nil) != (err == nil) || d.stopped > 0 {
			t.Errorf("%v: ends with %v, %d stopped", err, got, d.stopped)
		}
	}
	if err := d.running[1].ended(&stops.Error{Name: stops.InputGone}); err != nil || d.stopped != 1 {
		t.Errorf("one of two: ends with %v", err)
	}
	err := d.running[0].ended(fmt.Errorf("while live: %w", &stops.Error{Name: stops.BadBatch}))
	if !stops.Is(err, stops.InputGone) || !strings.Contains(err.Error(), "model "+s.Input+".1: ") {
		t.Errorf("the last one: ends with %v, want the first stop", err)
	}
}

// deleted runs members up to some events and ends them; then more come, of which the first are deleted in partitions.
func deleted(t *testing.T, c *streamtest.Cluster, s Settings, states []string, in ...int) {
	t.Helper()
	all, _, ends := membersOf(t, s, states, streamtest.Log(t))
	awaitSpread(t, all, 10, 1, 1, 2)
	for _, end := range ends {
		if err := end(); err != nil {
			t.Fatal(err)
		}
	}
	for p := range 3 {
		produceSome(t, c, s.Input, p, 10)
		if slices.Contains(in, p) {
			c.DeleteRecords(t, s.Input, int32(p), 15)
		}
	}
}

// membersOf is members in folders that stay.
func membersOf(
	t *testing.T, s Settings, folders []string, log zerolog.Logger,
) (all []*Daemon, urls []string, ends []func() error) {
	t.Helper()
	s.Standby.Standby, s.SessionTimeout, s.CheckpointTopic = true, 10*time.Second, s.Input+".checkpoints"
	s.UntilEnd, s.HTTP = false, "127.0.0.1:0"
	for _, s.State = range folders {
		d := logging(t, s, log)
		addr, err := d.Listen()
		if err != nil {
			t.Fatal(err)
		}
		end, _ := streamtest.Background(t, d.Run)
		all, urls, ends = append(all, d), append(urls, "http://"+addr.String()), append(ends, end)
	}
	return all, urls, ends
}

// TestStopAtEachMember: events of one of three partitions are gone. Each of two members tries that model once, and then
// nobody has it; the members go on with the others, each of whose events is predicted once.
func TestStopAtEachMember(t *testing.T) {
	t.Parallel()
	c, s := splitCluster(t, 3, 10)
	folders := []string{t.TempDir(), t.TempDir()}
	deleted(t, c, s, folders, 1)
	var count stopCount
	all, urls, ends := membersOf(t, s, folders, streamtest.Log(t).Hook(&count))
	stopped := func() bool {
		return all[0].Statuses()[1].State == board.Stopped && all[1].Statuses()[1].State == board.Stopped
	}
	streamtest.Await(t, "both have tried", func() bool {
		return len(all[0].Statuses()) == 3 && len(all[1].Statuses()) == 3 && stopped()
	})
	awaitSpread(t, all, 20, 1, 1, 1)
	for _, p := range []int{0, 2} {
		produceSome(t, c, s.Input, p, 10)
	}
	awaitSpread(t, all, 30, 1, 1, 1)
	for i := range all {
		wantStopped(t, urls[i], s.Input+".1", stops.InputGone)
	}
	if err := ends[0](); !stops.Is(err, stops.InputGone) {
		t.Errorf("the first member ended with %v", err)
	}
	for _, p := range []int{0, 2} {
		produceSome(t, c, s.Input, p, 10)
	}
	awaitSpread(t, all[1:], 40, 0, 2)
	if n := count.Load(); n != 2 || !stopped() {
		t.Errorf("%d tries of two members", n)
	}
	if err := ends[1](); !stops.Is(err, stops.InputGone) {
		t.Errorf("the second member ended with %v", err)
	}
	for p, n := range []int{40, 10, 40} {
		wantOnce(t, &s, p, n)
	}
}

// wantOnce wants one prediction of each of so many events of a partition, in order.
func wantOnce(t *testing.T, s *Settings, partition, events int) {
	t.Helper()
	client, err := kafka.New(kafka.Options{ClusterOptions: kafka.ClusterOptions{Brokers: s.Brokers}, Input: s.Input,
		Output: s.Input + ".predictions", DeadLetters: s.Input + ".dlq", TransactionalID: "none", Group: "none"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	top, err := client.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := top.Output.Partitions[partition]
	records := streamtest.Read(t, topics.Log(client), topics.Output, int32(partition), b)
	for i, r := range records {
		p, err := journal.ParsePrediction(r.Value)
		if err != nil || p.Seq != int64(i+1) || p.Offset != int64(i) {
			t.Errorf("partition %d: entry %d is seq %d of offset %d, %v", partition, i, p.Seq, p.Offset, err)
		}
	}
	if len(records) != events {
		t.Errorf("partition %d: %d predictions of %d events", partition, len(records), events)
	}
}

// TestStopsAtEveryMember: events of all partitions are gone. Each member tries each model once, and ends with the first
// stop.
func TestStopsAtEveryMember(t *testing.T) {
	t.Parallel()
	c, s := splitCluster(t, 3, 10)
	folders := []string{t.TempDir(), t.TempDir()}
	deleted(t, c, s, folders, 0, 1, 2)
	var count stopCount
	s.Standby.Standby, s.SessionTimeout, s.CheckpointTopic = true, 10*time.Second, s.Input+".checkpoints"
	s.UntilEnd = false
	ended := make(chan error, 2)
	for _, s.State = range folders {
		d := logging(t, s, streamtest.Log(t).Hook(&count))
		go func() { ended <- d.Run(streamtest.Timeout(t, time.Minute)) }()
	}
	for range 2 {
		if err := <-ended; !stops.Is(err, stops.InputGone) || !strings.Contains(err.Error(), "model "+s.Input+".") {
			t.Errorf("it ended with %v", err)
		}
	}
	if n := count.Load(); n != 6 {
		t.Errorf("%d tries of two members with three models", n)
	}
}

// TestStopGoesToAFollower: a record that one member cannot read, and the others can, stops its model there alone.
// Another member goes on with it at once, and none but the first has ended anything.
func TestStopGoesToAFollower(t *testing.T) {
	t.Parallel()
	c, s := splitCluster(t, 3, 10)
	s.Standby.Standby, s.SessionTimeout, s.CheckpointTopic = true, 10*time.Second, s.Input+".checkpoints"
	s.MaxBytes = 1 << 16
	low := s
	low.State, low.MaxBatchBytes = t.TempDir(), 1<<16
	first, url, endFirst, _ := serve(t, low)
	awaitSpread(t, []*Daemon{first}, 10, 0, 3)
	s.State = t.TempDir()
	second, _, endSecond, _ := serve(t, s)
	all := []*Daemon{first, second}
	awaitSpread(t, all, 10, 1, 1, 2)
	at := liveModels(first)[0]
	large := fmt.Sprintf(`{"label":1,"x":%s1}`, strings.Repeat(" ", 40_000))
	c.Produce(t, s.Input, at, large, large) // one batch
	streamtest.Await(t, "it has stopped at the first and is live at the second", func() bool {
		return first.Statuses()[at].State == board.Stopped && second.Statuses()[at].State == board.Live &&
			second.Statuses()[at].Seq == 12
	})
	wantStopped(t, url, fmt.Sprint(s.Input, ".", at), stops.BadBatch)
	produceSome(t, c, s.Input, (at+1)%3, 10)
	streamtest.Await(t, "the others", func() bool {
		seqs := ofLive(all, 3, func(s *board.Status) int64 { return s.Seq })
		return live(first)+live(second) == 3 && seqs[(at+1)%3] == 20 && seqs[(at+2)%3] == 10
	})
	if err := endSecond(); err != nil {
		t.Errorf("the second ended with %v", err)
	}
	streamtest.Await(t, "the first has the others", func() bool { return live(first) == 2 })
	if err := endFirst(); !stops.Is(err, stops.BadBatch) || errors.Is(err, stream.ErrUnfinished) {
		t.Errorf("the first ended with %v", err)
	}
	wantOnce(t, &s, at, 12)
}
