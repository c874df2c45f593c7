package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

// turning writes events of which the label turns round at half.
func turning(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("x,label\n")
	for i := range 12_000 {
		x := i * 7919 % 100
		fmt.Fprintf(&text, "%d,%t\n", x, (x < 50) != (i >= 6000))
	}
	return write(t, "turn.csv", text.String())
}

// TestReplayDrifts: the JSON lists the drifts of each learner, the table names them, and the page marks the curve. A
// learner that does not forget is better with a reset.
func TestReplayDrifts(t *testing.T) {
	t.Parallel()
	path, page := turning(t), filepath.Join(t.TempDir(), "r.html")
	type learner struct {
		Name     string
		Accuracy float64
		Drift    *struct {
			Rule    string
			Drifts  int
			Changes int
			List    []struct {
				Example int
				Reset   bool
			}
		}
	}
	replayed := func(args ...string) map[string]learner {
		t.Helper()
		var r struct{ Learners []learner }
		out := call(t, "", append([]string{"replay", path, "--json", "-"}, args...)...)
		if err := json.Unmarshal([]byte(out.stdout), &r); err != nil {
			t.Fatal(err, out)
		}
		by := map[string]learner{}
		for _, l := range r.Learners {
			by[l.Name] = l
		}
		return by
	}
	plain := replayed("--learner", "arow averaged", "--report", page)
	reset := replayed("--learner", "arow averaged", "--on-drift", "reset")
	for _, name := range []string{"arow", "averaged"} {
		is := plain[name].Drift
		if is == nil || is.Drifts != 1 || is.List[0].Example < 6000 || is.List[0].Example > 6600 || is.List[0].Reset {
			t.Errorf("%s: %+v", name, is)
		}
		if got := reset[name]; got.Drift.Drifts != 1 || !got.Drift.List[0].Reset ||
			got.Accuracy < plain[name].Accuracy+0.02 {
			t.Errorf("%s with a reset: %+v, without %+v", name, got, plain[name])
		}
	}
	if none := replayed("--drift", "none"); none["perceptron"].Drift != nil {
		t.Errorf("%+v", none)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "<h3>Drifts</h3>"); n != 2 || !strings.Contains(string(text), "> drift</li>") {
		t.Errorf("%d tables of drifts", n)
	}
	table := call(t, "", "replay", path, "--learner", "arow").stdout
	if !slices.ContainsFunc(strings.Split(table, "\n"), func(l string) bool {
		return strings.HasPrefix(l, "arow: 1 drift, at example 6,")
	}) {
		t.Error(table)
	}
	for _, args := range [][2]string{{"--drift=ddm", "want adwin or none"}, {"--drift=adwin:of=cost", "needs decide"},
		{"--on-drift=restart", "want none or reset"}} {
		call(t, "", "replay", path, args[0]).want(t, cli.ExitUsage, "", args[1])
	}
}
