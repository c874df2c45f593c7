package evaluate

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
)

// Rows are complete above the bar, and the bar is gone at the end.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	s := &progress{out: &out}
	s.show(cli.DrawnBar(&out, "replaying"), []string{"perceptron"}, make([]decision.Rule, 1))
	var score metrics.Binary
	for n := int64(1); n <= 1<<12; n++ {
		score.Add(1, 1, 1, false)
		s.moved(n, 1<<12)
		if n&(n-1) == 0 {
			s.row(n, []metrics.Report{score.Report()})
		}
	}
	s.end()
	visible := regexp.MustCompile(`[^\n]*\r`).ReplaceAllString(out.String(), "") // what a terminal leaves
	lines := strings.Split(strings.TrimRight(visible, " \n"), "\n")
	if len(lines) != 2+13 || !strings.HasPrefix(lines[1], "  examples") ||
		!strings.HasPrefix(lines[14], "      4096  100.00") {
		t.Errorf("%q", lines)
	}
	if !strings.Contains(out.String(), "replaying 100%") && !strings.Contains(out.String(), "replaying  ") {
		t.Errorf("no bar in %q", out.String())
	}
}

// A source without a known end has a spinner in the place of the bar.
func TestProgressWithoutAnEnd(t *testing.T) {
	var out bytes.Buffer
	s := &progress{out: &out}
	s.show(cli.DrawnBar(&out, "replaying"), []string{"perceptron"}, make([]decision.Rule, 1))
	for n := range int64(10) {
		s.moved(n, 0)
	}
	s.moved(10, 20) // a second pass: now it is known
	s.end()
	if !strings.Contains(out.String(), "replaying") {
		t.Errorf("%q", out.String())
	}
}
