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

// TestPredictInTheEncoding: a body is in the encoding of events, unless its Content-Type says another one.
func TestPredictInTheEncoding(t *testing.T) {
	task := newTask(t)
	task.fixed.Decode.Encoding = "windows-1252"
	s, _ := newServer(task)
	name := func(body string, headers ...string) string {
		w := ask(s, "POST", "/predict?explain=5", body, headers...)
		var p predicted
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || len(p.Contributions) != 1 {
			return w.Body.String()
		}
		return p.Contributions[0].Name
	}
	const form, page = "Content-Type: application/x-www-form-urlencoded", "Content-Type: text/plain;charset=UTF-8"
	if got := name("{\"caf\xe9\":1}", form); got != "café" {
		t.Error(got)
	}
	if got := name(`{"café":1}`, page); got != "café" {
		t.Error(got)
	}
	got := name(`{"x":1}`, "Content-Type: text/plain;charset=cp9999")
	if !strings.Contains(got, `"reason":"encoding"`) {
		t.Error(got)
	}
	task.fixed.Decode.Encoding = "shift_jis"
	s, _ = newServer(task)
	w := ask(s, "POST", "/predict?lines=1", "{\"x\":1}\n{\"caf\xe9\":1}\n")
	lines := strings.Split(w.Body.String(), "\n")
	if w.Code != http.StatusOK || len(lines) != 3 || !strings.Contains(lines[0], `"prediction"`) ||
		!strings.Contains(lines[1], `"offset 5: \"\\xe9\\\"\" is not shift_jis; --encoding cp1252 reads it`) {
		t.Errorf("%d: %q", w.Code, lines)
	}
	task.fixed.Decode.Encoding = "utf-16"
	s, _ = newServer(task)
	const wide = "{\x00\"\x00\x0a\x01\"\x00:\x001\x00}\x00\n\x00"
	if w := ask(s, "POST", "/predict?lines=1", wide+wide); strings.Count(w.Body.String(), `"prediction"`) != 2 {
		t.Error(w.Body)
	}
}

// TestPredictSkips: what is skipped in a topic gets no prediction here, either.
func TestPredictSkips(t *testing.T) {
	task := newTask(t)
	o := event.Defaults(event.CSV)
	o.Bits, o.Columns = 10, []string{"price", "market"}
	task.fixed.Decode = o
	s, _ := newServer(task)
	if code, p := predict(t, s, "", "price,market"); code != http.StatusBadRequest || p.Reason != "skipped" ||
		!strings.HasSuffix(p.Error, "the row names the columns") {
		t.Errorf("%d: %+v", code, p)
	}
	w := ask(s, "POST", "/predict?lines=1", "price,market\n1,a\n")
	lines := strings.Split(w.Body.String(), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], `"skipped"`) || !strings.Contains(lines[1], `"prediction"`) {
		t.Errorf("%q", lines)
	}
	o = event.Defaults(event.JSON)
	o.Bits, o.FeaturesField, o.Tombstones = 10, "after", event.SkipTombstones
	task.fixed.Decode = o
	s, _ = newServer(task)
	if code, p := predict(t, s, "", `{"after":null}`); code != http.StatusBadRequest || p.Reason != "skipped" {
		t.Errorf("%d: %+v", code, p)
	}
}
