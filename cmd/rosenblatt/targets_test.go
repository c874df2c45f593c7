package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"

	"rosenblatt/learner/decision"
	"rosenblatt/stream/streamtest"
)

const targetsPage = "cmd/rosenblatt/reference/targets.md"

const targetsHead = `# What targets reach

What 'precision=', 'recall=' and 'alerts=' of [probabilities and cuts](../docs/decisions.md) came to,
on the streams and by the learners of [what decisions are worth](worth.md). It is over the second part of each
stream: behind 20,000 events or half of them. Labels come at once, or 1,000 or 10,000 events late. Made by

    .ci/data
    ROSENBLATT_TEST_LONG=1 ROSENBLATT_UPDATE_GOLDEN=1 go test ./cmd/rosenblatt -run ReachedTargets -timeout 0

Cases are those where 300 count: of 'precision' 300 positive predictions, of 'recall' 300 positive labels, of 'alerts'
300 events. A precision below the share of positives is no target, so it is left out.

`

// targetCase is what a rule reached.
type targetCase struct {
	set     *worthSet
	learner string
	rule    decision.Rule
	late    int64
	reached float64
	counts  int64 // of how many
}

func (c *targetCase) off() float64 { return c.reached - c.rule.Value }

// caseOf counts what a rule reached, and whether that is a case.
func caseOf(w *worthSet, learner string, rule decision.Rule, late int64, d *decidedRun) (targetCase, bool) {
	predicted, right, positives := d.count(d.second())
	events := int64(len(d.scores) - d.second())
	c := targetCase{set: w, learner: learner, rule: rule, late: late}
	hits := right
	switch rule.Kind {
	case decision.Precision:
		c.counts = predicted
	case decision.Recall:
		c.counts = positives
	default:
		c.counts, hits = events, predicted
	}
	c.reached = float64(hits) / float64(c.counts)
	isTarget := rule.Kind != decision.Precision || rule.Value > float64(positives)/float64(events)
	return c, isTarget && c.counts >= 300
}

// TestReachedTargets writes the page of what targets reach.
func TestReachedTargets(t *testing.T) {
	if !streamtest.Long() {
		t.Skip("some minutes: with ROSENBLATT_TEST_LONG=1, and ROSENBLATT_UPDATE_GOLDEN=1 to write the page")
	}
	var cases []targetCase
	for i := range worthSets {
		s := worthSets[i].open(t)
		for _, late := range []int64{0, 1000, 10_000} {
			for _, l := range []string{"perceptron", "averaged", "pa1", "arow", "logistic", "alma"} {
				got := s.run(t, []string{l}, targetRules, late)
				for _, text := range targetRules {
					rule, err := decision.ParseRule(text)
					if err != nil {
						t.Fatal(err)
					}
					if c, is := caseOf(&worthSets[i], l, rule, late, got[l+" "+text]); is {
						cases = append(cases, c)
					}
				}
			}
		}
	}
	text := targetsHead + targetsSummary(cases) + targetsBySet(cases)
	upToDate(t, targetsPage, strings.ReplaceAll(text, "'", "`"))
}

var targetRules = []string{"precision=0.2", "precision=0.5", "precision=0.9", "recall=0.5", "recall=0.8",
	"recall=0.95", "alerts=0.05", "alerts=0.01"}

// targetsSummary is how many cases come near their targets.
func targetsSummary(cases []targetCase) string {
	var b strings.Builder
	b.WriteString("| | late | streams | cases | within 0.02 | within 0.05 | farthest off |\n" +
		"|---|--:|---|--:|--:|--:|---|\n")
	for _, kind := range []decision.Kind{decision.Precision, decision.Recall, decision.Alerts} {
		for _, late := range []int64{0, 1000, 10_000} {
			for _, drifts := range []bool{false, true} {
				some := slices.DeleteFunc(slices.Clone(cases), func(c targetCase) bool {
					return c.rule.Kind != kind || c.late != late || c.set.drifts != drifts
				})
				name := "that do not drift"
				if drifts {
					name = "that drift"
				}
				fmt.Fprintf(&b, "| '%s' | %s | %s | %s\n", kind, humanize.Comma(late), name, nearTargets(some))
			}
		}
	}
	return b.String()
}

func nearTargets(some []targetCase) string {
	if len(some) == 0 {
		return "0 | | | |"
	}
	within := func(most float64) float64 {
		n := 0
		for i := range some {
			if math.Abs(some[i].off()) <= most {
				n++
			}
		}
		return 100 * float64(n) / float64(len(some))
	}
	worst := slices.MaxFunc(some, func(a, b targetCase) int {
		return cmp.Compare(math.Abs(a.off()), math.Abs(b.off()))
	})
	return fmt.Sprintf("%d | %.0f %% | %.0f %% | %.2f of %v ('%s', %s) |", len(some), within(0.02), within(0.05),
		worst.reached, worst.rule, worst.learner, worst.set.title)
}

// targetsBySet is what was reached of each stream.
func targetsBySet(cases []targetCase) string {
	var b strings.Builder
	b.WriteString("\n## Medians of the learners\n\n| stream | late |")
	for _, rule := range targetRules {
		fmt.Fprintf(&b, " %s |", rule)
	}
	b.WriteString("\n|---|--:|" + strings.Repeat("--:|", len(targetRules)) + "\n")
	for i := range worthSets {
		for _, late := range []int64{0, 1000, 10_000} {
			fmt.Fprintf(&b, "| %s | %s |", worthSets[i].title, humanize.Comma(late))
			for _, text := range targetRules {
				var all []float64
				for _, c := range cases {
					if c.set == &worthSets[i] && c.late == late && c.rule.String() == text {
						all = append(all, c.reached)
					}
				}
				if m := medianOf(all); math.IsNaN(m) {
					b.WriteString(" - |")
				} else {
					fmt.Fprintf(&b, " %.3f |", m)
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
