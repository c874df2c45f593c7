package web

import (
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/survey"
)

// has checks that a response holds a text.
func has(t *testing.T, s *Server, path, want string) {
	t.Helper()
	if got := ask(s, "GET", path, "").Body.String(); !strings.Contains(got, want) {
		t.Errorf("%s without %q: %s", path, want, got)
	}
}

func TestReadyByRejections(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	set := func(n int64) {
		task.set(func(st *board.Status) {
			st.Rejects = board.Rejecting{InRow: n, Last: event.BadLabel, Advice: "--label-field NAME names it"}
		})
	}
	set(99)
	isReady(t, s)
	set(100)
	isReady(t, s, "all rejected: the last 100 events, the newest as bad-label: --label-field NAME names it")
	has(t, s, "/metrics", "\nrosenblatt_rejected_in_row_records 100\n")
	set(0)
	isReady(t, s)
}

// TestReadyByRejectedLabels: as by events.
func TestReadyByRejectedLabels(t *testing.T) {
	task := newLateTask(t)
	s, _ := newServer(task)
	set := func(n int64) {
		task.set(func(st *board.Status) {
			late := *st.Late
			late.Rejects = board.Rejecting{InRow: n, Last: event.NoID, Advice: "--labels-id-field NAME names it",
				Bad: int(n), Of: 100}
			st.Late = &late
		})
	}
	set(99)
	isReady(t, s)
	set(100)
	isReady(t, s, "all rejected: the last 100 labels, the newest as no-id: --labels-id-field NAME names it")
	has(t, s, "/metrics", "\nrosenblatt_labels_rejected_in_row_records 100\n")
	has(t, s, "/status", "all rejected: the last 100 labels")
	set(0)
	isReady(t, s)
}

// TestReadyByLatency: not ready when a prediction has waited for its acknowledgement for 30 s, whatever comes after it.
func TestReadyByLatency(t *testing.T) {
	task := newTask(t)
	s, c := newServer(task)
	task.set(func(st *board.Status) { st.Partitions = nil }) // so that nothing stalls
	set := func(seq, unacknowledged int64) {
		task.set(func(st *board.Status) {
			st.Seq, st.Saved.Seq, st.Unacknowledged = seq, seq, unacknowledged
		})
	}
	set(100, 10)
	isReady(t, s)
	c.pass(29 * time.Second)
	isReady(t, s)
	set(200, 110) // others are made, none is acknowledged
	c.pass(time.Second)
	isReady(t, s, "predictions are late: 110 wait for the brokers' acknowledgement, the oldest for 30s")
	set(200, 100) // those that were awaited are acknowledged
	isReady(t, s)
	for range 10 { // always some, never the same
		c.pass(20 * time.Second)
		set(task.Status().Seq+100, 100)
		isReady(t, s)
	}
	c.pass(time.Minute)
	isReady(t, s, "predictions are late")
	task.set(func(st *board.Status) { st.State, st.Unacknowledged = board.Recovering, 0 })
	isReady(t, s, "recovering")
}

// TestUnlabelled: events without a label are told after a hundred of them where there was none before, else after ten
// minutes; not for a model that does not learn.
func TestUnlabelled(t *testing.T) {
	task := newTask(t)
	s, c := newServer(task)
	task.set(func(st *board.Status) { st.Partitions = nil }) // so that nothing stalls
	var log strings.Builder
	s.Log = zerolog.New(&log)
	s.init()
	set := func(examples, predictions int64) {
		task.set(func(st *board.Status) {
			st.Score, st.Counts.Predictions = metrics.Report{}, predictions
			st.Score.Examples, st.Config = examples, task.fixed
		})
	}
	logged := false
	notice := func(want string) {
		t.Helper()
		v := s.look()
		logged = s.logUnlabelled(v, logged)
		if want == "" && v.unlabelled != "" || !strings.HasPrefix(v.unlabelled, want) {
			t.Errorf("%q, want %q", v.unlabelled, want)
		}
		isReady(t, s)
	}
	set(0, 0)
	notice("")
	set(0, 99)
	notice("")
	set(0, 100)
	notice(`nothing is learned: none of 100 events had a label in the field "label"; --label-field NAME names it`)
	set(1, 101)
	notice("")
	set(1, 500)
	notice("")
	c.pass(9 * time.Minute)
	notice("")
	c.pass(time.Minute)
	notice("nothing is learned: no event had a label for 10m, 399 in a row")
	has(t, s, "/metrics", "\nrosenblatt_unlabelled_seconds 600\n")
	has(t, s, "/status", `"notices":["nothing is learned: no event`)
	task.fixed.NoLearn = true
	set(1, 600)
	notice("")
	if n := strings.Count(log.String(), "\n"); n != 4 || strings.Count(log.String(), "labels again") != 2 {
		t.Error(log.String())
	}
}

// TestWarnings: about the label they are notices, in one line; about fields they are with the fields, and bounded.
func TestWarnings(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	task.set(func(st *board.Status) {
		st.First = &survey.Report{Warnings: []survey.Warning{{Text: "no\nlabel"}}}
		for i := range 300 {
			st.First.Fields = append(st.First.Fields, survey.Field{Name: strings.Repeat("x", i*100)})
			st.First.Warnings = append(st.First.Warnings, survey.Warning{Field: "x", Text: "dates"})
		}
	})
	v := s.look()
	if got := v.notices(); len(got) != 1 || got[0] != "no label" {
		t.Errorf("%q", got)
	}
	b := firstBody(v.First)
	if len(b.Warnings) != 20 || len(b.Fields) != 100 || b.Hidden != 200 || len(b.Fields[99].Name) > maxName+len("…") {
		t.Errorf("%d warnings, %d and %d fields", len(b.Warnings), len(b.Fields), b.Hidden)
	}
}

// TestLagUnknown: while the ends of the input are not listed, nobody knows the lag.
func TestLagUnknown(t *testing.T) {
	task := newTask(t)
	s, c := newServer(task)
	task.set(func(st *board.Status) {
		st.EndsAt = c.time()
		st.Partitions = []board.PartitionStatus{{Position: 10, End: 10}}
	})
	lag := func(lag string, metric bool) {
		t.Helper()
		status, metrics := ask(s, "GET", "/status", "").Body.String(), ask(s, "GET", "/metrics", "").Body.String()
		for name, want := range map[string]bool{"lag_records": metric, "end_offset": metric, "position": true} {
			if strings.Contains(metrics, "rosenblatt_"+name+"{") != want {
				t.Errorf("lag %s, %s: not %v", lag, name, want)
			}
		}
		if strings.Count(status, `"lag":`+lag+`,`) != 2 {
			t.Errorf("want lag %s: %s", lag, status)
		}
	}
	lag("0", true)
	c.pass(10 * time.Second)
	lag("0", true)
	c.pass(time.Second)
	lag("null", false)
	if p, _ := pointOf(s.look()); p.lag != nil {
		t.Error("the curve knows it")
	}
	task.set(func(st *board.Status) { st.EndsAt = c.time() })
	lag("0", true)
	task.set(func(st *board.Status) { st.EndsAt = time.Time{} }) // after a takeover
	lag("0", true)
	s.Trouble = func() (string, time.Time) { return "list offsets: nobody listens", c.time().Add(-11 * time.Second) }
	lag("null", false)
}
