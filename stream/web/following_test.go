package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/board"
)

// TestReadyOfFollowers: a follower is ready to take over while it is no more than ten seconds behind; it predicts and
// tells how far it is.
func TestReadyOfFollowers(t *testing.T) {
	t.Parallel()
	task := newTask(t)
	s, clock := newServer(task)
	task.set(func(st *board.Status) { st.State, st.FollowedAt = board.Following, clock.time() })
	isReady(t, s)
	clock.pass(500 * time.Millisecond)
	if w := ask(s, "POST", "/predict", `{"a":1}`); w.Code != http.StatusOK ||
		!strings.Contains(w.Body.String(), `"state":"following","behind_s":0.5`) {
		t.Errorf("/predict: %d %s", w.Code, w.Body)
	}
	clock.pass(9 * time.Second)
	isReady(t, s)
	if w := ask(s, "GET", "/status", ""); !strings.Contains(w.Body.String(), `"behind_s":9.5`) {
		t.Errorf("/status: %.400s", w.Body)
	}
	metrics := ask(s, "GET", "/metrics", "").Body.String()
	for _, line := range []string{"rosenblatt_following_behind_seconds 9.5\n",
		`rosenblatt_state{model="fraud",state="following"} 1`} {
		if !strings.Contains(metrics, line) {
			t.Errorf("/metrics lacks %q", line)
		}
	}
	task.set(func(st *board.Status) { st.Differs = "learner.rate was 1, is 2" })
	isReady(t, s, "following, and not to take over: learner.rate was 1, is 2")
	task.set(func(st *board.Status) { st.Differs = "" })
	clock.pass(time.Second)
	isReady(t, s, "following, and 10s behind the journal")
}

// TestFollowerLearnsAlong: what a follower learns along is told by the second, and is no pace of predictions.
func TestFollowerLearnsAlong(t *testing.T) {
	t.Parallel()
	task := newTask(t)
	s, clock := newServer(task)
	paces := func(state string) (*statusBody, *liveBody) {
		for range 11 {
			clock.pass(time.Second)
			task.set(func(st *board.Status) {
				st.State, st.FollowedAt, st.EndsAt = state, clock.time(), clock.time()
				st.Counts.Predictions += 50
				st.Partitions = []board.PartitionStatus{{Position: st.Counts.Predictions, End: st.Counts.Predictions}}
			})
			s.look()
		}
		v := s.look()
		return s.body(v), s.liveBody(v)
	}
	if b, live := paces(board.Following); b.Learned != 50 || b.PerSecond != 0 || live.Records[0] != 50 ||
		live.Point.speed != 50 {
		t.Errorf("learned along %v, predicted %v, %v records/s, %+v", b.Learned, b.PerSecond, live.Records, live.Point)
	}
	task.set(func(st *board.Status) { st.State = board.Live })
	if b := s.body(s.look()); b.Learned != 0 || b.PerSecond != 0 {
		t.Errorf("at the takeover %v and %v", b.Learned, b.PerSecond)
	}
	if b, live := paces(board.Live); b.Learned != 0 || b.PerSecond != 50 || live.Point.speed != 50 {
		t.Errorf("then %v and %v, %+v", b.Learned, b.PerSecond, live.Point)
	}
}

// TestReadyOfReloading: a follower that loads another checkpoint says why.
func TestReadyOfReloading(t *testing.T) {
	t.Parallel()
	task := newTask(t)
	s, _ := newServer(task)
	task.set(func(st *board.Status) { st.State, st.Reloading = board.Recovering, true })
	isReady(t, s, "loading the newest checkpoint again, as a follower does when another daemon has taken over: 0")
	task.set(func(st *board.Status) { st.Reloading = false })
	isReady(t, s, "recovering: 0 predictions learned again")
}

// TestIdle: what an idle task showed of the model before is no figure of now, nor a reset of its counters.
func TestIdle(t *testing.T) {
	t.Parallel()
	task := &literal{status: board.Status{Model: "fraud", State: board.Idle, Began: start, Checkpoints: 3}}
	s, _ := newServer(task)
	isReady(t, s)
	if w := ask(s, "POST", "/predict", `{"a":1}`); w.Code != http.StatusServiceUnavailable ||
		!strings.Contains(w.Body.String(), "idle: other daemons") {
		t.Errorf("/predict: %d %s", w.Code, w.Body)
	}
	metrics := ask(s, "GET", "/metrics", "").Body.String()
	for _, name := range []string{"predictions_total", "seq ", "lag_records", "checkpoint_age_seconds"} {
		if strings.Contains(metrics, "\nrosenblatt_"+name) {
			t.Errorf("/metrics has %s", name)
		}
	}
	for _, line := range []string{"rosenblatt_checkpoints_total 3\n",
		`rosenblatt_state{model="fraud",state="idle"} 1`} {
		if !strings.Contains(metrics, line) {
			t.Errorf("/metrics lacks %q", line)
		}
	}
	if w := ask(s, "POST", "/predict", `{"a":1}`); w.Code != http.StatusServiceUnavailable ||
		!strings.Contains(w.Body.String(), "not-live") {
		t.Errorf("/predict: %d %s", w.Code, w.Body)
	}
	task.set(func(st *board.Status) { st.Refused = "other settings" })
	isReady(t, s, "refused by the daemons that share the model: other settings")
}
