package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/topics"
)

// literal is a Task of which everything is given: what Status returns, and a model of its own, trained by the real
// Processor. The real task needs brokers.
type literal struct {
	mu     sync.Mutex
	status board.Status
	fixed  model.Config
	proc   *model.Processor
	copies int

	references int // that were set
	refuses    error
	promote    func(ctx context.Context, name string) (stream.Promoted, error)
}

func (l *literal) Status() *board.Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	st := l.status
	return &st
}

func (l *literal) Copy(_ context.Context, c *stream.ModelCopy) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.status.State; s != board.Live && s != board.Following {
		return stream.ErrNotLive
	}
	if c.Proc == nil {
		proc, err := model.NewProcessor(l.fixed)
		if err != nil {
			return err
		}
		c.Proc, c.Config = proc, l.fixed
	}
	replica := l.proc.NewReplica(c.Proc)
	for replica.Begin(); !replica.Step(); {
	}
	c.Seq, c.At = l.status.Seq, time.Now()
	l.copies++
	return nil
}

// SetFieldReference implements Task.
func (l *literal) SetFieldReference(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.references++
	return l.refuses
}

// Promote implements Task.
func (l *literal) Promote(ctx context.Context, name string) (stream.Promoted, error) {
	return l.promote(ctx, name)
}

// set changes the status.
func (l *literal) set(change func(*board.Status)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.status)
}

// learn answers and learns one record.
func (l *literal) learn(t testing.TB, value string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	r := &topics.Record{Value: []byte(value)}
	o, rejected := l.answer(t, r)
	if rejected != nil {
		t.Fatalf("%s: %v", value, rejected)
	}
	l.proc.Learn(r, o)
	l.status.Seq++
	l.status.Counts.Read++
	l.status.Counts.Predictions++
	l.status.Score = l.proc.Report()
}

// summarize makes a summary of the model as it is.
func (l *literal) summarize(at time.Time) {
	l.set(func(st *board.Status) {
		p := l.proc
		st.Summary = &model.Summary{Seq: st.Seq, At: at,
			Weights: []model.ClassWeights{{Bias: p.Bias(model.Positive), Top: p.Top(model.Positive, 100), All: true}}}
	})
}

// answer is the processor's own answer.
func (l *literal) answer(t testing.TB, r *topics.Record) (*model.Outcome, *event.Error) {
	d, err := event.New(l.fixed.Decode)
	if err != nil {
		t.Fatal(err)
	}
	var e event.Example
	x := d.Decode(r, nil, &e)
	return l.proc.Predict(&e, x)
}

// start is when the tests' clock begins.
var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// newTask makes a live task with a trained model.
func newTask(t testing.TB) *literal { return newTaskOf(t, learner.Perceptron) }

func newTaskOf(t testing.TB, name string) *literal {
	t.Helper()
	o := event.Defaults(event.JSON)
	o.Bits, o.MaxBytes = 10, 4096
	spec := learner.Spec{Scale: learner.ScaleStandard, Bits: o.Bits}
	err := learner.ParseLearner(name, &spec)
	if err != nil {
		t.Fatal(err)
	}
	l := &literal{fixed: model.Config{Learner: spec.WithDefaults(), Decode: o}}
	if l.proc, err = model.NewProcessor(l.fixed); err != nil {
		t.Fatal(err)
	}
	l.status = board.Status{Model: "fraud", State: board.Live, Began: start.Add(-time.Hour), At: start, Epoch: 3,
		Learner: "perceptron",
		Counts:  model.Counts{Rejected: map[string]int64{"syntax": 2, "empty": 1}, Read: 4, Tombstones: 1},
		Partitions: []board.PartitionStatus{{Partition: 0, Position: 40, End: 42},
			{Partition: 1, Position: 7, End: 7, StableLag: 3}}}
	for i := range 200 {
		l.learn(t, fmt.Sprintf(`{"id":"e%d","features":{"price":%d.5,"market":"m%d","open":%t},"label":%d}`, i, i%17,
			i%5, i%3 == 0, i*i%7%2))
	}
	l.status.Saved = board.SavedCheckpoint{Seq: 200, Bytes: 65536, At: start.Add(-4 * time.Second),
		Topic:    &statetopic.Saved{Number: 7, Bytes: 98304, Sent: 32768},
		Duration: 30 * time.Millisecond}
	l.status.Checkpoints, l.status.Acknowledged = 9, 200
	l.status.Config, l.status.Labels, l.status.Timings = l.fixed, [2]string{"0", "1"}, board.NewTimings()
	l.summarize(start)
	return l
}

// clock is a clock that stands until it is set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// newServer makes a server whose clock is the test's.
func newServer(task Task) (*Server, *clock) {
	c := &clock{now: start}
	return &Server{Task: task, Version: "v1.2.3", clock: c.time}, c
}

// ask makes one request, without a network. Headers are "Name: value".
func ask(s *Server, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	return serveRequest(s, request(method, path, body, headers...))
}

func request(method, path, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost:8080"
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	return r
}

func serveRequest(s *Server, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// want fails the test unless an answer has this code.
func want(t *testing.T, w *httptest.ResponseRecorder, code int) {
	t.Helper()
	if w.Code != code {
		t.Fatalf("code %d, want %d: %s", w.Code, code, w.Body)
	}
}

// get asks over the network.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}
