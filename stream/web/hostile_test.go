package web

import (
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/internal/awake"
)

// TestManyConnections (row 54): four hundred clients connect and say nothing. No more than 256 of them are let in at
// one time, so descriptors and goroutines are bounded, and others are served.
func TestManyConnections(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.ReadTimeout = time.Hour
	addr, _ := serve(t, s)
	before := runtime.NumGoroutine()
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	for range 400 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
	}
	most := 0
	late, cancel := awake.Timeout(t.Context(), time.Minute)
	defer cancel()
	for began := time.Now(); time.Since(began) < time.Second || most < maxConns && late.Err() == nil; {
		most = max(most, runtime.NumGoroutine()-before)
		runtime.Gosched()
	}
	t.Logf("%d goroutines for 400 silent clients", most)
	if most > maxConns+10 || most < maxConns {
		t.Errorf("%d goroutines for 400 silent clients, want about %d", most, maxConns)
	}
	if code, _ := get(t, "http://"+addr+"/healthz"); code != http.StatusOK {
		t.Errorf("healthz %d", code)
	}
}

// TestOddRequests (row 54): paths, methods and lines that no client means well. Each gets an answer below 500 or none,
// and a request for the page is none the worse for it.
func TestOddRequests(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.Hosts = []string{"x"}
	addr, _ := serve(t, s)
	for text, wanted := range map[string]string{
		"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n":                                      "HTTP/1.1 3",
		"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n":                              "HTTP/1.1 4",
		"GET //status HTTP/1.1\r\nHost: x\r\n\r\n":                                               "HTTP/1.1 ",
		"GET /status/ HTTP/1.1\r\nHost: x\r\n\r\n":                                               "HTTP/1.1 404",
		"GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n":                                                   "HTTP/1.1 404",
		"GET /" + strings.Repeat("a", 10_000) + " HTTP/1.1\r\nHost: x\r\n\r\n":                   "HTTP/1.1 404",
		"GET /" + strings.Repeat("a", 40_000) + " HTTP/1.1\r\nHost: x\r\n\r\n":                   "HTTP/1.1 431",
		"GET http://other.example.org/status HTTP/1.1\r\nHost: x\r\n\r\n":                        "HTTP/1.1 403",
		"DELETE /status HTTP/1.1\r\nHost: x\r\n\r\n":                                             "HTTP/1.1 405",
		"BREW /predict HTTP/1.1\r\nHost: x\r\n\r\n":                                              "HTTP/1.1 405",
		"CONNECT kafka:9092 HTTP/1.1\r\nHost: x\r\n\r\n":                                         "HTTP/1.1 4",
		"POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n":                        "HTTP/1.1 400",
		"POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n":      "HTTP/1.1 400",
		"POST /predict?explain=-1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}":            "HTTP/1.1 400",
		"POST /predict?explain=1e9 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}":           "HTTP/1.1 400",
		"POST /predict HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n": "HTTP/1.1 ",
		"GET / HTTP/9.9\r\nHost: x\r\n\r\n":                                                      "HTTP/1.1 5",
		// the version is not supported, as RFC 9110 has it
	} {
		got, err := raw(addr, strings.ReplaceAll(text, "Host: x\r\n", "Host: x\r\nConnection: close\r\n"))
		if err != nil || !strings.HasPrefix(got, wanted) {
			t.Errorf("%.60q: %.80q %v", text, got, err)
		}
		if strings.HasPrefix(got, "HTTP/1.1 500") || strings.Contains(got, "root:") {
			t.Errorf("%.60q: %.200q", text, got)
		}
	}
	cut, _ := newServer(newTask(t))
	cut.ReadTimeout = time.Second // for what is no request at all
	other, _ := serve(t, cut)
	if got, err := raw(other, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"); err != nil {
		t.Errorf("TLS: %q %v", got, err)
	}
	if code, body := get(t, "http://"+addr+"/status"); code != http.StatusOK ||
		!strings.Contains(fmt.Sprint(body), "seq") {
		t.Errorf("status %d", code)
	}
}
