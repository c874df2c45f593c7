package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"rosenblatt/stream"
	"rosenblatt/stream/internal/awake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve runs a server until the test ends, which checks that it ended well.
func serve(t *testing.T, s *Server) (addr string, stop func() error) {
	t.Helper()
	return serveAt(t, s, "127.0.0.1:0")
}

func serveAt(t *testing.T, s *Server, where string) (addr string, stop func() error) {
	t.Helper()
	s.Addr = where
	at, err := s.Listen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	ended := false
	stop = func() error { cancel(); ended = true; return <-done }
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if ended {
			return
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return at.String(), stop
}

func TestServe(t *testing.T) {
	s, _ := newServer(newTask(t))
	addr, stop := serve(t, s)
	for path, text := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n", "/status": `"model":"fraud"`,
		"/metrics": "rosenblatt_seq 200"} {
		if code, body := get(t, "http://"+addr+path); code != http.StatusOK || !strings.Contains(body, text) {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", addr); err == nil {
		t.Error("the port is still open")
	}
}

func TestServeListensByItself(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.Addr = "127.0.0.1:0"
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Serve(ctx); err != nil {
		t.Error(err)
	}
}

func TestListenRefusesWhatEverybodyReaches(t *testing.T) {
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0"} {
		s := &Server{Task: newTask(t), Addr: addr}
		if _, err := s.Listen(); !errors.Is(err, ErrExposed) || !strings.Contains(err.Error(), addr) {
			t.Errorf("%s: %v", addr, err)
		}
		for _, s := range []*Server{{Task: s.Task, Addr: addr, Token: "secret"},
			{Task: s.Task, Addr: addr, Open: true}} {
			if _, err := s.Listen(); errors.Is(err, ErrExposed) {
				t.Errorf("%s: %v", addr, err)
			} else if err == nil {
				_ = s.listener.Close()
			}
		}
	}
	for _, addr := range []string{"127.0.0.1:0", "localhost:0"} {
		s := &Server{Task: newTask(t), Addr: addr}
		if at, err := s.Listen(); err != nil || !at.(*net.TCPAddr).IP.IsLoopback() {
			t.Errorf("%s: %v %v", addr, at, err)
		} else {
			_ = s.listener.Close()
		}
	}
	if _, err := (&Server{Task: newTask(t), Addr: "nonsense"}).Listen(); err == nil {
		t.Error("an address without a port was taken")
	}
}

func TestListenOnATakenPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	s := &Server{Task: newTask(t), Addr: l.Addr().String()}
	if _, err := s.Listen(); !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), l.Addr().String()) {
		t.Errorf("%v", err)
	}
}

// raw sends bytes as they are and returns all that comes back until the server closes. It waits a minute, and that is
// an error.
func raw(addr, text string) (string, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return "", err
	}
	defer func() { _ = c.Close() }()
	ctx, cancel := awake.Timeout(context.Background(), time.Minute)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	if _, err := io.WriteString(c, text); err != nil {
		return "", err
	}
	answer, err := io.ReadAll(c)
	if errors.Is(err, syscall.ECONNRESET) {
		err = nil
	}
	return string(answer), err
}

// TestSlowClients: whoever sends no end of a header or a body, or says nothing at all, is cut off, and others are
// served meanwhile.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	s, _ := newServer(newTask(t))
	s.Hosts, s.ReadTimeout = []string{"x"}, 4*time.Second // for the others on a busy machine
	addr, _ := serve(t, s)
	var all sync.WaitGroup
	for text, wanted := range map[string]string{
		"":                          "",
		"GET /healthz HTTP/1.1\r\n": "",
		"POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{\"pri":                  "HTTP/1.1 408",
		"POST /predict HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"pri\r\n": "HTTP/1.1 408",
	} {
		all.Go(func() {
			got, err := raw(addr, text)
			if err != nil || !strings.HasPrefix(got, wanted) {
				t.Errorf("%q: %q %v", text, got, err)
			}
		})
	}
	for range 20 {
		if code, _ := get(t, "http://"+addr+"/healthz"); code != http.StatusOK {
			t.Errorf("healthz %d", code)
		}
	}
	all.Wait()
}

func TestHugeRequests(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.Hosts = []string{"x"}
	addr, _ := serve(t, s)
	const post = "POST /predict HTTP/1.1\r\nHost: x\r\n"
	chunk := "1000\r\n" + strings.Repeat(" ", 4096) + "\r\n"
	for text, wanted := range map[string]string{
		// A body said to be huge is refused before it comes; one that does not say is cut where the limit is.
		post + "Content-Length: 1000000000\r\n\r\n":                                          "HTTP/1.1 413",
		post + "Transfer-Encoding: chunked\r\n\r\n" + chunk + chunk + "0\r\n\r\n":            "HTTP/1.1 413",
		"GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 30<<10) + "\r\n\r\n": "HTTP/1.1 431",
	} {
		if got, err := raw(addr, text); err != nil || !strings.HasPrefix(got, wanted) {
			t.Errorf("%.60q: %q %v", text, got, err)
		}
	}
}

// TestServeEndsInSpiteOfAClient: a request that does not end is cut off when the server ends.
func TestServeEndsInSpiteOfAClient(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.Hosts, s.Grace = []string{"x"}, 50*time.Millisecond
	addr, stop := serve(t, s)
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	request := "POST /predict HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 20\r\n\r\n"
	if _, err := fmt.Fprint(c, request); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(c)
	line, err := in.ReadString('\n') // the server asks for the body: the request is under way
	if err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q %v", line, err)
	}
	begin := time.Now()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("the end took %v", took)
	}
	if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(in); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection is still open")
	}
}

// TestServeFinishesRequests: a request that is under way when the server ends gets its answer.
func TestServeFinishesRequests(t *testing.T) {
	task := &held{literal: newTask(t), asked: make(chan struct{}), release: make(chan struct{})}
	s, _ := newServer(task)
	s.Grace = 10 * time.Second
	addr, stop := serve(t, s)
	got := make(chan string, 1)
	go func() {
		resp, err := http.Post("http://"+addr+"/predict", "application/json", strings.NewReader(`{"price":1}`))
		if err != nil {
			got <- err.Error()
			return
		}
		_ = resp.Body.Close()
		got <- resp.Status
	}()
	<-task.asked
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	close(task.release)
	if status := <-got; status != "200 OK" {
		t.Error(status)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// held is a task whose copies wait.
type held struct {
	*literal
	asked, release chan struct{}
}

func (h *held) Copy(ctx context.Context, c *stream.ModelCopy) error {
	h.asked <- struct{}{}
	<-h.release
	return h.literal.Copy(ctx, c)
}
