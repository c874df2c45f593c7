package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLaterLabels: interrupted and started again, each prediction gets its label once, though it was not due yet.
func TestLaterLabels(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	const events = 3000
	o := Options{State: state, LabelDelay: 300 * time.Millisecond}
	first := start(t, o, events)
	await(t, "1,000 predictions", func() bool { return first.daemon.Status().Counts.Predictions > 1000 })
	first.stop()
	<-first.ended
	if first.err != nil {
		t.Fatal(first.err)
	}
	printed := whole(t, o, events)
	for _, want := range []string{"Done, predicted and saved to the end",
		"  labels  hyperplane.labels, 300ms later; "} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is missing in:\n%s", want, printed)
		}
	}
	outcomes := map[string]int{}
	for _, v := range valuesIn(t, state, "hyperplane.outcomes") {
		var o struct{ Outcome string }
		if err := json.Unmarshal(v, &o); err != nil {
			t.Fatalf("outcome %s: %v", v, err)
		}
		outcomes[o.Outcome]++
	}
	if len(outcomes) != 1 || outcomes["labelled"] != events {
		t.Errorf("%v, want %d labelled", outcomes, events)
	}
}

// TestLaterLabelsOfAFile: a table without ids gets a column of them, and its labels their columns.
func TestLaterLabelsOfAFile(t *testing.T) {
	t.Parallel()
	rows := "x,class\n" + strings.Repeat("1,up\n-1,down\n", 200)
	path := filepath.Join(t.TempDir(), "moves.csv")
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	printed := whole(t, Options{Input: path, Positive: "up", LabelDelay: 50 * time.Millisecond}, 0)
	if !strings.Contains(printed, ": 400 examples in ") || strings.Contains(printed, "rejected") {
		t.Errorf("printed:\n%s", printed)
	}
	if got := call(t.Context(), []string{"--label-delay=-1s"}, &screen{}, &screen{}); got != 2 {
		t.Errorf("exit %d for a negative delay", got)
	}
}

// TestRare: payments have a rare label that comes later; the rows and the figures are about that.
func TestRare(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	printed := whole(t, Options{Rare: true, State: state, LabelDelay: 100 * time.Millisecond}, 8000)
	for _, want := range []string{"A logistic regression predicts", "one in a hundred a fraud", rareHeads,
		"  labels  payments.labels, 100ms later; ", "Done, predicted and saved to the end"} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is missing in:\n%s", want, printed)
		}
	}
	frauds := 0
	for _, v := range valuesIn(t, state, "payments.outcomes") {
		if strings.Contains(string(v), `"label":"fraud"`) {
			frauds++
		}
	}
	if frauds < 50 || frauds > 110 {
		t.Errorf("%d frauds in 8,000", frauds)
	}
	if got := call(t.Context(), []string{"--rare", "--input", "x.csv"}, &screen{}, &screen{}); got != 2 {
		t.Errorf("exit %d for two sources", got)
	}
}
