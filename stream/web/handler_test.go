package web

import (
	"encoding/base64"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func TestPathsAndMethods(t *testing.T) {
	s, _ := newServer(newTask(t))
	for _, c := range []struct {
		method, path string
		code         int
		allow        string
	}{
		{"GET", "/healthz", 200, ""}, {"HEAD", "/healthz", 200, ""}, {"HEAD", "/", 200, ""},
		{"POST", "/", 405, "GET, HEAD"},
		{"POST", "/status", 405, "GET, HEAD"}, {"DELETE", "/healthz", 405, "GET, HEAD"},
		{"GET", "/predict", 405, "POST"},
		{"PUT", "/predict", 405, "POST"}, {"OPTIONS", "/metrics", 405, "GET, HEAD"}, {"GET", "/predict/", 404, ""},
		{"GET", "/nothing", 404, ""}, {"GET", "/status/", 404, ""}, {"GET", "/index.html", 404, ""},
		{"POST", "/nothing", 404, ""},
		{"GET", "/debug/pprof/", 404, ""}, {"GET", "/debug/pprof/heap", 404, ""},
		{"GET", "/%2e%2e/etc/passwd", 404, ""}, {"GET", "//status", 307, ""},
		{"GET", "/" + strings.Repeat("a", 5000), 404, ""}, {"GET", "/%00", 404, ""}, {"GET", "/status%20", 404, ""},
		{"BREW", "/", 405, "GET, HEAD"},
	} {
		w := ask(s, c.method, c.path, "")
		if w.Code != c.code || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s %.40s: %d allow %q, want %d %q", c.method, c.path, w.Code, w.Header().Get("Allow"), c.code,
				c.allow)
		}
		if w.Code >= 400 && (!strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") ||
			strings.Contains(w.Body.String(), "<")) {
			t.Errorf("%s %.40s: %q %q", c.method, c.path, w.Header().Get("Content-Type"), w.Body)
		}
	}
}

func TestSecurityHeaders(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.Token = "secret"
	for _, path := range []string{"/", "/status", "/healthz", "/nothing", "/predict"} {
		h := ask(s, "GET", path, "").Header()
		policy := h.Get("Content-Security-Policy")
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" ||
			h.Get("Cache-Control") != "no-store" ||
			!strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func basic(user, password string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

func TestToken(t *testing.T) {
	challenges := []string{"Bearer", `Basic realm="rosenblatt: the token is the password", charset="UTF-8"`}
	s, _ := newServer(newTask(t))
	s.Token, s.PProf = "secret", true
	for _, path := range []string{"/", "/status", "/metrics", "/readyz", "/predict", "/nothing", "/debug/pprof/",
		"//healthz", "/healthz/"} {
		for _, h := range []string{"X-Nothing: x", "Authorization: secret", "Authorization: Bearer",
			"Authorization: Bearer ", "Authorization: Bearer secre",
			"Authorization: Bearer secret2", "Authorization: Basic secret", "Authorization: Bearer  secret",
			basic("secret", ""), basic("me", "secre"), basic("me", "")} {
			w := ask(s, "GET", path+"?token=secret", "", h)
			if w.Code != http.StatusUnauthorized ||
				!reflect.DeepEqual(w.Header().Values("WWW-Authenticate"), challenges) {
				t.Errorf("%s with %q: %d %v", path, h, w.Code, w.Header())
			}
		}
	}
	for path, code := range map[string]int{"/": 200, "/status": 200, "/metrics": 200, "/nothing": 404,
		"/predict": 405} {
		for _, h := range []string{"Authorization: bearer secret", basic("me", "secret"),
			basic("", "secret")} { // basic: a browser
			if w := ask(s, "GET", path, "", h); w.Code != code {
				t.Errorf("%s with %q: %d, want %d", path, h, w.Code, code)
			}
		}
	}
	if w := ask(s, "GET", "/healthz", ""); w.Code != http.StatusOK || w.Body.String() != "ok\n" {
		t.Errorf("/healthz without: %d %s", w.Code, w.Body)
	}
}

func TestPProf(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.PProf = true
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/goroutine?debug=1", "/debug/pprof/cmdline"} {
		want(t, ask(s, "GET", path, ""), http.StatusOK)
	}
}
