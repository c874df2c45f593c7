package web

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/board"
)

// TestLatency: of the last ten seconds only, and null when nothing was predicted.
func TestLatency(t *testing.T) {
	task := newTask(t)
	s, clock := newServer(task)
	latencies := func() (b statusBody) {
		t.Helper()
		text := ask(s, "GET", "/status", "").Body.String()
		if err := json.Unmarshal([]byte(text), &b); err != nil || !strings.Contains(text, `"latency_s":`) {
			t.Fatal(err, text)
		}
		return b
	}
	task.status.Timings.Latency.Observe(1000) // before the server looked
	if b := latencies(); b.Latency != nil || b.Processing != nil {
		t.Errorf("%+v", b)
	}
	for range 98 {
		task.status.Timings.Latency.Observe(0.002)
	}
	task.status.Timings.Latency.Observe(20)
	task.status.Timings.Latency.Observe(1e9)
	task.status.Timings.Processing.Observe(0.0002)
	clock.pass(time.Second)
	b := latencies()
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-9 }
	// 50 of 98 up the bucket from 1 to 2.5 ms, and the end of that from 10 to 30 s.
	if !near(b.Latency.P50, 0.001+0.0015*50/98) || !near(b.Latency.P99, 30) || !near(b.Processing.P50, 0.00025) {
		t.Errorf("%+v %+v", b.Latency, b.Processing)
	}
	for range maxPaces {
		clock.pass(time.Second)
		b = latencies()
	}
	if b.Latency != nil || b.Processing != nil {
		t.Errorf("ten seconds later: %+v", b)
	}
	task.status.Timings.Latency.Observe(1e9)
	if b := latencies(); b.Latency.P50 != 86400 {
		t.Errorf("beyond the last bound: %+v", b.Latency)
	}
	task.set(func(st *board.Status) { st.Timings = nil })
	if b := latencies(); b.Latency != nil {
		t.Errorf("%+v", b.Latency)
	}
}
