package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/metrics"
)

// TestReplayBy: decisions by field are those of --predictions, at once and with labels that come later; what cannot be
// counted so is said before anything is read.
func TestReplayBy(t *testing.T) {
	var b strings.Builder
	shops := []string{"a", "b", "c"}
	for i := range 3000 {
		fmt.Fprintf(&b, `{"id":"e%d","shop":%q,"x":%d,"label":%d}`+"\n", i, shops[i%3], i*i%11, (i*i%11+i%3)/7)
	}
	for _, delay := range []string{"0", "200"} {
		lines := filepath.Join(t.TempDir(), "p.jsonl")
		got := call(t, b.String(), "replay", "-", "--format", "json", "--by", "shop", "--ignore", "shop",
			"--delay", delay, "--learner", "logistic", "--json", "-", "--predictions", lines)
		got.want(t, cli.ExitDone, "", "")
		var d struct {
			Learners []struct {
				Slices []struct {
					Value     string
					Confusion metrics.Confusion
				}
			}
		}
		if err := json.Unmarshal([]byte(got.stdout), &d); err != nil {
			t.Fatal(err)
		}
		counted, want := map[string]metrics.Confusion{}, map[string]metrics.Confusion{}
		for _, s := range d.Learners[0].Slices {
			counted[s.Value] = s.Confusion
		}
		for i, line := range strings.Split(strings.TrimSpace(read(t, lines)), "\n") {
			var p struct {
				ID                string
				Label, Prediction int
				Untrained         bool
			}
			if err := json.Unmarshal([]byte(line), &p); err != nil {
				t.Fatal(err)
			}
			if p.Untrained {
				continue
			}
			c := want[shops[i%3]]
			*map[[2]int]*float64{{1, 1}: &c.TruePositive, {0, 1}: &c.FalsePositive, {1, 0}: &c.FalseNegative,
				{0, 0}: &c.TrueNegative}[[2]int{p.Label, p.Prediction}]++
			want[shops[i%3]] = c
		}
		if !maps.Equal(counted, want) {
			t.Errorf("delay %s: %v, want %v", delay, counted, want)
		}
	}
	misspelt := filepath.Join(t.TempDir(), "r.html")
	call(t, b.String(), "replay", "-", "--format", "json", "--by", "shop,shp", "--report", misspelt, "--json",
		"-").want(t, cli.ExitDone, "",
		`rosenblatt: none of 3000 events whose labels are known has the field "shp" of --by: it`)
	if page := read(t, misspelt); strings.Count(page, "none of 3000 events whose labels are known has the field") != 1 {
		t.Error("the report does not say that no event has the field")
	}
	for _, c := range []struct{ by, says string }{{"a,b,c,d,e", "by: 5 fields"},
		{"label", "by: \"label\" is the label"}, {"x,x", "named twice"}} {
		call(t, b.String(), "replay", "-", "--format", "json", "--by", c.by).want(t, cli.ExitUsage, "", c.says)
	}
}

// TestRunBy: the daemon counts by field, inspect shows it, and other fields need no --accept.
func TestRunBy(t *testing.T) {
	t.Parallel()
	k, state := broker(t), t.TempDir()
	file := flowers(t, 60)
	run := []string{"run", "--brokers", k, "--input", "by", "--state", state, "--until-end", "--http", "off",
		"--create-topics", "--bits", "10", "--positive", "setosa"}
	call(t, "", "produce", file, "--brokers", k, "--topic", "by", "--create-topic").want(t, cli.ExitDone, "60 events",
		"")
	call(t, "", append(run, "--by", "y,x,z")...).want(t, cli.ExitDone, "", "")
	folder := filepath.Join(state, "by")
	for _, want := range []string{"\nby field", "\ny=0 ", "\nx=-1 ",
		"\nnone of 60 events whose labels are known has the field \"z\" of --by"} {
		call(t, "", "inspect", folder).want(t, cli.ExitDone, want, "")
	}
	call(t, "", append(run, "--by", "x")...).want(t, cli.ExitDone, "", "")
	if got := call(t, "", "inspect", folder); strings.Contains(got.stdout, "\nby field") {
		t.Errorf("counts of other fields stay:\n%s", got.stdout)
	}
	call(t, "", "inspect", folder).want(t, cli.ExitDone,
		"\nof each label  not setosa 40 (67 %), setosa 20 (33 %)\n", "")
	call(t, "", append(run, "--by", "a,b,c,d,e")...).want(t, cli.ExitUsage, "", "by: 5 fields: want at most 4")
	call(t, "", "verify", "--brokers", k, "--input", "by", "--state", state).want(t, cli.ExitDone, "", "")
	call(t, "", append(run, "--decide", "probability=0.3", "--accept", "config")...).want(t, cli.ExitDone, "", "")
	call(t, "", "inspect", folder).want(t, cli.ExitDone, "\nthe rule was changed behind seq 60: figures", "")
}
