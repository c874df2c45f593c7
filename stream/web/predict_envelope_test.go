package web

import (
	"net/http"
	"testing"

	"rosenblatt/stream/event"
)

// TestPredictEnvelope: a body is what the topic has, or the event alone, and has the same prediction.
func TestPredictEnvelope(t *testing.T) {
	const alone = `{"features":{"price":1.5,"market":"m1"}}`
	for _, c := range []struct{ envelope, kind, body string }{
		{event.CloudEvents, "application/cloudevents+json", `{"specversion":"1.0","data":` + alone + `}`},
		{event.CloudEvents, "application/cloudevents+json; charset=utf-8",
			`{"specversion":"1.0","data":` + alone + `}`},
		{event.CloudEvents, "application/x-www-form-urlencoded", alone},
		{event.Debezium, "text/plain", `{"op":"c","after":` + alone + `}`},
	} {
		task := newTask(t)
		task.fixed.Decode.Envelope = c.envelope
		s, _ := newServer(task)
		post := func(query, kind, body string) (int, string) {
			w := ask(s, "POST", "/predict"+query, body, "Content-Type: "+kind)
			return w.Code, w.Body.String()
		}
		code, want := post("?explain=3", "application/json", alone)
		if code != http.StatusOK {
			t.Fatalf("%s: %d %s", c.envelope, code, want)
		}
		if code, got := post("?explain=3", c.kind, c.body); code != http.StatusOK || got != want {
			t.Errorf("%s: %d %s, want %s", c.envelope, code, got, want)
		}
		_, one := post("", "application/json", alone)
		if code, got := post("?lines=1", c.kind, c.body+"\n"+c.body); code != http.StatusOK || got != one+one {
			t.Errorf("%s: lines: %d %s", c.envelope, code, got)
		}
	}
}
