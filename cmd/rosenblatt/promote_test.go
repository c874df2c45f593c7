package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// TestPromoteCommand asks a daemon, with a token where it needs one, and says what it was told.
func TestPromoteCommand(t *testing.T) {
	t.Parallel()
	daemon := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "this needs a token", http.StatusUnauthorized)
			return
		}
		if r.Method != http.MethodPost || r.URL.Path != "/0/promote" {
			http.NotFound(w, r)
			return
		}
		code, body := http.StatusOK, `{"champion":"c1","seq":42}`
		switch r.URL.Query().Get("learner") {
		case "learner":
			body = `{"champion":"learner"}`
		case "back":
			body = `{"champion":"back","seq":7,"withdrawn":"later"}`
		case "later":
			code, body = http.StatusAccepted, `{"champion":"later","pending":true,"text":"it waits"}`
		case "a&b":
			code, body = http.StatusNotFound, `{"reason":"unknown-learner","error":"\"a&b\" is no learner"}`
		}
		w.WriteHeader(code)
		_, _ = fmt.Fprintln(w, body)
	}))
	defer daemon.Close()
	at := []string{"--http", daemon.URL + "/0", "--http-token-file", write(t, "token", "secret\n")}
	for name, want := range map[string]string{"c1": "c1 is the champion from seq 42 on\n",
		"learner": "learner is the champion, and always was\n",
		"back":    "the promotion of later is withdrawn\nback is the champion from seq 7 on\n"} {
		call(t, "", append([]string{"promote", name}, at...)...).want(t, cli.ExitDone, want, "")
	}
	call(t, "", append([]string{"promote", "later"}, at...)...).want(t, cli.ExitFailed, "",
		"later is asked for, and not the champion yet: it waits")
	call(t, "", append([]string{"promote", "a&b"}, at...)...).want(t, cli.ExitFailed, "",
		`404 Not Found: "a&b" is no learner`)
	call(t, "", "promote", "c1", "--http", daemon.URL).want(t, cli.ExitFailed, "", "401 Unauthorized: this needs")
	call(t, "", "promote", "c1", "--http", "off").want(t, cli.ExitUsage, "", "want the address of a daemon")
	call(t, "", "promote").want(t, cli.ExitUsage, "", "learner")
}

// TestPromoteADaemon promotes a challenger of a running daemon and takes it back; the same command line goes on with
// the one that was promoted, and verify finds nothing.
func TestPromoteADaemon(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	flags := []string{"--checkpoint-interval", "100ms", "--challenger", "c1=pa1:C=0.1 scale:none"}
	p := start(t, s, s.Dir, flags...)
	addr := p.address(t)
	feed := func(addr string, n int) {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`{"label":%d,"features":{"x":%d,"y":%d}}`, 1-2*(i%2), i%7-3*(i%2), i%5))
		}
		was := championOf(t, addr).Seq
		s.Cluster.Produce(t, s.Name, 0, all...)
		streamtest.Await(t, "they are predicted", func() bool { return championOf(t, addr).Seq >= was+int64(n) })
	}
	promote := func(addr, name string) (text string) {
		t.Helper()
		ctx, told := context.WithCancel(t.Context())
		go func() {
			defer told()
			got := call(t, "", "promote", name, "--http", addr)
			got.want(t, cli.ExitDone, name+" is the champion from seq ", "")
			text = got.stdout
		}()
		for ctx.Err() == nil {
			feed(addr, 1)
		}
		return text
	}
	feed(addr, 100)
	call(t, "", "promote", "nobody", "--http", addr).want(t, cli.ExitFailed, "",
		"404 Not Found: \"nobody\" is no learner")
	if text := promote(addr, "c1"); championOf(t, addr).Champion != "c1" {
		t.Errorf("%s: the champion is %s", text, championOf(t, addr).Champion)
	}
	feed(addr, 50)
	p.term(t)
	if !strings.Contains(p.log.String(), "promoted: its predictions are published") {
		t.Error("the log does not say it")
	}

	q := start(t, s, s.Dir, flags...)
	again := q.address(t)
	streamtest.Await(t, "it goes on", func() bool { return championOf(t, again).Champion == "c1" })
	if log := q.log.String(); !regexp.MustCompile(`"champion":"c1".*"message":"took over"`).MatchString(log) {
		t.Errorf("the log does not say who is the champion: %s", log)
	}
	promote(again, "learner")
	feed(again, 50)
	if st := championOf(t, again); st.Champion != "learner" || len(st.Promotions) != 2 {
		t.Errorf("%+v", st)
	}
	q.term(t)
	v, got := verifyJSON(t, "--brokers", s.Cluster.Brokers[0], "--input", s.Name, "--output", s.Output(),
		"--dead-letter", s.DeadLetters(), "--state", s.Dir)
	if got.code != cli.ExitDone || !v.OK {
		t.Errorf("verify: %+v %s", v, got.stderr)
	}
}

// champions is what /status says of champions.
type champions struct {
	Seq        int64
	Champion   string
	Promotions []struct{ Seq int64 }
}

func championOf(t *testing.T, addr string) (st champions) {
	t.Helper()
	res, err := http.Get("http://" + strings.TrimPrefix(addr, "http://") + "/status")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }() // only read
	if err := json.NewDecoder(res.Body).Decode(&st); err != nil {
		t.Fatal(err)
	}
	return st
}
