package web

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// halfOpen makes connections whose header never ends.
func halfOpen(t *testing.T, addr string, n int) {
	t.Helper()
	for range n {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		// An error means that a later one has its place already.
		_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Nothing: ")
	}
}

// TestHalfOpenConnections (row 54): 900 clients begin a header and do not end it, and may take an hour. Each health
// check is answered all the same, and a page that is open stays.
func TestHalfOpenConnections(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.pageEvery, s.ReadTimeout = 10*time.Millisecond, time.Hour
	addr, _ := serve(t, s)
	page, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = page.Close() }()
	updates := bufio.NewScanner(page)
	updates.Buffer(nil, 1<<20)
	update := func() {
		t.Helper()
		if err := page.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		for updates.Scan() {
			if updates.Text() == "event: status" {
				return
			}
		}
		t.Fatalf("the page was closed: %v", updates.Err())
	}
	if _, err := io.WriteString(page, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	update()
	halfOpen(t, addr, 900)
	fresh := http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	for _, path := range []string{"/healthz", "/readyz", "/healthz", "/readyz"} {
		begin := time.Now()
		resp, err := fresh.Get("http://" + addr + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		t.Logf("%s in %v", path, time.Since(begin))
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, resp.Status)
		}
		update()
	}
}

// pipes is a listener whose connections are given.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) { return <-p, nil }
func (p pipes) Close() error              { return nil }
func (p pipes) Addr() net.Addr            { return nil }

// TestPlaces: a new connection takes the place of the one that has waited longest for a header, be it new or idle, as
// soon as the server has closed that; not of one that is served. While all are served it waits, also for the end of the
// server.
func TestPlaces(t *testing.T) {
	in := make(pipes)
	l := newLimitedListener(in, 3)
	var server, client [7]net.Conn
	for i := range server {
		client[i], server[i] = net.Pipe()
		if err := client[i].SetDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	accepted := make(chan error)
	accept := func(i int) {
		go func() {
			c, err := l.Accept()
			if err == nil && c != server[i] {
				t.Errorf("accepted another one than %d", i)
			}
			accepted <- err
		}()
		in <- server[i]
	}
	placed := func(i int) {
		if err := <-accepted; err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		l.state(server[i], http.StateNew)
	}
	gone := func(i int) {
		if _, err := client[i].Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Fatalf("%d is not closed: %v", i, err)
		}
		l.state(server[i], http.StateClosed)
	}
	for i := range 3 {
		accept(i)
		placed(i)
	}
	l.state(server[0], http.StateActive)
	l.state(server[1], http.StateActive)
	l.state(server[1], http.StateIdle)
	accept(3)
	gone(2)
	placed(3)
	accept(4)
	gone(1)
	placed(4)
	l.state(server[3], http.StateActive)
	l.state(server[4], http.StateActive)
	accept(5)
	l.state(server[0], http.StateIdle)
	gone(0)
	placed(5)
	l.state(server[5], http.StateActive)
	accept(6)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-accepted; !errors.Is(err, net.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := client[6].Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the last one is not closed: %v", err)
	}
	if l.open != 3 || len(l.waiting) > 0 {
		t.Errorf("%d open, %d waiting", l.open, len(l.waiting))
	}
}
