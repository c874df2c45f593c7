package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/profile"
	"rosenblatt/stream/streamtest"
)

// TestProfileCommand shows the profile of a daemon, or sets its reference, with a token where it needs one.
func TestProfileCommand(t *testing.T) {
	t.Parallel()
	words := &profile.Summary{Events: 10, Present: 9, Words: 9, Top: []profile.Word{{Text: "a\x1bb", Count: 6}}}
	shift := 0.31
	report := profile.Report{Events: 20_000, Fields: []profile.Field{{Name: "market", Now: words, Before: words,
		Shift: profile.Shifts{Before: &shift}, Alert: profile.Shifted}}}
	begin := time.UnixMilli(1764250000000).UTC()
	report.Changes = []profile.Change{{Field: "old", Alert: profile.Rarer, Before: 1, Until: begin,
		Span: profile.Span{NotBefore: begin, NotAfter: begin}}, {Field: "market", Alert: profile.Shifted, Shift: &shift,
		Held: "1", Holds: "2"}}
	set := 0
	daemon := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer secret":
			http.Error(w, "this needs a token", http.StatusUnauthorized)
		case r.Method == http.MethodGet && r.URL.Path == "/0/profile":
			if err := report.WriteJSON(w); err != nil {
				t.Error(err)
			}
		case r.Method == http.MethodPost && r.URL.Path == "/0/profile/reference":
			set++
			_, _ = io.WriteString(w, "done\n")
		default:
			http.NotFound(w, r)
		}
	}))
	defer daemon.Close()
	token := write(t, "token", "secret\n")
	at := []string{"--http", daemon.URL + "/0", "--http-token-file", token}
	call(t, "", append([]string{"profile"}, at...)...).want(t, cli.ExitDone,
		"\n\"market\"  90.0 %         \"a\\x1bb\" 67 %  \"a\\x1bb\" 67 %  -          0.310  -               -"+
			"          shifted\nthe field \"old\" changed between 2025-11-27T13:26:40Z and 2025-11-27T13:26:40Z: "+
			"0 % of the events have it, 100 % before; usual again, or as before, at 2025-11-27T13:26:40Z\n"+
			"the field \"market\" changed: its values are not distributed as before: a shift of 0.31. It held 1, and "+
			"holds 2; it alerts\n", "")
	call(t, "", append([]string{"profile", "--json"}, at...)...).want(t, cli.ExitDone, `"alert":"shifted"`, "")
	call(t, "", append([]string{"profile", "--set-reference"}, at...)...).want(t, cli.ExitDone, "done\n", "")
	if set != 1 {
		t.Errorf("the reference was set %d times", set)
	}
	call(t, "", "profile", "--http", daemon.URL).want(t, cli.ExitFailed, "", "401 Unauthorized: this needs a token")
	call(t, "", "profile", "--http", "off").want(t, cli.ExitUsage, "", "want the address of a daemon")
	call(t, "", "profile", "--set-reference", "--json").want(t, cli.ExitUsage, "", "leave it out")
}

// TestSetReferenceOfADaemon: a running daemon takes what its fields hold now as the reference, and its next checkpoint
// has it.
func TestSetReferenceOfADaemon(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	p := start(t, s, s.Dir, "--checkpoint-interval", "100ms")
	addr := p.address(t)
	event := func(i, x int) string {
		return fmt.Sprintf(`{"label":%d,"features":{"x":%d}}`, 1-2*(i%2), x+i%7)
	}
	feed := func(x int, done func(*profile.Report) bool) {
		streamtest.Await(t, fmt.Sprint("windows with ", x), func() bool {
			var events []string
			for i := range 1000 {
				events = append(events, event(i, x))
			}
			s.Cluster.Produce(t, s.Name, 0, events...)
			return done(profileOf(t, addr))
		})
	}
	feed(0, func(r *profile.Report) bool { return r.Events >= profile.Window })
	feed(100, func(r *profile.Report) bool {
		return len(r.Fields) > 0 && r.Fields[0].Now != nil && r.Fields[0].Now.Least >= 100
	})
	call(t, "", "profile", "--http", addr, "--set-reference").want(t, cli.ExitDone, "are the reference", "")
	if r := profileOf(t, addr); r.Fields[0].Reference.Least < 100 {
		t.Errorf("the reference is %+v", r.Fields[0].Reference)
	}
	s.Cluster.Produce(t, s.Name, 0, event(1, 100))
	p.term(t)
	folder := filepath.Join(s.Dir, s.Name)
	if _, err := os.Stat(folder); err != nil {
		t.Fatal(err)
	}
	q := start(t, s, s.Dir)
	again := q.address(t)
	streamtest.Await(t, "the reference after a restart", func() bool {
		r := profileOf(t, again)
		return len(r.Fields) > 0 && r.Fields[0].Reference.Least >= 100
	})
	q.term(t)
}

// address is where a daemon's HTTP server is.
func (p *process) address(t *testing.T) string {
	t.Helper()
	p.page(t, "healthz")
	return strings.TrimSuffix(listens.FindStringSubmatch(p.log.String())[1], "/")
}

func profileOf(t *testing.T, addr string) *profile.Report {
	t.Helper()
	var r profile.Report
	if got := call(t, "", "profile", "--json", "--http", addr); got.code == cli.ExitDone {
		if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
			t.Fatal(err)
		}
	}
	return &r
}
