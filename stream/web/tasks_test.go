package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
)

// newTasks is a server of several tasks, named m.0, m.1 ..., and what adds one.
func newTasks(t *testing.T, n int) (s *Server, tasks []*literal, add func()) {
	t.Helper()
	s, _ = newServer(nil)
	add = func() {
		one := newTask(t)
		one.set(func(st *board.Status) { st.Model = "m." + string(rune('0'+len(tasks))) })
		tasks = append(tasks, one)
	}
	for range n {
		add()
	}
	s.Tasks = &Tasks{Name: "m", Of: ofKey, All: func() (all []Task) {
		for _, one := range tasks {
			all = append(all, one)
		}
		return all
	}}
	return s, tasks, add
}

// ofKey places keys by their length, and those of nine bytes nobody knows where.
func ofKey(key []byte, tasks int) (int, error) {
	if len(key) == 9 {
		return 0, errors.New("<keys> are elsewhere")
	}
	return len(key) % tasks, nil
}

// TestReadyOfTasks: the server is ready when each task is, and says which one is not.
func TestReadyOfTasks(t *testing.T) {
	s, _, add := newTasks(t, 0)
	isReady(t, s, "no task has been started yet")
	add()
	isReady(t, s)
	s, tasks, _ := newTasks(t, 3)
	isReady(t, s)
	tasks[1].set(func(st *board.Status) { st.State = board.Stopping })
	isReady(t, s, "m.1: stopping")
	if w := ask(s, "GET", "/2/readyz", ""); w.Code != http.StatusOK {
		t.Errorf("another task: %d: %s", w.Code, w.Body)
	}
}

// TestStopped: a model that has stopped is named with its stop wherever the server tells of it, predicts nothing, and
// has no reason besides. The others are as they were.
func TestStopped(t *testing.T) {
	s, tasks, _ := newTasks(t, 2)
	stop := stops.InputGoneAt("events", 1, 100, 250)
	tasks[1].set(func(st *board.Status) {
		st.State, st.Stop, st.SaveError, st.Rejects.InRow = board.Stopped, stop, "no space", 500
	})
	isReady(t, s, "m.1: stopped with input-gone: "+stop.What+". To do: "+stop.Do)
	for path, want := range map[string]string{
		"/":         `<td><span class="badge bad">stopped</span> input-gone</td>`,
		"/status":   `"stop":{"name":"input-gone","what":"topic events partition 1 begins`,
		"/metrics":  `rosenblatt_stopped{model="m.1",stop="input-gone"} 1`,
		"/1/":       "<title>m.1",
		"/1/status": `"lag":null`,
	} {
		if w := ask(s, "GET", path, ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d: %s: want %s", path, w.Code, w.Body, want)
		}
	}
	if w := ask(s, "GET", "/", ""); !strings.Contains(w.Body.String(), "<li>m.1: stopped with input-gone: topic") {
		t.Errorf("%s", w.Body)
	}
	if w := ask(s, "GET", "/metrics", ""); strings.Contains(w.Body.String(), `rosenblatt_stopped{model="m.0"`) ||
		!strings.Contains(w.Body.String(), `rosenblatt_state{model="m.1",state="stopped"} 1`) {
		t.Errorf("%s", w.Body)
	}
	w := ask(s, "POST", "/predict?partition=1", `{"x":1}`)
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), `{"reason":"stopped","error":"`) ||
		w.Header().Get("Retry-After") != "" {
		t.Errorf("/predict: %d %v: %s", w.Code, w.Header(), w.Body)
	}
	if w := ask(s, "POST", "/predict?partition=0", `{"x":1}`); w.Code != http.StatusOK {
		t.Errorf("/predict of another one: %d: %s", w.Code, w.Body)
	}
}

// TestTasksAreAdded: a task that comes later has its paths.
func TestTasksAreAdded(t *testing.T) {
	s, _, add := newTasks(t, 1)
	if w := ask(s, "GET", "/1/status", ""); w.Code != http.StatusNotFound {
		t.Errorf("before: %d", w.Code)
	}
	add()
	for path, want := range map[string]string{"/1/status": `"model":"m.1"`, "/status": `"model":"m.1"`,
		"/": `<a href="1/"><bdi>m.1</bdi></a>`, "/metrics": `rosenblatt_seq{model="m.1"}`} {
		if w := ask(s, "GET", path, ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d: %s", path, w.Code, w.Body)
		}
	}
}

// TestPathsOfNoTask: numbers are spelled in one way, and other paths are not there.
func TestPathsOfNoTask(t *testing.T) {
	s, _, _ := newTasks(t, 2)
	for _, path := range []string{"/2/", "/01/", "/-1/", "/+1/", "/1x/", "/x/status", "/0/0/",
		"/0/1/status"} {
		if w := ask(s, "GET", path, ""); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d: %s", path, w.Code, w.Body)
		}
	}
	if w := ask(s, "POST", "/0/status", ""); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

// TestHostileTaskPage: nothing that a name or an error holds becomes markup.
func TestHostileTaskPage(t *testing.T) {
	s, tasks, _ := newTasks(t, 1)
	tasks[0].set(func(st *board.Status) {
		st.Model = "<script>alert(1)</script>\u202e"
		st.SaveError = "<img src=x onerror=alert(1)>" + strings.Repeat("x", 1000)
	})
	w := ask(s, "GET", "/", "")
	page := w.Body.String()
	if w.Code != http.StatusOK || strings.Contains(page, "<script") || strings.Contains(page, "<img") ||
		strings.Contains(page, "\u202e") || strings.Contains(page, strings.Repeat("x", 600)) {
		t.Errorf("%d: %s", w.Code, page)
	}
	if !strings.Contains(page, "not ready") || !strings.Contains(page, "the last checkpoint failed") {
		t.Errorf("no reason: %s", page)
	}
}

// TestPredictOfATask: the model is that of the partition, or of the key's.
func TestPredictOfATask(t *testing.T) {
	s, tasks, _ := newTasks(t, 2)
	for range 5 {
		tasks[1].learn(t, `{"label":1,"x":1}`)
	}
	first, second := tasks[0].Status().Seq, tasks[1].Status().Seq
	for query, seq := range map[string]int64{"partition=0": first, "partition=1": second, "key=ab": first,
		"key=abc": second} {
		w := ask(s, "POST", "/predict?"+query, `{"x":1}`)
		if want := fmt.Sprintf(`"seq":%d`, seq); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d: %s, want %s", query, w.Code, w.Body, want)
		}
	}
	if w := ask(s, "POST", "/predict", `{"x":1}`); w.Code != http.StatusBadRequest {
		t.Errorf("without either: %d", w.Code)
	}
	if w := ask(s, "POST", "/predict?key=ninebytes", `{"x":1}`); w.Code != http.StatusConflict ||
		!strings.Contains(w.Body.String(), "are elsewhere") {
		t.Errorf("of a key that is anywhere: %d: %s", w.Code, w.Body)
	}
	s.Tasks.Notices = func() []string { return []string{"<keys> are elsewhere"} }
	for path, want := range map[string]string{"/": "<li>&lt;keys&gt; are elsewhere</li>",
		"/status": `"notices":["\u003ckeys\u003e are elsewhere"]`} {
		if w := ask(s, "GET", path, ""); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
}
