package web

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
)

// TestRuleWithoutPositives: that none of the last 10,000 examples was positive is logged once, shown on the page and
// measured, where there is a rule; and that there is one again.
func TestRuleWithoutPositives(t *testing.T) {
	task, s := ruled(t, "recall=0.9")
	var log strings.Builder
	s.Log = zerolog.New(&log)
	var score metrics.Binary
	add := func(n int, predicted, label int8) {
		for range n {
			score.Add(predicted, label, float64(predicted), false)
		}
		task.set(func(st *board.Status) { st.Score = score.Report() })
		s.note()
	}
	shown := func(is bool) {
		t.Helper()
		value := map[bool]string{false: " 0\n", true: " 1\n"}[is]
		has(t, s, "/metrics", "\nrosenblatt_no_positives"+value)
		body := ask(s, "GET", "/status", "").Body.String()
		if strings.Contains(body, "--decide recall=0.9 learns nothing: none of the last 10,000 examples was 1") != is {
			t.Errorf("%v: %s", is, body)
		}
	}
	add(1, 1, 1)
	add(metrics.LongWindow-1, -1, -1)
	shown(false)
	add(1, -1, -1)
	shown(true)
	add(1000, -1, -1)
	if n := strings.Count(log.String(), "learns nothing"); n != 1 {
		t.Errorf("logged %d times: %s", n, log.String())
	}
	add(1, -1, 1)
	shown(false)
	add(metrics.LongWindow, 1, -1)
	if text := log.String(); strings.Count(text, "learns nothing") != 2 ||
		strings.Count(text, "an example was 1 again") != 1 {
		t.Error(text)
	}
	task.set(func(st *board.Status) { st.Decision = nil })
	if body := ask(s, "GET", "/metrics", "").Body.String(); strings.Contains(body, "rosenblatt_no_positives ") {
		t.Error("it is measured without a rule")
	}
	if text := s.look().unheard(); text != "" {
		t.Error(text)
	}
}
