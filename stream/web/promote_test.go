package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
)

// postHere asks for a promotion as somebody on the daemon's machine does. Headers are "Name: value".
func postHere(s *Server, path string, headers ...string) *httptest.ResponseRecorder {
	r := request(http.MethodPost, path, "", headers...)
	r.RemoteAddr = "127.0.0.1:40000"
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	return serveRequest(s, r)
}

// TestPromote: a request promotes, and says what becomes of it.
func TestPromote(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	none := stream.Promoted{}
	for _, c := range []struct {
		done stream.Promoted
		err  error
		code int
		text string
	}{
		{stream.Promoted{Seq: 42}, nil, http.StatusOK, `{"champion":"c1","seq":42}`},
		{none, nil, http.StatusOK, `{"champion":"c1"}`},
		{stream.Promoted{Withdrawn: "c2"}, nil, http.StatusOK, `{"champion":"c1","withdrawn":"c2"}`},
		{none, stream.ErrPending, http.StatusAccepted, `{"champion":"c1","pending":true,`},
		{none, &model.UnknownLearner{Name: "c1", Has: []string{"learner"}}, http.StatusNotFound,
			`{"reason":"unknown-learner","error":"\"c1\" is no learner of this model, which has [\"learner\"]"}`},
		{none, &model.SuspendedLearner{Name: "c1", Why: "overflow"}, http.StatusConflict, `{"reason":"suspended",`},
		{none, stream.ErrPromoting, http.StatusConflict, `{"reason":"promoting",`},
		{none, stream.ErrWithdrawn, http.StatusConflict, `{"reason":"promoting",`},
		{none, stream.ErrNotLive, http.StatusConflict, `{"reason":"not-live","error":"the model is not live`},
	} {
		asked := ""
		task.promote = func(ctx context.Context, name string) (stream.Promoted, error) {
			asked = name
			if end, has := ctx.Deadline(); !has || time.Until(end) > promoteWait {
				t.Errorf("it waits until %v", end)
			}
			return c.done, c.err
		}
		w := postHere(s, "/promote?learner=c1")
		if w.Code != c.code || !strings.HasPrefix(w.Body.String(), c.text) || asked != "c1" {
			t.Errorf("%v: %d %s", c.err, w.Code, w.Body)
		}
	}
	task.promote = func(context.Context, string) (stream.Promoted, error) {
		return none, errors.New("it is not asked")
	}
	for _, path := range []string{"/promote", "/promote?learner=", "/promote?learner=c1&learner=c2"} {
		w := postHere(s, path)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "no-learner") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	want(t, ask(s, http.MethodGet, "/promote?learner=c1", ""), http.StatusMethodNotAllowed)
}

// TestFollowerDoesNotPromote: it names the daemon that can.
func TestFollowerDoesNotPromote(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	task.promote = func(context.Context, string) (stream.Promoted, error) {
		return stream.Promoted{}, stream.ErrNotLive
	}
	task.set(func(st *board.Status) {
		st.State = board.Following
		st.Shared = &board.Shared{Owner: "east-1", Since: start}
	})
	w := postHere(s, "/promote?learner=c1")
	want(t, w, http.StatusConflict)
	var body refusalBody
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || body.Reason != "not-live" ||
		!strings.Contains(body.Error, "east-1 predicts since 2026-03-01T12:00:00Z") {
		t.Errorf("%+v, %v", body, err)
	}
}

// TestWhoMayPromote: no page of another site, nobody without the token where there is one, and where there is none
// nobody on another machine. With a model for each partition it is alike.
func TestWhoMayPromote(t *testing.T) {
	for _, token := range []string{"", "secret"} {
		for _, path := range []string{"/promote?learner=c1", "/0/promote?learner=c1"} {
			task := newTask(t)
			promoted := 0
			task.promote = func(context.Context, string) (stream.Promoted, error) {
				promoted++
				return stream.Promoted{Seq: 1}, nil
			}
			s := &Server{Task: task, Token: token, Open: true}
			if strings.HasPrefix(path, "/0/") {
				s = &Server{Tasks: &Tasks{Name: "fraud", All: func() []Task { return []Task{task} }}, Token: token,
					Open: true}
			}
			with := func(code int, headers ...string) {
				t.Helper()
				if token != "" {
					headers = append(headers, "Authorization: Bearer "+token)
				}
				was := promoted
				w := postHere(s, path, headers...)
				if w.Code != code || (promoted > was) != (code == http.StatusOK) {
					t.Errorf("%s %v: %d %s", path, headers, w.Code, w.Body)
				}
			}
			with(http.StatusOK)
			with(http.StatusOK, "Sec-Fetch-Site: same-origin")
			with(http.StatusOK, "Origin: http://localhost:8080")
			with(http.StatusForbidden, "Sec-Fetch-Site: cross-site")
			with(http.StatusForbidden, "Sec-Fetch-Site: same-site")
			with(http.StatusForbidden, "Origin: https://evil.example")
			with(http.StatusForbidden, "Origin: null")
			with(http.StatusForbidden, "Host: evil.example", "Origin: http://evil.example") // DNS rebinding
			promoted = 0
			code := http.StatusForbidden
			if token != "" {
				want(t, postHere(s, path), http.StatusUnauthorized)
				code = http.StatusOK
			}
			for _, from := range []string{"192.0.2.7:40000", "[2001:db8::7]:40000"} {
				r := request(http.MethodPost, path, "")
				r.RemoteAddr = from
				if token != "" {
					r.Header.Set("Authorization", "Bearer "+token)
				}
				want(t, serveRequest(s, r), code)
			}
			if got := promoted > 0; got != (token != "") {
				t.Errorf("promoted %d times from other machines", promoted)
			}
			for _, from := range []string{"[::1]:40000", "[::ffff:127.0.0.1]:40000"} {
				r := request(http.MethodPost, path, "")
				r.RemoteAddr = from
				r.Header.Set("Authorization", "Bearer "+token)
				want(t, serveRequest(s, r), http.StatusOK)
			}
		}
	}
}

// testPromoteFromAPage: a page of another site cannot promote, whatever it tries, and one that the daemon serves could.
func testPromoteFromAPage(t *testing.T, b *browser) {
	task := newTask(t)
	asked := make(chan string, 10)
	task.promote = func(_ context.Context, name string) (stream.Promoted, error) {
		asked <- name
		return stream.Promoted{Seq: 1}, nil
	}
	addr, _ := serve(t, &Server{Task: task})
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>evil</title><body onload=document.title=1>" +
			"<p id=tiles><i></i></p><iframe name=f></iframe>" +
			`<form id=form method=post target=f action="http://` + addr + `/promote?learner=form"></form>`))
	}))
	defer evil.Close()
	for _, site := range []string{evil.URL, strings.Replace(evil.URL, "127.0.0.1", "localhost", 1)} {
		b.visit(site)
		b.tryToPromote(addr)
	}
	b.visit("http://" + addr + "/")
	if got := b.eval(`fetch("/promote?learner=own", {method: "POST"}).then((r) => "" + r.status)`); got != "200" {
		t.Error("the daemon's own page:", got)
	}
	if name := <-asked; name != "own" || len(asked) > 0 {
		t.Errorf("%s was promoted from a page of another site, and %d more", name, len(asked))
	}
}

// tryToPromote does what a page of another site can do.
func (b *browser) tryToPromote(addr string) {
	target := `"http://` + addr + `/promote?learner=`
	for _, script := range []string{
		`fetch(` + target + `fetch", {method: "POST"}).then((r) => "" + r.status, () => "refused")`,
		`fetch(` + target + `opaque", {method: "POST", mode: "no-cors"}).then((r) => r.type, () => "refused")`,
		`fetch(` + target + `text", {method: "POST", mode: "no-cors", body: "x"}).then((r) => r.type, () => "refused")`,
		`"" + navigator.sendBeacon(` + target + `beacon")`,
		`new Promise((done) => { document.querySelector("iframe").onload = () => done("sent");
			document.getElementById("form").submit(); })`,
	} {
		b.t.Log(b.eval(script))
	}
}
