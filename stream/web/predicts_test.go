package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/board"
)

// TestWhoPredicts: status and notices name the daemon that predicts, since when, and that nobody does.
func TestWhoPredicts(t *testing.T) {
	t.Parallel()
	task := newTask(t)
	s, clock := newServer(task)
	silence := func(long time.Duration) *board.Silence {
		return &board.Silence{Partition: 2, Offset: 152, Since: clock.time().Add(-long), For: long}
	}
	for _, c := range []struct {
		name   string
		change func(st *board.Status)
		want   string // in the status
		notice string
	}{
		{"not shared", func(*board.Status) {}, "", ""},
		{"a follower", func(st *board.Status) {
			st.State, st.FollowedAt = board.Following, clock.time()
			st.Shared = &board.Shared{Predicts: "east-1", Since: clock.time().Add(-time.Hour)}
		}, `"predicts":{"instance":"east-1","for_s":3600,"text":"east-1 predicts since ` +
			clock.time().Add(-time.Hour).UTC().Format(time.RFC3339) + ` (1h)"}`, ""},
		{"idle", func(st *board.Status) { st.State = board.Idle }, `"text":"east-1 predicts since`, ""},
		{"a moment of silence", func(st *board.Status) {
			st.State, st.Silence = board.Following, silence(900*time.Millisecond)
		}, `"text":"east-1 predicts since`, ""},
		{"silence", func(st *board.Status) { st.Silence = silence(3 * time.Second) }, `"silent_s":3`,
			"nobody predicts since 3s: offset 152 of partition 2 waits; east-1 has the model"},
		{"asked", func(st *board.Status) {
			st.Suspicion, st.Shared.Asked = &board.Suspicion{At: clock.time()}, true
		}, `"silent_s":3`, "waits; suspected: east-1 is asked whether it is alive"},
		{"alive", func(st *board.Status) { st.Shared.Asked = false }, `"silent_s":3`,
			"waits; east-1 was asked, and is alive"},
		{"takes over", func(st *board.Status) { st.Shared.Predicts, st.Shared.Own = "west-1", true },
			`"own":true`,
			"nobody predicts since 3s: offset 152 of partition 2 waits; suspected, this daemon takes over"},
		{"live", func(st *board.Status) { st.State, st.Silence = board.Live, nil },
			`"text":"this daemon predicts since`, ""},
		{"takes over without silence", func(st *board.Status) { st.State = board.Recovering },
			`"text":"this daemon takes over"`, ""},
		{"nobody", func(st *board.Status) { st.Shared = &board.Shared{} },
			`"text":"nobody has the model, as far as this daemon knows"`, ""},
	} {
		task.set(c.change)
		w := ask(s, "GET", "/status", "")
		body := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(body, c.want) {
			t.Errorf("%s: lacks %s: %s", c.name, c.want, body[max(0, strings.Index(body, `"predicts":{`)):][:300])
		}
		if strings.Contains(body, `"predicts":{`) != (c.want != "") {
			t.Errorf("%s: predicts is there: %v", c.name, c.want == "")
		}
		has := strings.Contains(body, "nobody predicts")
		if has != (c.notice != "") || !strings.Contains(body, c.notice) {
			t.Errorf("%s: the notice %q: %v", c.name, c.notice, has)
		}
	}
}

// TestWhoPredictsOfSeveral: the page of several models names the daemons, and the models that nobody predicts with.
func TestWhoPredictsOfSeveral(t *testing.T) {
	t.Parallel()
	follower, silent := newTask(t), newTask(t)
	for _, task := range []*literal{follower, silent} {
		task.set(func(st *board.Status) {
			st.State, st.Shared = board.Following, &board.Shared{Predicts: "<east>", Since: start}
		})
	}
	silent.set(func(st *board.Status) { st.Silence = &board.Silence{For: time.Minute, Since: start} })
	s := &Server{Tasks: &Tasks{Name: "fraud", All: func() []Task { return []Task{follower, silent} }}}
	s.init()
	page := ask(s, "GET", "/", "").Body.String()
	for _, want := range []string{"following: <bdi>&lt;east&gt;</bdi> predicts<", "following: nobody predicts<"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
