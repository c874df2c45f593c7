package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

// TestReplayCost: the costs given sort the learners, and are refused where they say nothing.
func TestReplayCost(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		label, amount := "fine", i*i%7
		if i%25 == 0 {
			label, amount = "fraud", amount+2
		}
		fmt.Fprintf(&b, `{"amount":%d,"label":%q}`+"\n", amount, label)
	}
	replay := func(args ...string) outcome {
		return call(t, b.String(), append([]string{"replay", "-", "--format", "json", "--label-names", "fine,fraud"},
			args...)...)
	}
	got := replay("--learner", "logistic logistic:positive-weight=30", "--cost", "fp:1,fn:20")
	got.want(t, cli.ExitDone, "cost is that of 1,000 examples, a false fraud at 1 and a missed one at 20: never "+
		"predicting it costs 800.0, always 960.0", "")
	if rows := strings.Split(got.stdout, "\n"); !strings.HasPrefix(strings.TrimSpace(rows[1]), "logistic:positive") {
		t.Errorf("the cheaper one is not first:\n%s", got.stdout)
	}
	rules := replay("--learner", "logistic", "--decide", "sign cost=fp:1,fn:20", "--json", "-", "--csv", filepath.Join(
		t.TempDir(), "c.csv"))
	var d struct {
		Learners []struct {
			Name       string
			Thresholds []struct {
				Examples int64
				Score    float64
			}
			Cost struct{ FalseNegative, Published float64 }
		}
	}
	if err := json.Unmarshal([]byte(rules.stdout), &d); err != nil {
		t.Fatal(err)
	}
	if first := d.Learners[0]; first.Name != "logistic cost=fp:1,fn:20" || first.Cost.FalseNegative != 20 ||
		len(first.Thresholds) < 10 || len(d.Learners[1].Thresholds) != 0 ||
		math.Abs(first.Thresholds[9].Score+math.Log(20)) > 3 ||
		first.Cost.Published >= d.Learners[1].Cost.Published {
		t.Errorf("%+v", d)
	}
	replay("--cost", "1:20").want(t, cli.ExitUsage, "", "as fp:1,fn:20")
	got = call(t, "{}", "replay", "-", "--task", "multiclass", "--cost", "fp:1,fn:20")
	got.want(t, cli.ExitUsage, "", "cost: it is of two labels: leave it out")
}
