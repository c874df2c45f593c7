package survey_test

import (
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/survey"
)

// TestBase64: decimals in base64 are told from words, and are none where the schema part says what they are.
func TestBase64(t *testing.T) {
	about := func(o event.Options, events ...string) string {
		i := slices.IndexFunc(of(t, o, events...).Warnings, func(w survey.Warning) bool { return w.Field == "price" })
		if i < 0 {
			return ""
		}
		return of(t, o, events...).Warnings[i].Text
	}
	const want = "decimal.handling.mode"
	coded := []string{`{"label":1,"price":"AfQ="}`, `{"label":0,"price":"AA=="}`,
		`{"label":0,"price":"TAtB"}`}
	if got := about(event.Defaults(event.JSON), coded...); !strings.Contains(got, want) {
		t.Errorf("flat: %q", got)
	}
	rows := event.Defaults(event.JSON)
	rows.Envelope = event.Debezium
	var bare, described []string
	for _, e := range coded {
		bare = append(bare, `{"op":"c","after":`+e+`}`)
		described = append(described, `{"schema":{"fields":[{"field":"after","type":"struct","fields":[{`+
			`"type":"bytes","name":"org.apache.kafka.connect.data.Decimal",`+
			`"parameters":{"scale":"2"},"field":"price"}]}]},`+
			`"payload":{"op":"c","after":`+e+`}}`)
	}
	if got := about(rows, bare...); !strings.Contains(got, want) {
		t.Errorf("an envelope: %q", got)
	}
	if got := about(rows, described...); strings.Contains(got, want) {
		t.Errorf("with a schema part: %q", got)
	}
	if r := of(t, rows, described...); r.Rejected != 0 || len(r.Fields) != 2 || r.Fields[1].Kind != "number" {
		t.Errorf("%+v", r.Fields)
	}
	words := []string{`{"label":1,"price":"GOLD"}`, `{"label":0,"price":"OPEN"}`}
	if got := about(event.Defaults(event.JSON), words...); strings.Contains(got, want) {
		t.Errorf("words: %q", got)
	}
	if got := of(t, rows, coded...); !strings.Contains(got.Verdict, "heartbeats") {
		t.Errorf("%q", got.Verdict)
	}
}
