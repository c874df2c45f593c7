package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// Tasks are several tasks that one server shows, each at /N/, the first at /0/. Fill the exported fields.
type Tasks struct {
	Name string // of all of them
	// All returns them, in order. They become more. Any goroutine may call it.
	All func() []Task
	// Of is the number of the task, of so many, that has the records with a key. Its error says why that is unknown.
	Of func(key []byte, tasks int) (int, error)
	// Notices are what is most likely a mistake although all works; nil: nothing.
	Notices func() []string

	mu    sync.Mutex
	shown []*Server // one for each
}

// shown are the servers of the tasks that are shown now, one for each: without Tasks this one.
func (s *Server) shown() []*Server {
	if s.Tasks == nil {
		return []*Server{s}
	}
	x := s.Tasks
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, t := range x.All()[len(x.shown):] {
		x.shown = append(x.shown, s.of(t))
	}
	return x.shown
}

// of is a server for the paths of one task, with the settings of s, its pages and its end.
func (s *Server) of(t Task) *Server {
	one := &Server{
		Task: t, Version: s.Version, Trouble: s.Trouble, Throttles: s.Throttles, Nearby: s.Nearby,
		Registry: s.Registry, Token: s.Token,
		Log:          s.Log.With().Str("task", t.Status().Model).Logger(),
		TroubleAfter: s.TroubleAfter, StallAfter: s.StallAfter, HeldAfter: s.HeldAfter, LateAfter: s.LateAfter,
		CheckpointAfter: s.CheckpointAfter, clock: s.clock, pageEvery: s.pageEvery, pagePatience: s.pagePatience,
	}
	one.init()
	one.pages, one.running = s.pages, s.running
	return one
}

// routeTasks has the paths of several tasks: those of each, and some of all.
func (s *Server) routeTasks(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", s.taskPage)
	mux.HandleFunc("GET /status", s.taskStatus)
	mux.Handle("GET /metrics", s.taskMetrics())
	mux.HandleFunc("GET /readyz", s.taskReadyz)
	mux.HandleFunc("POST /predict", s.taskPredict)
	mux.HandleFunc("/{task}/", s.taskPaths)
}

// taskPaths serves /N/... as a server of that task alone does.
func (s *Server) taskPaths(w http.ResponseWriter, r *http.Request) {
	text := r.PathValue("task")
	one, err := s.numbered(text)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	http.StripPrefix("/"+text, one.paths).ServeHTTP(w, r)
}

// numbered finds a task by its number.
func (s *Server) numbered(text string) (*Server, error) {
	all := s.shown()
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || int(n) >= len(all) || text != strconv.FormatUint(n, 10) {
		return nil, fmt.Errorf("partition=%q: want 0 to %d", text, len(all)-1)
	}
	return all[n], nil
}

// taskPredict predicts with the model of ?partition=N, or with that of the partition of the records with ?key=KEY.
func (s *Server) taskPredict(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Has("key") == q.Has("partition") {
		writeJSON(w, http.StatusBadRequest, refusalBody{"no-partition",
			"each partition has a model of its own: want ?partition=N, or ?key=KEY of the event"})
		return
	}
	number := q.Get("partition")
	if q.Has("key") {
		n, err := s.Tasks.Of([]byte(q.Get("key")), len(s.shown()))
		if err != nil {
			writeJSON(w, http.StatusConflict, refusalBody{"unknown-partition", err.Error()})
			return
		}
		number = strconv.Itoa(n)
	}
	one, err := s.numbered(number)
	if err != nil {
		writeJSON(w, http.StatusBadRequest, refusalBody{"no-partition", err.Error()})
		return
	}
	one.predict(w, r)
}

// taskReadyz is about all tasks: each reason is behind the name of its model.
func (s *Server) taskReadyz(w http.ResponseWriter, _ *http.Request) {
	code, lines := http.StatusOK, []string{"ready"}
	var reasons, notes []string
	for _, one := range s.shown() {
		v := one.look()
		for _, reason := range v.reasons {
			reasons = append(reasons, v.Model+": "+reason)
		}
		if stalled := v.stalledLabels(); stalled != "" {
			notes = append(notes, v.Model+": "+stalled)
		}
		for _, n := range v.later {
			notes = append(notes, v.Model+": "+n.text)
		}
	}
	switch {
	case len(s.shown()) == 0:
		code, lines = http.StatusServiceUnavailable, []string{"no task has been started yet"}
	case len(reasons) > 0:
		code, lines = http.StatusServiceUnavailable, reasons
	}
	text(w, code, strings.Join(append(lines, notes...), "\n")+"\n")
}

// tasksBody is the status of several tasks.
type tasksBody struct {
	Model   string        `json:"model"`
	Version string        `json:"version,omitempty"`
	Ready   bool          `json:"ready"`
	Notices []string      `json:"notices"`
	Tasks   []*statusBody `json:"tasks"`
}

func (s *Server) taskStatus(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, s.tasksBody())
}

func (s *Server) tasksBody() *tasksBody {
	b := &tasksBody{Model: s.Tasks.Name, Version: s.Version, Notices: []string{}, Tasks: []*statusBody{}}
	if s.Tasks.Notices != nil {
		b.Notices = append(b.Notices, s.Tasks.Notices()...)
	}
	for i, one := range s.shown() {
		b.Tasks = append(b.Tasks, one.body(one.look()))
		b.Ready = b.Tasks[i].Ready && (b.Ready || i == 0)
	}
	return b
}
