package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
)

// TestSplitDamaged: of three models in one process, two have a damaged checkpoint, one of these no other. The former
// goes on from the one before it, exactly; the latter is a stop that leaves the others running.
func TestSplitDamaged(t *testing.T) {
	t.Parallel()
	c, brokers, state := splitRun(t)
	if damageNewest(t, filepath.Join(state, "events.0")) != 1 {
		t.Fatal("model 0 has one checkpoint alone")
	}
	files, err := (&checkpoint.Store{Dir: filepath.Join(state, "events.2")}).Files()
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		if err := os.Truncate(f, 100); err != nil {
			t.Fatal(err)
		}
	}
	for p := range 3 {
		c.ProduceAt(t, "events", p, 2_000_000, fmt.Sprintf(`{"id":"more-%d","x":1,"y":2}`, p))
	}
	call(t, "", slices.Concat(splitFlags(state, "run"), []string{"--until-end", "--http", "off"}, brokers)...).
		want(t, cli.ExitStopped, "", "events.2 holds checkpoints, and none of them is valid")
	for p, want := range []int64{61, 61} {
		v, got := verifyJSON(t, slices.Concat(brokers, []string{"--input", "events", "--state", state, "--label-wait",
			"30s", "--partition", strconv.Itoa(p)})...)
		if got.code != cli.ExitDone || !v.OK || v.Predictions != want {
			t.Errorf("partition %d: %s%s", p, got.stdout, got.stderr)
		}
	}
}
