package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream"
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

func TestPageShowsTheStatus(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	task.set(func(st *stream.Status) {
		st.Seq, st.Saved.Seq, st.Score.Last.Accuracy = 1234567, 1234567, 0.9108
		st.Accepted = []stream.Acceptance{{Name: "input-gone", What: "12 records"}}
	})
	page := pageOf(t, s)
	for _, text := range []string{"fraud", ">live<", ">ready<", "1,234,567", "91.08%", "no-change", "majority", "syntax", "65.5 kB", "4.0s ago", "input-gone", "v1.2.3"} {
		if !strings.Contains(page, text) {
			t.Errorf("%q is missing", text)
		}
	}
	for _, text := range []string{"not ready", "<script", "http://", "https://", "ZgotmplZ"} {
		if strings.Contains(page, text) {
			t.Errorf("%q is on the page", text)
		}
	}
}

func TestPageWhileRecovering(t *testing.T) {
	s, _ := newServer(&literal{status: stream.Status{Model: "fraud", State: stream.Recovering, Began: start, Recovered: stream.Recovery{Answers: 5, Done: 1000, Total: 2000}}})
	page := pageOf(t, s)
	for _, text := range []string{"not ready", ">recovering<", "1,000 of 2,000", "saved none yet"} {
		if !strings.Contains(page, text) {
			t.Errorf("%q is missing", text)
		}
	}
	if strings.Contains(page, "%!") || strings.Contains(page, "Accuracy") {
		t.Errorf("figures of a model that is not there: %s", page)
	}
}

// TestPageEscapes puts a script wherever a text from elsewhere may stand.
func TestPageEscapes(t *testing.T) {
	const evil = `</title></style><script>alert(1)</script>"'<img src=x onerror=alert(1)>`
	task := newTask(t)
	s, _ := newServer(task)
	s.Version = evil
	s.Trouble = func() (string, time.Time) { return evil, start.Add(-time.Hour) }
	task.set(func(st *stream.Status) {
		st.Model, st.Learner, st.SaveError = evil, evil, evil
		st.Counts.Rejected = map[string]int64{evil: 1}
		st.Accepted = []stream.Acceptance{{Name: evil, What: evil}}
	})
	page := pageOf(t, s)
	if strings.Contains(page, "<script") || strings.Contains(page, "<img") {
		t.Error("foreign text came through as markup")
	}
	// Title, heading, learner, two reasons (brokers, checkpoint), reject, accepted twice, version.
	if n := strings.Count(page, "&lt;script&gt;alert(1)"); n != 9 {
		t.Errorf("%d texts shown, want 9", n)
	}
	if strings.Count(page, "</style>") != 1 || strings.Count(page, "</title>") != 1 {
		t.Error("an element was closed by foreign text")
	}
	s.TroubleAfter = 2 * time.Hour // young trouble is no reason yet, but shown
	if n := strings.Count(pageOf(t, s), "&lt;script&gt;alert(1)"); n != 9 {
		t.Errorf("%d texts shown, want 9", n)
	}
	// The same in JSON, should a browser be made to read it as a page.
	if body := ask(s, "GET", "/status", "").Body.String(); strings.Contains(body, "<") {
		t.Error("/status holds markup")
	}
	task.set(func(st *stream.Status) { st.State = evil })
	if page := pageOf(t, s); strings.Contains(page, "<script") {
		t.Error("the state came through as markup")
	}
}

// TestPagePolicyFitsTheStyle: a browser applies the sheet only if the sum is that of what stands between the tags.
func TestPagePolicyFitsTheStyle(t *testing.T) {
	s, _ := newServer(newTask(t))
	w := ask(s, "GET", "/", "")
	_, rest, _ := strings.Cut(w.Body.String(), "<style>")
	shown, _, ok := strings.Cut(rest, "</style>")
	if !ok || shown != style {
		t.Error("the sheet on the page is not the one the policy names")
	}
	if !strings.Contains(w.Header().Get("Content-Security-Policy"), styleSum) {
		t.Error(w.Header())
	}
}

func TestPageBoundsPartitions(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	task.set(func(st *stream.Status) {
		st.Partitions = nil
		for p := range int32(500) {
			st.Partitions = append(st.Partitions, stream.PartitionStatus{Partition: p})
		}
	})
	page := pageOf(t, s)
	if n := strings.Count(page, `<th scope="row">`); n > 80 || !strings.Contains(page, "436 more partitions") {
		t.Errorf("%d rows", n)
	}
}

func TestSpelling(t *testing.T) {
	for got, wanted := range map[string]string{
		count(0): "0", count(999): "999", count(1000): "1,000", count(-1234567): "-1,234,567",
		size(0): "0 B", size(999): "999 B", size(1500): "1.5 kB", size(33554432): "33.6 MB", size(5e15): "5000.0 TB",
		span(12 * time.Millisecond): "12ms", span(3400 * time.Millisecond): "3.4s", span(306 * time.Second): "5m6s",
		span(7*time.Hour + 8*time.Minute): "7h8m", span(226 * time.Hour): "9d10h",
		percent(0.5): "50.00%", fmt.Sprint(truth(true)): "1",
	} {
		if got != wanted {
			t.Errorf("%q, want %q", got, wanted)
		}
	}
}
