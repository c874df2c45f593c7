package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"go.yaml.in/yaml/v3"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

const monitoring = "monitoring"

// rule is one of rules.yml.
type rule struct {
	Alert, Expr, For    string
	Labels, Annotations map[string]string
}

func rules(t *testing.T) (all []rule) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(monitoring, "rules.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Groups []struct{ Rules []rule } }
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	return all
}

// panel is one of the dashboard's.
type panel struct {
	Title, Type string
	GridPos     struct{ X, Y, W, H int }
	Targets     []struct{ Expr, LegendFormat string }
	FieldConfig struct{ Defaults struct{ Unit string } }
}

func dashboard(t *testing.T) (panels []panel, text string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(monitoring, "grafana", "rosenblatt.json"))
	if err != nil {
		t.Fatal(err)
	}
	var d struct{ Panels []panel }
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	return d.Panels, string(raw)
}

// exported are the names, and the names with each label, of what a daemon with later labels exports after a few events,
// one of them rejected, and a recovery: the newest checkpoint is lost, so there is something to learn again.
func exported(t *testing.T) (names map[string]bool) {
	t.Helper()
	wholeProgram(t)
	k := broker(t, kfake.SeedTopics(1, "events", "labels"))
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	call(t, "{\"label\":1,\"x\":1}\n{\"label\":0,\"x\":2}\nbroken\n", "produce", "-", "--format", "json", "--brokers",
		k, "--topic", "events").want(t, cli.ExitDone, "3 events", "")
	state := t.TempDir()
	var text, all string
	for _, recovered := range []string{"0", "2"} {
		p := launch(t, path, "run", "--brokers", k, "--input", "events", "--state", state, "--create-topics", "--bits",
			"8", "--learner", "logistic", "--labels", "labels", "--http", "127.0.0.1:0")
		streamtest.Await(t, "the daemon has predicted", func() bool {
			body, _ := p.page(t, "metrics")
			text = string(body)
			return strings.Contains(text, "\nrosenblatt_predictions_total 2\n") &&
				(recovered != "0" || strings.Contains(text, "\nrosenblatt_field_alerting{")) &&
				strings.Contains(text, "\nrosenblatt_checkpoint_seq 2\n")
		})
		all += text
		p.tail() // it ends
		if !strings.Contains(text, "\nrosenblatt_recovery_predictions "+recovered+"\n") {
			t.Fatalf("want %s predictions learned again, %s:\n%s\n%s", recovered,
				listing(t, filepath.Join(state, "events")), p.log, text)
		}
		if err := os.Remove(filepath.Join(state, "events", "checkpoint-2")); err != nil {
			t.Fatal(err)
		}
	}
	names = map[string]bool{}
	label := regexp.MustCompile(`([a-z_]+)="`)
	for line := range strings.Lines(all) {
		name := regexp.MustCompile(`^[a-z_0-9]+`).FindString(line)
		names[name] = name != ""
		if _, labels, found := strings.Cut(line, "{"); found {
			for _, l := range label.FindAllStringSubmatch(labels[:strings.LastIndex(labels, "}")], -1) {
				names[name+" "+l[1]] = true
			}
		}
	}
	return names
}

// addListed adds what only a stopped model and one with a target exports, from the page of metrics, which is made from
// the code.
func addListed(t *testing.T, names map[string]bool) {
	t.Helper()
	row := regexp.MustCompile("(?m)^\\| `(rosenblatt_(?:stopped|target_ratio|reached_ratio|labels_of_alerts_alone" +
		"|no_positives))(?:\\{([a-z,_]+)\\})?`")
	rows := row.FindAllStringSubmatch(page(t, "cmd/rosenblatt/reference/metrics.md"), -1)
	if len(rows) != 5 {
		t.Fatalf("the page of metrics has %q", rows)
	}
	for _, row := range rows {
		names[row[1]] = true
		for label := range strings.SplitSeq(row[2], ",") {
			names[row[1]+" "+label] = true
		}
	}
}

// used finds the metrics in an expression, with the labels that it selects by.
var used = regexp.MustCompile(`\b((?:rosenblatt|process|go)_[a-z_0-9]+)(?:\{([^}]*)\})?`)

// TestMonitoringNamesAreExported: dashboard and alerts speak of what there is.
func TestMonitoringNamesAreExported(t *testing.T) {
	t.Parallel()
	have := exported(t)
	addListed(t, have)
	uses := map[string]string{}
	for _, r := range rules(t) {
		uses["alert "+r.Alert] = r.Expr + r.Annotations["description"]
	}
	panels, _ := dashboard(t)
	for _, p := range panels {
		for _, target := range p.Targets {
			uses["panel "+p.Title] += target.Expr + "\n"
		}
	}
	count := 0
	for where, text := range uses {
		for _, m := range used.FindAllStringSubmatch(text, -1) {
			count++
			if !have[m[1]] {
				t.Errorf("%s: nothing exports %s", where, m[1])
			}
			for _, l := range regexp.MustCompile(`([a-z_]+)=`).FindAllStringSubmatch(m[2], -1) {
				if l[1] != "job" && l[1] != "instance" && !have[m[1]+" "+l[1]] {
					t.Errorf("%s: %s has no label %s", where, m[1], l[1])
				}
			}
		}
	}
	if count < 40 {
		t.Errorf("only %d names were checked", count)
	}
}

// TestAlertsAreExplained, in the operator's guide, each by its name, and in themselves.
func TestAlertsAreExplained(t *testing.T) {
	t.Parallel()
	text := guide(t)
	var names []string
	for _, r := range rules(t) {
		names = append(names, r.Alert)
		if !strings.Contains(text, "`"+r.Alert+"`") {
			t.Errorf("the guide does not say what to do about %s", r.Alert)
		}
		if r.Annotations["summary"] == "" || r.Annotations["description"] == "" ||
			!slices.Contains([]string{"page", "ticket"}, r.Labels["severity"]) {
			t.Errorf("%s: %+v", r.Alert, r)
		}
	}
	for _, m := range regexp.MustCompile("`(Rosenblatt[A-Z][A-Za-z]+)`").FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			t.Errorf("the guide speaks of %s, which is no alert", m[1])
		}
	}
}

// TestDashboard: panels have a title, a unit and something to show, and do not cover one another.
func TestDashboard(t *testing.T) {
	t.Parallel()
	panels, text := dashboard(t)
	taken := map[[2]int]string{}
	for _, p := range panels {
		if p.Title == "" || p.FieldConfig.Defaults.Unit == "" || len(p.Targets) == 0 ||
			!slices.Contains([]string{"stat", "timeseries"}, p.Type) {
			t.Errorf("%+v", p)
		}
		if p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("%s is beyond the right edge", p.Title)
		}
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" {
					t.Fatalf("%s and %s overlap", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
	}
	for _, want := range []string{`"${source}"`, `job=\"$job\"`, `"schemaVersion"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the dashboard has no %s", want)
		}
	}
}

// TestPromtool: Prometheus itself understands configuration and rules, each alert fires on what it is for and on
// nothing else, and it understands what the dashboard asks.
func TestPromtool(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("there is no promtool here: it comes with Prometheus")
	}
	check := func(args ...string) {
		t.Helper()
		cmd := exec.Command(path, args...)
		if !filepath.IsAbs(args[len(args)-1]) {
			cmd.Dir = monitoring
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %q: %v\n%s", args, err, out)
		}
	}
	check("check", "config", "prometheus.yml")
	check("test", "rules", "rules_test.yml")
	var asked []any
	panels, _ := dashboard(t)
	for i, p := range panels {
		for j, target := range p.Targets {
			asked = append(asked, map[string]string{"record": fmt.Sprintf("panel_%d_%d", i, j),
				"expr": asGrafana(target.Expr)})
		}
	}
	text, err := yaml.Marshal(map[string]any{"groups": []any{map[string]any{"name": "panels", "rules": asked}}})
	if err != nil {
		t.Fatal(err)
	}
	check("check", "rules", write(t, "panels.yml", string(text)))
}
