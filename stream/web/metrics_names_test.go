package web

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rosenblatt/stream"
)

// exported lists what a scrape can bring: true for a family's own name, false for the parts of a histogram.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	task := newTask(t)
	task.status.Recovered = stream.Recovery{Predictions: 1, Done: 1, Total: 2}
	task.status.Score.LogLoss = 0.5
	s, _ := newServer(task)
	families, err := registry(t, s).Gather()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range families {
		names[f.GetName()] = true
		if f.GetType().String() == "HISTOGRAM" {
			for _, part := range []string{"_bucket", "_sum", "_count"} {
				names[f.GetName()+part] = false
			}
		}
	}
	return names
}

const (
	guide   = "../../cmd/rosenblatt/README.md"
	renamed = "\n## Renamed"
)

var metricName = regexp.MustCompile(`\brosenblatt_[a-z0-9_]+`)

// TestMetricsThatAreNamedAreExported: the operator's guide, dashboards and alert rules name only what there is.
func TestMetricsThatAreNamedAreExported(t *testing.T) {
	names, seen := exported(t), 0
	check := func(path string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		now, _, _ := strings.Cut(string(text), renamed)
		for _, name := range metricName.FindAllString(now, -1) {
			seen++
			if _, ok := names[name]; !ok {
				t.Errorf("%s names %s, which is not exported", path, name)
			}
		}
	}
	check(guide)
	err := filepath.WalkDir("../../cmd/rosenblatt/monitoring", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			check(path)
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if seen < len(allMetrics) {
		t.Errorf("only %d names were found", seen)
	}
}

// TestMetricsAreDocumented: the operator's guide has a table of them all.
func TestMetricsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "\n| metric |")
	table, _, _ = strings.Cut(table, "\n\n")
	if !ok {
		t.Fatal("the guide has no table of metrics")
	}
	in := map[string]bool{}
	for _, name := range metricName.FindAllString(table, -1) {
		in[name] = true
	}
	for name, own := range exported(t) {
		if own && !in[name] {
			t.Errorf("%s is not in the operator's guide", name)
		}
	}
}

// TestRenamedMetrics: the guide's table of renamed names has old ones, which are gone, and new ones, which are
// exported.
func TestRenamedMetrics(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), renamed)
	names, rows := exported(t), 0
	for row := range strings.Lines(table) {
		m := metricName.FindAllString(row, -1)
		if len(m) == 0 {
			continue
		}
		rows++
		if len(m) != 2 || names[m[0]] || !names[m[1]] {
			t.Errorf("%q: the old name is exported, or the new one is not", row)
		}
	}
	if rows < 6 {
		t.Errorf("only %d metrics", rows)
	}
}
