package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestHost: requests by a name that the operator did not give are refused, with and without a token, and told what to
// set. The health checks respond to all.
func TestHost(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.Hosts, s.Open = []string{"rosenblatt", "Ml.Example.org."}, true
	addr, _ := serve(t, s)
	for host, good := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:8080": true, "10.1.2.3:1": true, "0.0.0.0": true, "[::1]": true,
		"[::1]:8080": true, "[2001:DB8::7]:80": true, "localhost": true, "LocalHost:8080": true, "localhost.": true,
		"rosenblatt": true, "ROSENBLATT:8080": true, "rosenblatt.:8080": true, "ml.example.org": true,
		"rosenblatt.evil.example": false, "evil.example": false, "evil.example:8080": false, "": false, ":8080": false,
		"127.0.0.1.evil.example": false, "localhost.evil.example": false, "evil.localhost": false, "::1": false,
		"127.1": false, "2130706433": false, "localhost:8080:x": false,
		"localhost..": false, ".": false, "[::1].evil.example": false,
	} {
		code := map[bool]string{true: "200", false: "403"}[good]
		for target, wanted := range map[string]string{
			"GET /status": code, "GET /": code, "GET /metrics": code, "GET /healthz": "200", "GET /readyz": "200",
			"GET http://127.0.0.1/status":    "200", // its host is the one that counts
			"GET http://evil.example/status": "403",
		} {
			got, err := raw(addr, target+" HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
			if err != nil || !strings.HasPrefix(got, "HTTP/1.1 "+wanted) {
				t.Errorf("%s of %q: %.40q, %v, want %s", target, host, got, err, wanted)
			}
		}
	}
	for request, wanted := range map[string]string{
		"GET /status HTTP/1.0\r\n\r\n":                               "403 Forbidden",
		"GET /healthz HTTP/1.0\r\n\r\n":                              "200 OK",
		"GET /status HTTP/1.1\r\n\r\n":                               "400 Bad Request",
		"GET /status HTTP/1.0\r\nHost: localhost\r\nHost: e\r\n\r\n": "400 Bad Request",
	} {
		if got, err := raw(addr, request); err != nil || !strings.Contains(got, wanted) {
			t.Errorf("%q: %.80q, %v, want %s", request, got, err, wanted)
		}
	}
}

// TestHostIsNamed: the refusal says which option lets the name in, and comes before the token is compared.
func TestHostIsNamed(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.Token = "secret"
	by := func(host, path string, headers ...string) (int, string) {
		r := request("GET", path, "", headers...)
		r.Host = host
		w := serveRequest(s, r)
		return w.Code, w.Body.String()
	}
	code, body := by("Evil.Example:8080", "/status", "Authorization: Bearer secret")
	if code != http.StatusForbidden || !strings.Contains(body, "evil.example, is no name") ||
		!strings.Contains(body, "start rosenblatt with --http-host evil.example\n") {
		t.Errorf("%d %s", code, body)
	}
	if code, body := by(strings.Repeat("x", 5000)+"\n", "/status"); code != http.StatusForbidden || len(body) > 600 ||
		strings.Count(body, "\n") != 1 {
		t.Errorf("%d %q", code, body)
	}
	if code, _ := by("evil.example", "/readyz", "Authorization: Bearer secret"); code != http.StatusOK {
		t.Errorf("/readyz: %d", code)
	}
}
