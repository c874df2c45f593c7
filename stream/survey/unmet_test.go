package survey_test

import (
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/event"
)

// TestUnmetNames: names in the settings that no event has are told, those that one has are not.
func TestUnmetNames(t *testing.T) {
	vw := event.Defaults(event.VW)
	vw.Cross, vw.Ignore, vw.Log = []string{"user^*item^", "u^*item^city"},
		[]string{"text^", "age", "user^age"}, []string{"nr"}
	json := event.Defaults(event.JSON)
	json.Cross = []string{"user.*at.hour*market=vic", "of[0]*in.price", "msg*nothing"}
	json.TimeParts, json.Categorical, json.Numeric = []string{"at"}, []string{"market"}, []string{"prise"}
	json.Ignore, json.TextField = []string{"secret.", "in.side", "out"}, "msg"
	for _, c := range []struct {
		options event.Options
		event   string
		want    []string
	}{
		{vw, "1 | bare |user age:3 |item city=a x:2 |text the word", []string{
			`none of 10 events has the feature "u^" of --cross; the namespaces are user^, item^, text^`,
			`none of 10 events has the feature "nr" of --log; the namespaces are user^, item^, text^, and a feature ` +
				`of one is user^age`,
			`none of 10 events has the feature "age" of --ignore; the namespaces are user^, item^, text^, and a ` +
				`feature of one is user^age`}},
		{json, `{"label":1,"user":{"age":1},"at":"2026-01-31T18:00:00Z","market":"vic","of":[1,2],"in":{"price":1,` +
			`"side":2},"secret":{"x":1},"msg":"a b"}`, []string{
			`none of 10 events has the feature "nothing" of --cross`,
			`none of 10 events has the feature "out" of --ignore`,
			`none of 10 events has the feature "prise" of --numeric`}},
	} {
		var got []string
		for _, w := range of(t, c.options, slices.Repeat([]string{c.event}, 10)...).Warnings {
			if strings.HasPrefix(w.Text, "none of") {
				got = append(got, w.Text)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s\n%s\nwant\n%s", c.event, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		for _, w := range of(t, c.options, slices.Repeat([]string{c.event}, 9)...).Warnings {
			if strings.HasPrefix(w.Text, "none of") {
				t.Errorf("of nine events: %s", w.Text)
			}
		}
	}
}
