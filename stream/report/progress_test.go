package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
)

// TestProgressOfRules: the table of a running replay shows the figure that each rule is about, of a learner without a
// rule that of the first one beside it.
func TestProgressOfRules(t *testing.T) {
	var s metrics.Binary
	for _, x := range [][2]int8{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}} { // prediction, label
		s.Add(x[0], x[1], float64(x[0]), false)
	}
	first := s.Report()
	for _, x := range [][2]int8{{1, 1}, {1, 1}, {1, -1}, {-1, -1}, {-1, -1}, {-1, -1}} {
		s.Add(x[0], x[1], float64(x[0]), false)
	}
	second := s.Report()
	for text, want := range map[string][2]string{ // of all, and of the last six
		"sign":            {"accuracy in %,", "70.00  83.33"},
		"cost=fp:1,fn:20": {"cost of 1,000 examples,", "2200  166.7"},
		"precision=0.9":   {"precision in %,", "60.00  66.67"},
		"recall=0.8":      {"recall in %,", "75.00 100.00"},
		"alerts=0.01":     {"share predicted positive in %,", "50.00  50.00"},
		"probability=0.3": {"F1 in %,", "66.67  80.00"},
	} {
		rule, err := decision.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		p := NewProgress(&out, []string{"plain", "ruled"}, []decision.Rule{{}, rule})
		p.Row(4, []metrics.Report{first, first})
		p.Row(10, []metrics.Report{second, second})
		fields, both := strings.Fields(out.String()), strings.Fields(want[1]+" "+want[1])
		if !strings.HasPrefix(out.String(), want[0]) || !slices.Equal(fields[len(fields)-4:], both) {
			t.Errorf("%s: want %q in %s", text, want, out.String())
		}
	}
	cost, _ := decision.ParseRule("cost=fp:1,fn:20")
	recall, _ := decision.ParseRule("recall=0.8")
	p := NewProgress(new(bytes.Buffer), []string{"a", "b"}, []decision.Rule{cost, recall})
	if got := p.about(); got != "cost=fp:1,fn:20: cost of 1,000 examples; recall=0.8: recall in %" {
		t.Error(got)
	}
}
