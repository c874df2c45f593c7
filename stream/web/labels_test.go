package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/board"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// newLateTask makes a task with later labels.
func newLateTask(t testing.TB) *literal {
	t.Helper()
	task := newTask(t)
	var delays labels.Delays
	for _, ms := range []int64{-500, 700, 8_000, 9_000, 3_600_001, 8 * 24 * 3_600_000} {
		delays.Add(ms)
	}
	task.status.Late = &board.LabelStatus{
		Partitions: []board.PartitionStatus{{Partition: 0, Position: 7, End: 9}, {Partition: 1, Position: 3, End: 3}},
		Counts: model.LabelCounts{Read: 20, Tombstones: 1, Repeats: 2, NoID: 4, Delays: delays,
			Rejected: map[string]int64{"no-example": 3, "late-label": 1},
			Outcomes: map[string]int64{"labelled": 12, "expired": 5, "evicted": 1}},
		Waiting: 31, Settled: 18, Oldest: start.Add(-90 * time.Second).UnixMilli(),
		Time: start.Add(-2 * time.Second).UnixMilli(), Wait: 24 * time.Hour, Held: 1, Memory: 4096, ReadBack: 6,
	}
	return task
}

func TestLabelsInStatus(t *testing.T) {
	s, _ := newServer(newLateTask(t))
	w := ask(s, http.MethodGet, "/status", "")
	want(t, w, http.StatusOK)
	var body struct{ Labels *labelsBody }
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	b := body.Labels
	if b == nil || b.Waiting != 31 || *b.Oldest != 90 || *b.Behind != 2 || b.Stalled || *b.Lag != 2 || b.Wait != 86400 {
		t.Fatalf("%s", w.Body)
	}
	if len(b.Partitions) != 2 || b.Partitions[0].Position != 7 || *b.Partitions[0].Lag != 2 {
		t.Errorf("partitions %+v", b.Partitions)
	}
	if o := b.Outcomes; len(o) != 6 || o["labelled"] != 12 || o["expired"] != 5 || o["assumed"] != 0 {
		t.Errorf("outcomes %v", o)
	}
	if d := b.Delays; len(d.Counts) != len(d.Bounds)+1 || d.Counts[0] != 1 || d.Counts[2] != 2 || d.Counts[9] != 1 {
		t.Errorf("delays %+v", d)
	}
	s, _ = newServer(newTask(t))
	if w := ask(s, http.MethodGet, "/status", ""); strings.Contains(w.Body.String(), `"labels":`) {
		t.Errorf("labels without a labels topic: %s", w.Body)
	}
}

func TestLabelsInMetrics(t *testing.T) {
	s, _ := newServer(newLateTask(t))
	got := ask(s, http.MethodGet, "/metrics", "").Body.String()
	for _, line := range []string{
		"rosenblatt_labels_waiting 31", "rosenblatt_labels_waiting_oldest_seconds 90", "rosenblatt_labels_stalled 0",
		`rosenblatt_outcomes_total{outcome="evicted"} 1`, `rosenblatt_outcomes_total{outcome="gone"} 0`,
		`rosenblatt_labels_rejected_total{reason="no-example"} 3`, `rosenblatt_labels_lag_records{partition="0"} 2`,
		`rosenblatt_labels_delay_seconds_bucket{le="0"} 1`, `rosenblatt_labels_delay_seconds_bucket{le="10"} 4`,
		`rosenblatt_labels_delay_seconds_bucket{le="+Inf"} 6`, "rosenblatt_labels_delay_seconds_sum 694817.201",
		"rosenblatt_labels_time_seconds 1.772366398e+09",
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
}

// TestStalledLabels are named, logged once, and make nothing unready; nor is it a mistake that events have no label.
func TestStalledLabels(t *testing.T) {
	task := newLateTask(t)
	s, c := newServer(task)
	var log strings.Builder
	s.Log = zerolog.New(&log)
	s.init()
	logged := false
	for i, step := range []struct {
		after     time.Duration
		due       bool
		labelTime time.Duration
		stalled   bool
	}{
		{time.Hour, false, 0, false}, {time.Hour, true, 0, false}, {59 * time.Second, true, 0, false},
		{time.Second, true, 1, false}, // labels come, and others are due
		{time.Minute, true, 1, true}, {time.Hour, true, 1, true}, {time.Second, true, 2, false},
		{time.Hour, true, 2, true}, {time.Second, false, 2, false},
	} {
		task.set(func(st *board.Status) {
			late := *st.Late
			late.Stalled, late.Time = step.due, start.Add(time.Minute*step.labelTime).UnixMilli()
			st.Late = &late
			st.Counts.Predictions += 1000
			st.Partitions = nil // the input is read to its end
		})
		c.pass(step.after)
		logged = s.logStalledLabels(s.look(), logged)
		w := ask(s, http.MethodGet, "/readyz", "")
		want(t, w, http.StatusOK)
		if !strings.HasPrefix(w.Body.String(), "ready\n") ||
			strings.Contains(w.Body.String(), "\nlabels-stalled: 31 predictions wait") != step.stalled {
			t.Errorf("step %d: %s", i, w.Body)
		}
		if notices := s.look().notices(); (len(notices) == 1) != step.stalled {
			t.Errorf("step %d: %q", i, notices)
		}
	}
	if text := log.String(); strings.Count(text, "labels-stalled: 31 predictions wait for labels, by the clock the "+
		"oldest for 2h3m30s, longer than --label-wait 24h; but the newest label is ") != 1 ||
		strings.Count(text, "labels-stalled") != 2 || strings.Count(text, "labels move again") != 2 {
		t.Errorf("log %s", text)
	}
}

// TestLaterNotices: what holds labels up for long, and what is not waited for, is named in the log once, on the page
// and in /readyz, and makes nothing unready.
func TestLaterNotices(t *testing.T) {
	task := newLateTask(t)
	s, c := newServer(task)
	var log strings.Builder
	s.Log = zerolog.New(&log)
	s.init()
	const held = "labels held: partition 1 of the labels waits at offset 17 for 1m, since its event may be in an" +
		" open transaction in partition 3 of the input"
	const unasked = "unasked: the leader of partition 2 of the labels does not tell where it ends (no leader known):" +
		" events do not wait for its labels"
	late := func(change func(*board.LabelStatus)) {
		task.set(func(st *board.Status) {
			copied := *st.Late
			change(&copied)
			st.Late, st.Partitions = &copied, nil
		})
	}
	named := func(texts ...string) {
		t.Helper()
		s.note()
		w := ask(s, http.MethodGet, "/readyz", "")
		want(t, w, http.StatusOK)
		lines := strings.Split(strings.TrimSpace(w.Body.String()), "\n")
		if notices := s.look().notices(); len(notices) != len(texts) || len(lines) != 1+len(texts) {
			t.Fatalf("%q, %q, want %q", notices, lines, texts)
		}
		for i, text := range texts {
			if !strings.HasPrefix(lines[1+i], text) {
				t.Errorf("%q, want %q", lines[1+i], text)
			}
		}
	}
	late(func(l *board.LabelStatus) {
		l.Holds = []board.LabelHold{{Partition: 1, Offset: 16, Input: 3, Open: true}}
	})
	named()
	c.pass(59 * time.Second)
	late(func(l *board.LabelStatus) {
		l.Holds = []board.LabelHold{{Partition: 1, Offset: 17, Input: 3, Open: true}}
	})
	named()
	c.pass(59 * time.Second)
	named()
	c.pass(time.Second)
	named(held)
	late(func(l *board.LabelStatus) {
		l.Unasked = []board.UnaskedPartition{{Topic: topics.Labels, Partition: 2, Err: "no leader known"}}
	})
	named(unasked, held)
	named(unasked, held)
	late(func(l *board.LabelStatus) { l.Holds = nil })
	named(unasked)
	if text := log.String(); strings.Count(text, `"warn","message":"labels held`) != 1 ||
		strings.Count(text, `"warn","message":"unasked`) != 1 || strings.Count(text, "labels: over") != 1 {
		t.Error(text)
	}
}

// TestTimeNotices: label time that is ahead of the clock, a label that is too far ahead, and timestamps in seconds are
// named.
func TestTimeNotices(t *testing.T) {
	task := newLateTask(t)
	s, _ := newServer(task)
	s.init()
	named := func(change func(*board.LabelStatus), texts ...string) {
		t.Helper()
		task.set(func(st *board.Status) {
			late := *st.Late
			change(&late)
			st.Late, st.Partitions = &late, nil
		})
		notices := s.look().notices()
		if len(notices) != len(texts) {
			t.Fatalf("%q, want %q", notices, texts)
		}
		for i, text := range texts {
			if !strings.HasPrefix(notices[i], text) {
				t.Errorf("%q, want %q", notices[i], text)
			}
		}
	}
	const metric = "rosenblatt_labels_time_ahead_seconds"
	named(func(l *board.LabelStatus) { l.Ahead = 3 * time.Minute })
	if w := ask(s, http.MethodGet, "/metrics", ""); !strings.Contains(w.Body.String(), metric+" 0\n") {
		t.Error(w.Body)
	}
	named(func(l *board.LabelStatus) { l.Time = start.Add(10 * time.Second).UnixMilli() })
	named(func(l *board.LabelStatus) { l.Time = start.Add(150 * time.Second).UnixMilli() },
		"label time is 2m30s ahead of the clock: ")
	if w := ask(s, http.MethodGet, "/metrics", ""); !strings.Contains(w.Body.String(), metric+" 150\n") {
		t.Error(w.Body)
	}
	named(func(l *board.LabelStatus) { l.Time, l.Future = 0, start.Add(55*time.Minute).UnixMilli() },
		"a label's timestamp is 55m ahead of the clock: it moves label time when the clock has come within 3m")
	named(func(l *board.LabelStatus) { l.Future, l.Seconds = 0, []topics.Topic{topics.Labels} },
		"labels: timestamps are in 1970: seconds in place of milliseconds?")
	named(func(l *board.LabelStatus) {
		l.Seconds, l.Wait, l.TooLate = nil, 24*time.Hour, []labels.LateShare{{Label: `"fraud"`, Came: 4, Expired: 3}}
	}, `late labels: 75 % of the labels "fraud" came too late, 3 of 4: their events no longer waited: raise `+
		"--label-wait (now 24h)")
}
