package stream

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/board"
	"rosenblatt/stream/group"
	"rosenblatt/stream/silence"
)

// look is one at so many ms, with what waits first in a partition.
type quietLook struct {
	at       int
	head     int64
	written  bool // markers, or a part of a flight
	learned  bool
	position int64
	silent   time.Duration // from then on; -1: somebody predicts
	lines    int           // of the log so far
}

// TestQuiet: a time without predictions begins with the first record that waits, and ends when something is learned,
// when the record is passed, or when nothing waits: not with another member's markers, nor when its checkpoint is
// loaded. The log has a line after three seconds and one in each minute, with the reason.
func TestQuiet(t *testing.T) {
	t.Parallel()
	const none = silence.None
	for name, looks := range map[string][]quietLook{
		"predictions go on": {{100, none, false, false, 7, -1, 0}, {200, 7, false, false, 7, 0, 0},
			{300, 8, true, true, 8, 0, 0}, {400, none, true, true, 9, -1, 0}},
		"markers": {{100, 7, false, false, 7, 0, 0}, {2000, 7, true, false, 7, 1900 * time.Millisecond, 0},
			{3100, 7, false, false, 7, 3 * time.Second, 1}, {3200, 8, true, true, 8, 0, 2}},
		"another record waits": {{100, 7, false, false, 7, 0, 0},
			{600, 5, false, false, 7, 500 * time.Millisecond, 0}},
		"the record is rejected":            {{100, 7, false, false, 7, 0, 0}, {600, none, false, false, 8, -1, 0}},
		"another one behind a rejected one": {{100, 7, false, false, 7, 0, 0}, {600, 8, false, false, 8, 0, 0}},
		"a line in each minute": {{0, 7, false, false, 7, 0, 0}, {2999, 7, false, false, 7, 2999 * time.Millisecond, 0},
			{3000, 7, false, false, 7, 3 * time.Second, 1}, {60_000, 7, false, false, 7, time.Minute, 1},
			{63_000, 7, false, false, 7, 63 * time.Second, 2}, {100_000, 7, false, false, 7, 100 * time.Second, 2},
			{123_000, 7, false, false, 7, 123 * time.Second, 3}},
	} {
		q, task, log := newQuiet()
		for i, x := range looks {
			q.step(t, task, name, i, x)
			if n := strings.Count(log.String(), "\n"); n != x.lines {
				t.Errorf("%s: look %d: %d lines, want %d: %s", name, i, n, x.lines, log)
			}
		}
		if s := log.String(); s != "" && !strings.Contains(s, `"for":"3s","why":"no follower may take over"`) {
			t.Errorf("%s: %s", name, s)
		}
	}
}

func newQuiet() (*quietBed, *Task, *bytes.Buffer) {
	log := &bytes.Buffer{}
	task := (&Task{Logger: zerolog.New(log)}).Open()
	task.board.Recovering(board.Recovery{})
	return &quietBed{began: time.Now()}, task, log
}

type quietBed struct {
	quiet
	began time.Time
}

func (q *quietBed) step(t *testing.T, task *Task, name string, i int, x quietLook) {
	t.Helper()
	look := &silence.Look{At: q.began.Add(time.Duration(x.at) * time.Millisecond), Written: x.written,
		Heads: []int64{x.head}}
	q.note(task, look, x.learned, []int64{x.position}, func() string { return "no follower may take over" })
	silent := time.Duration(-1)
	if !q.Since.IsZero() {
		silent = q.For
	}
	if shown := task.Status().Silence; silent != x.silent || (shown != nil) != (x.silent >= 0) {
		t.Errorf("%s: look %d: silent for %v, want %v, shown %+v", name, i, silent, x.silent, shown)
	}
}

// TestQuietOverACheckpoint: the first looks after a checkpoint was loaded have read no input. Where that stays so,
// nothing waits any more.
func TestQuietOverACheckpoint(t *testing.T) {
	t.Parallel()
	q, task, log := newQuiet()
	q.step(t, task, "waits", 0, quietLook{0, 7, false, false, 7, 0, 0})
	for i := 1; i < nothingWaits; i++ {
		q.step(t, task, "loaded", i, quietLook{100 * i, silence.None, false, false, 7,
			time.Duration(i) * 100 * time.Millisecond, 0})
	}
	q.step(t, task, "read again", 0, quietLook{5000, 7, false, false, 7, 5 * time.Second, 1})
	for i := 1; i < nothingWaits; i++ {
		at := 5000 + 100*i
		q.step(t, task, "loaded again", i, quietLook{at, silence.None, false, false, 7,
			time.Duration(at) * time.Millisecond, 1})
	}
	q.step(t, task, "nothing waits", 0, quietLook{6000, silence.None, false, false, 7, -1, 2})
	if !strings.Contains(log.String(), `"for":"5.9s","message":"predictions go on"`) {
		t.Error(log)
	}
	q.step(t, task, "waits", 0, quietLook{7000, 8, false, false, 7, 0, 0})
	if q.forget(task); task.Status().Silence != nil || !q.Since.IsZero() {
		t.Error("brokers that do not respond are no silence")
	}
}

// TestCauses: why a member has the task.
func TestCauses(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		given  group.Given
		silent time.Duration
		want   string
	}{
		{group.Given{}, 0, "assigned"}, {group.Given{}, 999 * time.Millisecond, "assigned"},
		{group.Given{}, time.Second, "silent"}, {group.Given{Suspected: true}, time.Minute, "suspected"},
		{group.Given{Again: true}, time.Minute, "fenced"}, {group.Given{First: true}, time.Minute, "start"},
	} {
		if got := (&given{Given: x.given}).cause(x.silent).String(); got != x.want {
			t.Errorf("%+v: %s, want %s", x, got, x.want)
		}
	}
}
