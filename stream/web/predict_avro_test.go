package web

import (
	"net/http"
	"strings"
	"testing"

	"rosenblatt/stream/event"
)

// TestPredictAvro: a model of events in avro takes the bytes of one, or its JSON form where the header says so, and
// gives both the same prediction. Lines are JSON forms.
func TestPredictAvro(t *testing.T) {
	task := newTask(t)
	task.fixed.Decode.Format = event.Avro
	task.fixed.Decode.Framed = false
	task.fixed.Decode.Schema = `{"type":"record","name":"E","fields":[{"name":"features","type":{"type":"record",` +
		`"name":"F","fields":[{"name":"price","type":"float"},{"name":"market","type":"string"}]}}]}`
	s, _ := newServer(task)
	post := func(query, kind, body string) (int, string) {
		w := ask(s, "POST", "/predict"+query, body, "Content-Type: "+kind)
		return w.Code, w.Body.String()
	}
	const bytes, form = "\x00\x00\xc0\x3f\x04m1", `{"features":{"price":1.5,"market":"m1"}}`
	code, want := post("?explain=3", "application/octet-stream", bytes)
	if code != http.StatusOK || !strings.Contains(want, `"market=m1"`) {
		t.Fatalf("%d %s", code, want)
	}
	for _, kind := range []string{"application/json", "application/json; charset=utf-8"} {
		if code, got := post("?explain=3", kind, form); code != http.StatusOK || got != want {
			t.Errorf("%s: %d %s, want %s", kind, code, got, want)
		}
	}
	if code, got := post("", "application/x-www-form-urlencoded", form); code != http.StatusBadRequest {
		t.Errorf("%d %s", code, got)
	}
	_, alone := post("", "application/json", form)
	code, got := post("?lines=1", "application/json", form+"\n"+form+"\n")
	if code != http.StatusOK || got != alone+alone {
		t.Errorf("lines: %d %s", code, got)
	}
	if code, got := post("?lines=1", "text/plain", bytes); code != http.StatusBadRequest ||
		!strings.Contains(got, "Content-Type: application/json") {
		t.Errorf("lines: %d %s", code, got)
	}
}
