package web

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/board"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/topics"
)

// isReady asks /readyz and checks the answer: no wanted text means ready; else one line with each.
func isReady(t *testing.T, s *Server, wanted ...string) {
	t.Helper()
	w := ask(s, "GET", "/readyz", "")
	if len(wanted) == 0 {
		if w.Code != http.StatusOK || w.Body.String() != "ready\n" {
			t.Fatalf("want ready, got %d: %s", w.Code, w.Body)
		}
		return
	}
	lines := strings.Split(strings.TrimSuffix(w.Body.String(), "\n"), "\n")
	if w.Code != http.StatusServiceUnavailable || len(lines) != len(wanted) {
		t.Fatalf("want %q, got %d: %s", wanted, w.Code, w.Body)
	}
	for i := range lines {
		if !strings.Contains(lines[i], wanted[i]) {
			t.Errorf("line %q, want %q in it", lines[i], wanted[i])
		}
	}
}

func TestReadyByState(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	isReady(t, s)
	task.set(func(st *board.Status) {
		st.State, st.Recovered = board.Recovering, board.Recovery{Predictions: 5, Done: 6, Total: 7}
	})
	isReady(t, s, "recovering: 5 predictions learned again, 6 of 7 offsets")
	task.set(func(st *board.Status) { st.Recovered.NoSchema = "the registry has no subject s" })
	isReady(t, s, "no schema for the events, so nothing is predicted: the registry has no subject s")
	task.set(func(st *board.Status) { st.State = board.Stopping })
	isReady(t, s, "stopping")
}

func TestReadyByBrokers(t *testing.T) {
	s, c := newServer(newTask(t))
	text, since := "", time.Time{}
	s.Trouble = func() (string, time.Time) { return text, since }
	isReady(t, s)
	text, since = "fetch: connection refused\nready", start
	c.pass(10 * time.Second)
	isReady(t, s)
	c.pass(time.Second)
	isReady(t, s, "brokers in trouble for 11s: fetch: connection refused ready") // one line, whatever the text holds
	s.TroubleAfter = time.Minute
	isReady(t, s)
	text, since = "", time.Time{}
	isReady(t, s)
}

func TestReadyByInput(t *testing.T) {
	task := newTask(t)
	s, c := newServer(task)
	move := func(position, end int64) {
		task.set(func(st *board.Status) {
			st.Partitions = []board.PartitionStatus{{Partition: 0, Position: 4, End: 4},
				{Partition: 1, Position: position, End: end}}
		})
	}
	move(40, 40)
	isReady(t, s)
	c.pass(time.Hour) // nothing to do is no stall, and does not count when something comes
	isReady(t, s)
	move(40, 50)
	isReady(t, s)
	c.pass(29 * time.Second)
	isReady(t, s)
	c.pass(time.Second)
	isReady(t, s, "input stalled: 10 records wait and no position has advanced for 30s (partition 1 at 40 of 50)")
	move(41, 50)
	isReady(t, s)
	c.pass(29 * time.Second)
	isReady(t, s)
	task.set(func(st *board.Status) { st.State = board.Recovering }) // what recovery takes is no stall of the input
	isReady(t, s, "recovering")
	c.pass(time.Minute)
	task.set(func(st *board.Status) { st.State = board.Live })
	isReady(t, s)
	c.pass(30 * time.Second)
	isReady(t, s, "input stalled")
}

// TestReadyByTransactions: not ready when a transaction has held the last stable offset for a minute, as the listings
// of the ends say; what can be read beside it counts as before.
// TestOpenTransactionIsLogged: once when it has held back input for a minute, once when it does not any more.
func TestOpenTransactionIsLogged(t *testing.T) {
	task := newTask(t)
	s, c := newServer(task)
	var log strings.Builder
	s.Log = zerolog.New(&log)
	s.init()
	held := false
	for _, behind := range []int64{5, 5, 5, 5, 5, 5, 0, 0} {
		c.pass(20 * time.Second)
		task.set(func(st *board.Status) {
			st.EndsAt = c.time()
			st.Partitions = []board.PartitionStatus{{Position: 10, End: 10, StableLag: behind}}
		})
		held = s.logHeld(s.look(), held)
	}
	if got := log.String(); strings.Count(got, "open transaction: 5 offsets of the input wait") != 1 ||
		strings.Count(got, "no open transaction") != 1 || strings.Count(got, "\n") != 2 {
		t.Errorf("the log has %s", got)
	}
}

func TestReadyByTransactions(t *testing.T) {
	task := newTask(t)
	s, c := newServer(task)
	listed := func(stable, behind int64) {
		c.pass(20 * time.Second)
		task.set(func(st *board.Status) {
			st.EndsAt = c.time()
			st.Partitions = []board.PartitionStatus{{Partition: 0, Position: 4, End: 4},
				{Partition: 1, Position: stable, End: stable, StableLag: behind}}
		})
	}
	for range 3 {
		listed(10, 101)
		isReady(t, s)
	}
	c.pass(time.Hour) // the brokers are away: nothing is known of these transactions
	isReady(t, s)
	listed(10, 90)
	isReady(t, s, "open transaction: 90 offsets of the input wait behind the last stable offset for 61m "+
		"(partition 1 at 10 of 100), until a producer commits or aborts")
	for i := range 9 { // one ends every minute
		listed(20+int64(i)/3, 10)
		isReady(t, s)
	}
	listed(30, 0)
	isReady(t, s)
	for range 3 {
		listed(30, 5)
		isReady(t, s)
	}
	task.set(func(st *board.Status) { st.State = board.Recovering })
	isReady(t, s, "recovering")
	task.set(func(st *board.Status) { st.State = board.Live })
	for range 3 {
		listed(30, 5)
		isReady(t, s)
	}
	listed(30, 5)
	isReady(t, s, "5 offsets of the input wait")
}

// TestReadyByWhatIsUnread: a follower that cannot read something on is not ready to take over.
func TestReadyByWhatIsUnread(t *testing.T) {
	task := newTask(t)
	s, c := newServer(task)
	task.set(func(st *board.Status) { st.State, st.FollowedAt = board.Following, c.time() })
	isReady(t, s)
	task.set(func(st *board.Status) { st.Unread = "the checkpoint topic cannot be read on: no right" })
	isReady(t, s, "following, but the checkpoint topic cannot be read on: no right")
}

func TestReadyByCheckpoint(t *testing.T) {
	task := newTask(t)
	task.status.Partitions = nil // so that nothing stalls
	s, c := newServer(task)
	c.pass(time.Hour)
	isReady(t, s) // an old checkpoint that lacks nothing
	task.set(func(st *board.Status) { st.Seq++ })
	isReady(t, s)
	c.pass(99 * time.Second)
	isReady(t, s)
	c.pass(time.Second)
	isReady(t, s, "checkpoint overdue: predictions are unsaved for 1m40s, "+
		"the newest checkpoint has seq 200, the model 201")
	task.set(func(st *board.Status) { st.Saved.Duration = 2 * time.Second }) // then ten intervals are 200 s
	isReady(t, s)
	task.set(func(st *board.Status) { st.Saved.Duration, st.Saved.Seq, st.Seq = 0, 201, 202 })
	isReady(t, s) // a new one came, and newer answers
	task.set(func(st *board.Status) { st.SaveError = "no space left on device" })
	isReady(t, s, "the last checkpoint failed: no space left on device")
}

func TestReadyNamesAllReasons(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	s.Trouble = func() (string, time.Time) { return "dial: timeout", start.Add(-time.Minute) }
	task.set(func(st *board.Status) { st.State, st.SaveError = board.Stopping, "read-only file system" })
	isReady(t, s, "stopping", "brokers in trouble for 1m: dial: timeout", "read-only file system")
}

func TestBehindNamesThree(t *testing.T) {
	st := &board.Status{}
	for p := range int32(6) {
		st.Partitions = append(st.Partitions, board.PartitionStatus{Partition: p, Position: 1, End: 1 + int64(p)})
	}
	n, got := behind(st)
	if n != 1+2+3+4+5 || got != "partition 1 at 1 of 2, partition 2 at 1 of 3, partition 3 at 1 of 4, ..." {
		t.Error(n, got)
	}
}

func TestPace(t *testing.T) {
	var w watch
	st := &board.Status{State: board.Live}
	at := start
	var got rates
	for i := range 30 {
		st.Counts.Predictions = int64(i) * 100
		if i > 15 {
			st.Counts.Predictions = 1500
		}
		got = w.add(st, at)
		w.add(st, at.Add(time.Millisecond)) // looks in between count for nothing
		if i == 15 && got.perSecond != 100 {
			t.Errorf("100 a second: %v", got.perSecond)
		}
		at = at.Add(time.Second)
	}
	if got.perSecond != 0 {
		t.Errorf("at rest: %v", got.perSecond)
	}
	st.State = board.Recovering
	if w.add(st, at); len(w.paces) != 0 {
		t.Error("recovery is no pace")
	}
}

// TestReadyByRegistry: a partition that has waited for the schema registry for ten seconds makes the task not ready.
func TestReadyByRegistry(t *testing.T) {
	task := newTask(t)
	s, c := newServer(task)
	task.set(func(st *board.Status) {
		st.Registry = true
		st.Waiting = []registry.Wait{{Topic: topics.Input, Partition: 3, ID: schema.ID{Number: 7}, Since: start}}
		st.RegistryTrouble = &registry.Trouble{Since: start, Err: errors.New("http://r: status 401\nready")}
		st.Schemas = []board.SchemaStatus{{Schema: &schema.Schema{Type: schema.Avro,
			Text: `{"type":"record","name":"Event","namespace":"shop"}`}, Records: 5}}
	})
	isReady(t, s)
	c.pass(12 * time.Second)
	isReady(t, s, "schema registry: 1 partition waits for up to 12 s (partition 3 for schema 7): "+
		"http://r: status 401 ready")
	body := ask(s, "GET", "/status", "").Body.String()
	for _, want := range []string{`"registry":{"waiting":[3],"seconds":12,"error":"http://r: status 401 ready"}`,
		`"schemas":[{"id":0,"type":"AVRO","name":"shop.Event","records":5}]`} {
		if !strings.Contains(body, want) {
			t.Errorf("%s, want %s", body, want)
		}
	}
	task.set(func(st *board.Status) { st.Waiting = nil })
	isReady(t, s)
}
