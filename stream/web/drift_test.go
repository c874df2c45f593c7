package web

import (
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
)

// drifts is a report with n drifts.
func drifts(n int) *model.DriftReport {
	r := &model.DriftReport{Rule: "adwin:delta=1e-07,rise=0.2,clock=256,of=mistakes", Seen: 5000, Drifts: int64(n),
		Changes: int64(n) + 1, Window: 740, Mean: 0.2031}
	for i := range n {
		r.List = append(r.List, model.Drifted{Example: int64(100 * (i + 1)), Prediction: int64(110 * (i + 1)),
			Before: 0.101, After: 0.2031, Newer: 74})
	}
	return r
}

// TestDriftNotice: a drift is told for an hour, and only one that began in this process while the model was live.
func TestDriftNotice(t *testing.T) {
	task := newTask(t)
	task.set(func(st *board.Status) { st.State, st.Drift = board.Recovering, drifts(1) })
	s, clock := newServer(task)
	s.look()
	task.set(func(st *board.Status) { st.State, st.Drift = board.Live, drifts(2) })
	const text = "a drift 0s ago: of the newest 74 examples 20.3 % were predicted wrongly, of those before 10.1 %"
	if got := s.look().notices(); len(got) != 0 {
		t.Errorf("what a recovery found is news: %q", got)
	}
	clock.pass(time.Second)
	task.set(func(st *board.Status) { st.Drift = drifts(3) })
	if got := s.look().notices(); len(got) != 1 || got[0] != text {
		t.Errorf("%q", got)
	}
	clock.pass(61 * time.Minute)
	if got := s.look().notices(); len(got) != 0 {
		t.Errorf("an hour later: %q", got)
	}
	task.set(func(st *board.Status) {
		st.Drift = drifts(4)
		st.Drift.List[3].Reset = true
	})
	if got := s.look().notices(); len(got) != 1 || got[0] != text+"; the learner has begun anew" {
		t.Errorf("%q", got)
	}
}

// TestDriftInStatusAndMetrics has what is told of drifts, and nothing where they are not detected.
func TestDriftInStatusAndMetrics(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	for _, path := range []string{"/status", "/metrics"} {
		if got := ask(s, "GET", path, "").Body.String(); strings.Contains(got, "drift") {
			t.Errorf("%s without detection: %s", path, got)
		}
	}
	task.set(func(st *board.Status) { st.Drift = drifts(12) })
	has(t, s, "/status", `"drifts":12,"changes":13,"window":740,"mean":0.2031,"list":[{"example":100,"prediction":110,`+
		`"before":0.101,"after":0.2031,"newer":74},`)
	for _, line := range []string{"drifts_total 12", "drift_changes_total 13", "drift_window_examples 740",
		"drift_window_mean_ratio 0.2031"} {
		has(t, s, "/metrics", "\nrosenblatt_"+line+"\n")
	}
	if b := s.liveBody(s.look()); len(b.Drift.List) != shownDrifts || b.Drift.List[9].Example != 1200 {
		t.Errorf("the page shows %+v", b.Drift)
	}
	if n := len(s.look().Drift.List); n != 12 {
		t.Errorf("the status has %d drifts", n)
	}
}

// testDrift: the page lists drifts, the newest first, and marks the curve where one was.
func testDrift(t *testing.T, b *browser) {
	task := newTask(t)
	task.set(func(st *board.Status) { st.Drift = drifts(1) })
	addr, _ := serve(t, &Server{Task: task, pageEvery: 200 * time.Millisecond})
	b.visit("http://" + addr + "/")
	b.wait(`document.querySelectorAll("#drift tbody tr").length === 1`)
	if got := b.eval(`document.querySelectorAll("circle.drift").length`); got != "0" {
		t.Error("a drift from before the curve is marked:", got)
	}
	task.set(func(st *board.Status) { st.Drift = drifts(2) })
	b.wait(`document.querySelectorAll("#accuracy circle.drift").length === 1 &&
		document.querySelectorAll("#legend circle").length === 1`)
	got := b.eval(`[...document.querySelectorAll("#drift tbody tr")[0].children].map((x) => x.textContent).join()`)
	if got != "4,800,10.1 %,20.3 %,74" {
		t.Error(got)
	}
	b.clean(addr)
}
