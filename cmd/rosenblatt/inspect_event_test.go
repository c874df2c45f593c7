package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

// TestInspectEvent: a separator found by hand gives the score and the distance of a point.
func TestInspectEvent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	weights, events, file := filepath.Join(dir, "w"), filepath.Join(dir, "events.jsonl"), filepath.Join(dir, "model")
	for path, text := range map[string]string{weights: `{"bias":-5,"a":3,"b":4}`,
		events: `{"label":1,"a":9,"b":9}` + "\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	call(t, "", "replay", events, "--scale", "none", "--weights", weights, "--out", file).want(t, cli.ExitDone, "", "")
	for _, args := range [][]string{{"--event", `{"a":2,"b":1,"c":7}`}, {"--event", "-"}} {
		args = append([]string{"inspect", file, "--json", "--top", "2"}, args...)
		got := call(t, `{"a":2,"b":1,"c":7}`+"\n", args...)
		got.want(t, cli.ExitDone, "", "")
		var e struct {
			Prediction            int
			Score, Bias, Distance float64
			Contributions         []struct {
				Name         string
				Contribution float64
			}
		}
		if err := json.Unmarshal([]byte(got.stdout), &e); err != nil {
			t.Fatal(err)
		}
		if e.Prediction != 1 || e.Score != 5 || e.Bias != -5 || math.Abs(e.Distance-1) > 1e-12 ||
			len(e.Contributions) != 2 || e.Contributions[0].Name != "a" || e.Contributions[0].Contribution != 6 {
			t.Errorf("%+v", e)
		}
	}
	text := call(t, "", "inspect", file, "--event", `{"a":2,"b":1}`)
	text.want(t, cli.ExitDone, "distance    1, |w·x + b|/‖w‖", "")
	if strings.Contains(text.stdout, "checkpoint") {
		t.Error(text.stdout)
	}
	call(t, "", "inspect", file, "--event", `{"a":`).want(t, cli.ExitFailed, "", "the event would be rejected: ")
}

// TestInspectPrintable: a name with a line end, a tab or an escape stays on its line, in weights and contributions.
func TestInspectPrintable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	events, file := filepath.Join(dir, "events.jsonl"), filepath.Join(dir, "model")
	value := `{"label":0,"t":"line\nbreak\t\u001b[31m"}`
	if err := os.WriteFile(events, []byte(value+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	call(t, "", "replay", events, "--out", file).want(t, cli.ExitDone, "", "")
	for _, args := range [][]string{nil, {"--event", value}} {
		got := call(t, "", append([]string{"inspect", file}, args...)...)
		got.want(t, cli.ExitDone, "\nt=line break \uFFFD[31m  ", "")
		if strings.Contains(got.stdout, "\x1b") {
			t.Errorf("%v: %q", args, got.stdout)
		}
	}
}
