package web

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/internal/awake"
	"rosenblatt/stream/model"
)

// page is an open connection to /events.
type page struct {
	t     *testing.T
	body  *bufio.Scanner
	close func()
}

func open(t *testing.T, addr string) *page {
	t.Helper()
	ctx, cancel := awake.Timeout(context.Background(), 30*time.Second)
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+addr+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	p := &page{t: t, body: bufio.NewScanner(resp.Body), close: func() { cancel(); _ = resp.Body.Close() }}
	p.body.Buffer(nil, 10<<20)
	t.Cleanup(p.close)
	return p
}

// update reads events up to a status.
func (p *page) update() (got map[string]string) {
	p.t.Helper()
	got = map[string]string{}
	name := ""
	for p.body.Scan() {
		line := p.body.Text()
		if n, ok := strings.CutPrefix(line, "event: "); ok {
			name = n
		} else if data, ok := strings.CutPrefix(line, "data: "); ok {
			got[name] = data
			if !json.Valid([]byte(data)) || strings.ContainsAny(data, "<>") {
				p.t.Errorf("%s: %.100s", name, data)
			}
		} else if line == "" && name == "status" {
			return got
		}
	}
	p.t.Fatalf("the stream ended: %v", p.body.Err())
	return nil
}

func TestEventsTellWhatChanged(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	s.pageEvery = time.Millisecond
	addr, _ := serve(t, s)
	p := open(t, addr)
	first := p.update()
	for _, name := range []string{"history", "model", "summary", "status"} {
		if first[name] == "" {
			t.Errorf("no %s at first", name)
		}
	}
	var status struct {
		Seq       int64
		Known     bool
		Baselines []baselineBody
		Point     []float64
	}
	if err := json.Unmarshal([]byte(first["status"]), &status); err != nil || status.Seq != 200 ||
		status.Baselines[1].Name != "majority" || !status.Known || len(status.Point) != 11 {
		t.Errorf("%v %+v", err, status)
	}
	if next := p.update(); len(next) != 1 {
		t.Errorf("what has not changed is told again: %v", next)
	}
	task.set(func(st *board.Status) { st.Recent = &board.Recent{Mistakes: []board.Sample{{Offset: 77}}} })
	seen := p.update()
	for seen["samples"] == "" {
		seen = p.update()
	}
	if !strings.Contains(seen["samples"], `"offset":77`) {
		t.Error(seen["samples"])
	}
	task.summarize(start.Add(time.Second))
	for seen["summary"] == "" {
		seen = p.update()
	}
}

// TestEventsOutliveTheTimeouts: the limits of a request are not those of a stream.
func TestEventsOutliveTheTimeouts(t *testing.T) {
	t.Parallel()
	s, _ := newServer(newTask(t))
	const timeout = 2 * time.Second // for the request to be read on a busy machine
	s.ReadTimeout, s.WriteTimeout, s.pageEvery = timeout, timeout, 10*time.Millisecond
	addr, _ := serve(t, s)
	p := open(t, addr)
	for began := time.Now(); time.Since(began) < timeout*5/4; {
		p.update()
	}
}

func TestEventsEndWithTheServer(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.Grace = 2 * time.Minute
	addr, stop := serve(t, s)
	open(t, addr).update()
	began := time.Now()
	if err := stop(); err != nil || time.Since(began) > s.Grace/2 {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

func TestEventsAreForABoundedNumberOfPages(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.init()
	for range maxPages - 1 {
		s.pages <- struct{}{}
	}
	addr, _ := serve(t, s)
	last := open(t, addr)
	last.update()
	if code, body := get(t, "http://"+addr+"/events"); code != http.StatusServiceUnavailable ||
		body != "too many pages are open\n" {
		t.Errorf("%d %s", code, body)
	}
	last.close()
	free(t, s)
}

// free waits until a page is let go.
func free(t *testing.T, s *Server) {
	t.Helper()
	late, cancel := awake.Timeout(t.Context(), 20*time.Second)
	defer cancel()
	select {
	case s.pages <- struct{}{}:
	case <-late.Done():
		t.Error("the page's place is not free again")
	}
}

// TestEventsDropASlowClient: one that reads nothing holds its place until the connection's buffers are full and its
// patience is over, and nobody else waits for it.
func TestEventsDropASlowClient(t *testing.T) {
	task := newTask(t)
	task.set(func(st *board.Status) { st.SaveError = strings.Repeat("x", 2000) })
	s, _ := newServer(task)
	s.pageEvery, s.pagePatience = 50*time.Microsecond, 200*time.Millisecond
	s.init()
	for range maxPages - 1 {
		s.pages <- struct{}{}
	}
	addr, _ := serve(t, s)
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if err := c.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write([]byte("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReaderSize(c, 16).ReadString('\n')
	if err != nil || !strings.Contains(line, "200") {
		t.Fatalf("%q %v", line, err)
	}
	free(t, s)
}

// TestEventsAreBounded: whatever a status holds, an update is short and its strings are text.
func TestEventsAreBounded(t *testing.T) {
	evil := strings.Repeat("<script>\u202e\xff", 100_000)
	task := newTask(t)
	task.set(func(st *board.Status) {
		st.Model, st.Learner, st.SaveError, st.Labels = evil, evil, evil, [2]string{evil, evil}
		sample := board.Sample{Value: []byte(evil), Size: len(evil), Error: evil, Prediction: evil, Label: evil}
		st.Recent = &board.Recent{Rejected: map[string][]board.Sample{"syntax": {sample, sample, sample}},
			Mistakes: []board.Sample{sample}}
		for i := range int32(10_000) {
			st.Partitions = append(st.Partitions, board.PartitionStatus{Partition: i})
			st.Accepted = append(st.Accepted, model.Acceptance{Name: "config", What: evil[:2000],
				Positions: make([]int64, 1000)})
		}
		top := st.Summary.Weights[0].Top
		top[0].Name = evil
		matrix := &model.Matrix{Classes: []string{evil}, Cells: [][]float64{{1, 0}, {0, 0}},
			Fading: [][]float64{{1, 0}, {0, 0}}, Pairs: []model.Confusions{{Label: evil, Prediction: evil}}}
		st.Summary = &model.Summary{At: start, Weights: []model.ClassWeights{{Class: evil, Top: top}}, Matrix: matrix}
	})
	s, _ := newServer(task)
	s.Trouble = func() (string, time.Time) { return evil, start }
	s.init()
	var f feed
	text, err := f.next(s)
	if err != nil || len(text) > 100_000 || strings.Contains(string(text), "<") {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	text, err = f.next(s)
	if err != nil || len(text) > 50_000 || !strings.Contains(string(text), `"hidden_partitions":9938`) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}
