package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"rosenblatt/stream/board"
)

func pageOf(t *testing.T, s *Server) string {
	t.Helper()
	w := ask(s, "GET", "/", "")
	want(t, w, http.StatusOK)
	if got := w.Header().Get("Content-Type"); got != "text/html; charset=utf-8" {
		t.Errorf("content type %q", got)
	}
	return w.Body.String()
}

// TestPageIsWhole: nothing is asked of another server, and nothing in the markup acts by itself.
func TestPageIsWhole(t *testing.T) {
	s, _ := newServer(newTask(t))
	page := pageOf(t, s)
	for _, text := range []string{"<title>fraud · Rosenblatt</title>", "v1.2.3", `id="accuracy"`} {
		if !strings.Contains(page, text) {
			t.Errorf("%q is missing", text)
		}
	}
	shown := strings.ReplaceAll(page, `"http://www.w3.org/2000/svg"`, "") // a name, not an address
	for _, text := range []string{"http:", "https:", "ZgotmplZ", "src=", "@import", "url(", "innerHTML", "outerHTML",
		"insertAdjacentHTML", "document.write", "eval(", "new Function"} {
		if strings.Contains(shown, text) {
			t.Errorf("%q is on the page", text)
		}
	}
	markup, _, _ := strings.Cut(page, "<script>")
	if on := regexp.MustCompile(`\son[a-z]+\s*=`).FindString(markup); on != "" || strings.Contains(markup, "style=") {
		t.Errorf("%q in the markup", on)
	}
	if len(page) > 60_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// TestPageEscapes puts a script into the only texts that stand in the markup.
func TestPageEscapes(t *testing.T) {
	const evil = `</title></style><script>alert(1)</script>"'<img src=x onerror=alert(1)>` + "\u202e\x00\xff"
	task := newTask(t)
	s, _ := newServer(task)
	s.Version = evil
	task.set(func(st *board.Status) { st.Model = evil + strings.Repeat("x", 1<<20) })
	page := pageOf(t, s)
	if strings.Count(page, "<script") != 1 || strings.Contains(page, "<img") {
		t.Error("foreign text came through as markup")
	}
	if strings.Count(page, "</style>") != 1 || strings.Count(page, "</title>") != 1 ||
		strings.Count(page, "</script>") != 1 {
		t.Error("an element was closed by foreign text")
	}
	if n := strings.Count(page, "&lt;script&gt;alert(1)"); n != 3 || len(page) > 60_000 { // title, heading, version
		t.Errorf("%d texts shown, %d bytes", n, len(page))
	}
	if title, _, _ := strings.Cut(page, "</title>"); strings.ContainsAny(title, "\u202e\x00") {
		t.Error("controls came through to the title")
	}
	// The same in JSON, should a browser be made to read it as a page.
	if body := ask(s, "GET", "/status", "").Body.String(); strings.Contains(body, "<") {
		t.Error("/status holds markup")
	}
}

// TestPagePolicyFits: a browser applies style and script only if the sums are those of what stands between the tags.
func TestPagePolicyFits(t *testing.T) {
	s, _ := newServer(newTask(t))
	w := ask(s, "GET", "/", "")
	policy := w.Header().Get("Content-Security-Policy")
	for tag, directive := range map[string]string{"style": "style-src", "script": "script-src"} {
		_, rest, _ := strings.Cut(w.Body.String(), "<"+tag+">")
		shown, _, ok := strings.Cut(rest, "</"+tag+">")
		if !ok || !strings.Contains(policy, directive+" '"+sum(shown)+"';") {
			t.Errorf("the policy does not let the %s pass: %s", tag, policy)
		}
	}
	if !strings.Contains(policy, "connect-src 'self';") ||
		!strings.Contains(policy, "require-trusted-types-for 'script'; trusted-types 'none'") {
		t.Error(policy)
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 10, ""}, {"abc", 3 + 1, "abc"}, {"abcdefghijkl", 10, "abcdefg…"}, {"äöüäöü", 10, "äöü…"},
		{"äöüäöü", 9, "äöü…"},
		{"a\xffb", 10, "a\ufffdb"}, {"\xff\xff\xff", 10, "\ufffd"}, {strings.Repeat("€", 10), 11, "€€…"},
	} {
		if got := clip(c.in, c.n); got != c.want || len(got) > c.n {
			t.Errorf("clip(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
	if got := clip(strings.Repeat("x", 1<<20), 100); len(got) != 100 {
		t.Errorf("%d bytes", len(got))
	}
}
