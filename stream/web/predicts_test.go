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
	ago := func(long time.Duration) time.Time { return clock.time().Add(-long) }
	silence := func(long time.Duration) *board.Silence {
		return &board.Silence{Partition: 2, Offset: 152, Since: ago(long), For: long}
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
			st.Shared = &board.Shared{Owner: "east-1", Since: ago(time.Hour), Given: ago(time.Hour),
				Followers: 2, Able: 1}
		}, `"predicts":{"instance":"east-1","for_s":3600,"followers":2,"able":1,"text":"east-1 predicts since ` +
			ago(time.Hour).UTC().Format(time.RFC3339) + ` (1h)"}`, ""},
		{"idle", func(st *board.Status) { st.State = board.Idle },
			`(1h); an idle daemon does not see whether it predicts"`, ""},
		{"a moment of silence", func(st *board.Status) {
			st.State, st.Silence = board.Following, silence(900*time.Millisecond)
		}, `"text":"east-1 predicts since`, ""},
		{"silence", func(st *board.Status) { st.Silence = silence(3 * time.Second) },
			`"predicts":{"instance":"east-1","silent_s":3,"followers"`,
			"nobody predicts for 3s: offset 152 of partition 2 waits; east-1 has the model\""},
		{"nobody may take over", func(st *board.Status) { st.Shared.Awaits = "no follower may take over: as it is" },
			`"silent_s":3`, "; east-1 has the model; no follower may take over: as it is\""},
		{"asked", func(st *board.Status) {
			st.Suspicion, st.Shared.Asked, st.Shared.Awaits = &board.Suspicion{At: clock.time()}, true, ""
		}, `"silent_s":3`, "waits; suspected: east-1 is asked whether it is alive\""},
		{"alive", func(st *board.Status) { st.Shared.Asked = false }, `"silent_s":3`,
			"waits; east-1 was asked, and is alive\""},
		{"another one is given the model", func(st *board.Status) {
			st.Shared = &board.Shared{Owner: "north-1", Given: ago(time.Second)}
		}, `"silent_s":3`, "waits; north-1 is to take over\""},
		{"another one is not seen yet", func(st *board.Status) { st.Silence = nil },
			`"predicts":{"instance":"north-1","followers":0,"able":0,"text":"north-1 has the model since ` +
				ago(time.Second).UTC().Format(time.RFC3339) + ` (1s), and has not been seen to predict"`, ""},
		{"another one is seen", func(st *board.Status) { st.Writer.At = ago(time.Second / 2) },
			`(0s), as far as this daemon has seen"`, ""},
		{"since when is known", func(st *board.Status) { st.Shared.Since = ago(time.Second / 2) }, `(0s)"`, ""},
		{"since when is not known", func(st *board.Status) { st.Shared.Since = time.Time{} },
			`"predicts":{"instance":"north-1","for_s":0.5,"followers"`, ""},
		{"another one was seen before", func(st *board.Status) { st.Writer.At = ago(2 * time.Second) },
			`and has not been seen to predict"`, ""},
		{"chosen", func(st *board.Status) {
			st.Shared, st.Silence = &board.Shared{Owner: "west-1", Own: true, Given: clock.time()},
				silence(3*time.Second)
		}, `"own":true`, "waits; this daemon is to take over\""},
		{"takes over", func(st *board.Status) { st.TakingOver, st.State = true, board.Recovering },
			`"own":true,"silent_s":3`,
			"nobody predicts for 3s: offset 152 of partition 2 waits; this daemon takes over\""},
		{"takes over without silence", func(st *board.Status) { st.Silence = nil },
			`"text":"this daemon takes over"`, ""},
		{"live", func(st *board.Status) {
			st.State, st.TakingOver, st.LiveSince = board.Live, false, ago(time.Minute)
		}, `"own":true,"for_s":60,"followers":0,"able":0,"text":"this daemon predicts since ` +
			ago(time.Minute).UTC().Format(time.RFC3339) + ` (1m); nobody follows"`, ""},
		{"live and followed", func(st *board.Status) { st.Shared.Followers, st.Shared.Able = 2, 2 },
			`(1m); 2 follow"`, ""},
		{"one may not", func(st *board.Status) { st.Shared.Able = 1 },
			`(1m); 2 follow, 1 of them can take over now"`, ""},
		{"another one is to have it", func(st *board.Status) {
			st.Shared = &board.Shared{Owner: "east-1", Given: clock.time()}
		}, `"text":"this daemon predicts until east-1 has taken over"`, ""},
		{"it ends", func(st *board.Status) {
			st.State, st.Shared = board.Stopping, &board.Shared{Owner: "west-1", Own: true}
		}, `"text":"this daemon predicts no more"`, ""},
		{"it was fenced", func(st *board.Status) {
			st.State, st.Shared = board.Following, &board.Shared{Lost: true}
		}, `"text":"this daemon does not have the model any more; who has it is not known yet"`, ""},
		{"it was fenced, in silence", func(st *board.Status) { st.Silence = silence(2 * time.Second) },
			`"silent_s":2`, "waits; this daemon does not have the model any more\""},
		{"it recovers", func(st *board.Status) {
			st.State, st.Silence = board.Recovering, nil
			st.Shared = &board.Shared{Owner: "west-1", Own: true, Given: clock.time()}
		}, `"text":"this daemon has the model, and recovers"`, ""},
		{"nobody", func(st *board.Status) { st.Shared = &board.Shared{} },
			`"text":"nobody has the model, as far as this daemon knows"`, ""},
		{"nobody, in silence", func(st *board.Status) {
			st.State, st.Silence, st.Shared.Awaits = board.Following, silence(time.Minute),
				"no follower may take over: x"
		}, `"silent_s":60`, "nobody predicts for 1m: offset 152 of partition 2 waits; nobody has the model; no foll"},
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
		has := strings.Contains(body, `"notices":["nobody predicts`)
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
			st.State, st.Shared = board.Following, &board.Shared{Owner: "<east>", Since: start}
		})
	}
	silent.set(func(st *board.Status) { st.Silence = &board.Silence{For: time.Minute, Since: start} })
	s := &Server{Tasks: &Tasks{Name: "fraud", All: func() []Task { return []Task{follower, silent} }}}
	s.init()
	page := ask(s, "GET", "/", "").Body.String()
	for _, want := range []string{"following: <bdi>&lt;east&gt;</bdi> predicts<",
		`following: <span class="badge bad">nobody predicts</span><`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
