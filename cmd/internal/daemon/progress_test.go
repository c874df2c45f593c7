package daemon

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
)

// TestProgressLeadsWithTheRule: lines of progress begin with the figure that the rule is about. Without a rule, and
// until it holds, they have none.
func TestProgressLeadsWithTheRule(t *testing.T) {
	var score metrics.Binary
	for i := range 1000 {
		label, prediction := int8(-1), int8(-1)
		if i%100 == 0 {
			label = 1
		}
		if i%50 == 0 {
			prediction = 1
		}
		score.Add(prediction, label, float64(i), false)
	}
	cut := decision.NewCut(decision.Rule{Kind: decision.Recall, Value: 0.8})
	for i := range 60 {
		cut.Learn(0, i%2 == 0, i%4 == 0, decision.Waiting{})
	}
	for rule, want := range map[string]string{
		"sign": `{"level":"info"`, "recall=0.8": `"reached-recall":0.5,"target":0.8`,
		"cost=fp:1,fn:20": `"cost-of-1000":10,"cost-never":200`, "probability=0.3": `"precision":0.5,"recall":1`,
		"waits": `{"level":"info"`,
	} {
		s := &board.Status{Score: score.Report()}
		if rule != "sign" {
			parsed, err := decision.ParseRule(strings.Replace(rule, "waits", "recall=0.8", 1))
			if err != nil {
				t.Fatal(err)
			}
			s.Decision = &model.Decision{Rule: parsed, Cut: cut.CutState, Waits: rule == "waits"}
		}
		var out bytes.Buffer
		log := zerolog.New(&out)
		e := log.Info()
		reached(e, s)
		e.Float64("accuracy", 1).Send()
		got := out.String()
		if !strings.HasPrefix(got, `{"level":"info"`) || !strings.Contains(got, want+`,"accuracy"`) {
			t.Errorf("%s: %s, want %s", rule, got, want)
		}
	}
}
