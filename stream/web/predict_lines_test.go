package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"rosenblatt/stream/event"
)

// TestPredictLines: each line gets the response that it would get alone, at its place.
func TestPredictLines(t *testing.T) {
	s, _ := newServer(newTask(t))
	values := []string{`{"price":1.5,"market":"m1"}`, `{"price":`, `{"price":2,"label":"odd"}`, `{"open":true}`}
	body := "\n" + strings.Join(values, "\r\n") + "\n \n"
	w := ask(s, "POST", "/predict?lines=1", body)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/x-ndjson" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	lines := strings.Split(strings.TrimSuffix(w.Body.String(), "\n"), "\n")
	if len(lines) != len(values) {
		t.Fatalf("%d lines: %s", len(lines), w.Body)
	}
	for i, value := range values {
		if alone := ask(s, "POST", "/predict?lines=0", value); alone.Body.String() != lines[i]+"\n" {
			t.Errorf("%s: %s, alone %s", value, lines[i], alone.Body)
		}
	}
	var p predicted
	if err := json.Unmarshal([]byte(lines[2]), &p); err != nil || p.Reason != "bad-label" {
		t.Errorf("%s: %v", lines[2], err)
	}
	if w := ask(s, "POST", "/predict?lines=1", ""); w.Code != http.StatusOK || w.Body.Len() != 0 {
		t.Errorf("no line: %d %s", w.Code, w.Body)
	}
}

func TestPredictLinesRefuses(t *testing.T) {
	s, _ := newServer(newTask(t))
	for query, code := range map[string]int{"?lines=x": http.StatusBadRequest,
		"?lines=1&explain=2": http.StatusBadRequest, "?lines=0&explain=2": http.StatusOK} {
		if w := ask(s, "POST", "/predict"+query, `{"price":1}`); w.Code != code {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
	large := strings.Repeat(`{"price":1}`+"\n", 4096/12+1)
	if w := ask(s, "POST", "/predict?lines=1", large); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("%d bytes: %d %s", len(large), w.Code, w.Body)
	}
}

// TestPredictLinesBounded: a small request does not make a response of any size.
func TestPredictLinesBounded(t *testing.T) {
	task := newTask(t)
	task.fixed.Decode.MaxBytes = 1 << 20
	s, _ := newServer(task)
	w := ask(s, "POST", "/predict?lines=1", strings.Repeat("x\n", 1<<19))
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "fewer lines") {
		t.Errorf("%d: %d bytes", w.Code, w.Body.Len())
	}
}

// TestPredictLinesOfTabs: a row of blank cells is an event, and has a line in the response.
func TestPredictLinesOfTabs(t *testing.T) {
	task := newTask(t)
	o := event.Defaults(event.CSV)
	o.Bits, o.Columns, o.Delimiter = 10, []string{"price", "market"}, "\t"
	task.fixed.Decode = o
	s, _ := newServer(task)
	w := ask(s, "POST", "/predict?lines=1", "1\ta\n\t\n \n2\tb\n")
	lines := strings.Split(strings.TrimSuffix(w.Body.String(), "\n"), "\n")
	if w.Code != http.StatusOK || len(lines) != 3 || !strings.Contains(lines[1], `"prediction"`) {
		t.Errorf("%d: %q", w.Code, lines)
	}
}
