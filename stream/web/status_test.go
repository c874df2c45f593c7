package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
)

// statusOf reads /status as a stranger would.
func statusOf(t *testing.T, s *Server) map[string]any {
	t.Helper()
	w := ask(s, "GET", "/status", "")
	want(t, w, http.StatusOK)
	if got := w.Header().Get("Content-Type"); got != "application/json" {
		t.Errorf("content type %q", got)
	}
	var m map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
	return m
}

// TestStatusShape holds the part of /status that cmd/rosenblatt/docs/http.md, "HTTP", shows, byte for byte.
func TestStatusShape(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	task.set(func(st *board.Status) {
		st.Score.Examples, st.Score.Mistakes, st.Score.Updates, st.Score.Accuracy = 200, 50, 60, metrics.Known(0.75)
	})
	body := ask(s, "GET", "/status", "").Body.String()
	const fixed = `{"model":"fraud","state":"live","seq":200,"epoch":3,"examples":200,"predictions":200,` +
		`"mistakes":50,"updates":60,` +
		`"accuracy":0.75,"rejected":{"empty":1,"syntax":2},"partitions":[` +
		`{"partition":0,"position":40,"end":42,"lag":2,"last_stable_offset_lag":0},` +
		`{"partition":1,"position":7,"end":7,"lag":3,"last_stable_offset_lag":3}],` +
		`"checkpoint":{"seq":200,"age_s":4,"bytes":65536,"duration_s":0.03,`
	if !strings.HasPrefix(body, fixed) {
		t.Errorf("got  %s\nwant %s...", body, fixed)
	}
}

func TestStatusBeside(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	s.Trouble = func() (string, time.Time) { return "dial: timeout", start.Add(-30 * time.Second) }
	s.Nearby = func() []kafka.Nearby { return []kafka.Nearby{{Topic: "events", Partition: 3, Broker: 2}} }
	s.Throttles = func() []kafka.Throttle {
		return []kafka.Throttle{
			{Broker: "b1:9092", Request: "Fetch", Until: start.Add(-time.Second), Total: 500 * time.Millisecond},
			{Broker: "b1:9092", Request: "Produce", Until: start.Add(8100 * time.Millisecond), Total: 42 * time.Second},
		}
	}
	task.set(func(st *board.Status) {
		st.SaveError, st.SaveErrors, st.CommitFails, st.EndsAt = "disk full", 2, 3, start
		st.Accepted = []model.Acceptance{{Name: "input-gone", What: "12 records", Seq: 9, Epoch: 2,
			Positions: []int64{5}, Time: start}}
		st.Recovered = board.Recovery{Predictions: 11, Done: 12, Total: 13}
	})
	m := statusOf(t, s)
	for name, wanted := range map[string]any{"learner": "perceptron", "version": "v1.2.3", "ready": false, "lag": 5.0,
		"last_stable_offset_lag": 3.0,
		"read":                   204.0,
		"tombstones":             1.0, "acknowledged": 200.0, "offset_commit_failures": 3.0, "uptime_s": 3600.0} {
		if m[name] != wanted {
			t.Errorf("%s: %v, want %v", name, m[name], wanted)
		}
	}
	for path, wanted := range map[string]string{
		"trouble": `{"for_s":30,"text":"dial: timeout"}`,
		"throttles": `[{"broker":"b1:9092","request":"Fetch","total_s":0.5,"waits_s":0},` +
			`{"broker":"b1:9092","request":"Produce","total_s":42,"waits_s":8.1}]`,
		"nearby": `[{"broker":2,"partition":3,"topic":"events"}]`,
		"notices": `["throttled: broker b1:9092 takes Produce again in 9s: a quota of this user or client id is ` +
			`used up (42s so far)"]`,
		"recovery": `{"done":12,"predictions":11,"total":13}`,
		"accepted": `[{"epoch":2,"name":"input-gone","positions":[5],"seq":9,` +
			`"time":"2026-03-01T12:00:00Z","what":"12 records"}]`,
	} {
		if got, _ := json.Marshal(m[path]); string(got) != wanted {
			t.Errorf("%s: %s, want %s", path, got, wanted)
		}
	}
	if reasons := m["reasons"].([]any); len(reasons) != 2 {
		t.Errorf("reasons %v", reasons)
	}
	if b := m["baselines"].([]any); len(b) != 2 || b[0].(map[string]any)["name"] != "no-change" {
		t.Errorf("baselines %v", b)
	}
	if c := m["checkpoint"].(map[string]any); c["error"] != "disk full" || c["failed"] != 2.0 || c["saved"] != 9.0 {
		t.Errorf("checkpoint %v", c)
	}
	score := task.proc.Report()
	figures := m["figures"].(map[string]any)
	for _, scope := range metrics.Scopes {
		want, got := scope.Of(&score.Row).Accuracy.Value(), figures[scope.Name].(map[string]any)["accuracy"]
		if got != want || want == 0 {
			t.Errorf("accuracy %s: %v, want %v", scope.Name, got, want)
		}
	}
}

// TestStatusBeforeRecovery: lists are empty, never null, and there is no age of a checkpoint that is not there.
func TestStatusBeforeRecovery(t *testing.T) {
	s, _ := newServer(&literal{status: board.Status{Model: "fraud", State: board.Recovering, Began: start}})
	m := statusOf(t, s)
	for _, name := range []string{"partitions", "baselines", "accepted"} {
		if list, ok := m[name].([]any); !ok || len(list) != 0 {
			t.Errorf("%s: %v", name, m[name])
		}
	}
	if r, ok := m["rejected"].(map[string]any); !ok || len(r) != 0 {
		t.Errorf("rejected: %v", m["rejected"])
	}
	if age, there := m["checkpoint"].(map[string]any)["age_s"]; !there || age != nil {
		t.Errorf("age %v", age)
	}
	if m["trouble"] != nil || m["ready"] != false {
		t.Errorf("trouble %v, ready %v", m["trouble"], m["ready"])
	}
}
