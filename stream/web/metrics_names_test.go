package web

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"rosenblatt/learner"
	"rosenblatt/learner/decision"
	"rosenblatt/stream/board"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
)

// exportedFamilies is all that a scrape can bring.
func exportedFamilies(t *testing.T) []*dto.MetricFamily {
	t.Helper()
	families, err := everyMetric(t).Gather()
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// everyMetric gathers what a task of two labels exports, and what only one of several classes has.
func everyMetric(t *testing.T) prometheus.Gatherer {
	t.Helper()
	task := newLateTask(t)
	task.status.Fields = changedFields(t)
	task.status.Recovered = board.Recovery{Predictions: 1, Done: 1, Total: 2}
	task.status.Registry, task.status.Shared = true, &board.Shared{}
	task.status.Drift = &model.DriftReport{Drifts: 1, Changes: 2, Window: 3, Mean: 0.5}
	everyFigure(&task.status.Score.Figures)
	task.status.Stop, task.status.Slices = stops.InputGoneAt("events", 0, 1, 2), sliceRows(1)
	task.status.Decision = &model.Decision{Rule: decision.Rule{Kind: decision.Cost, FP: 1, FN: 20}, HasThreshold: true}
	task.status.Learners = twoLearners()
	everyFigure(&task.status.Learners[1].Score.Figures)
	targeted := newTask(t)
	targeted.status.Decision = &model.Decision{Rule: decision.Rule{Kind: decision.Recall, Value: 0.8},
		Cut: decision.CutState{Progress: decision.Progress{Count: 1, Hits: 1, Ring: [16]uint64{1}}}}
	classes := newClasses(t, learner.OVA)
	teach(t, classes)
	throttled := mustServer(task)
	throttled.Throttles = func() []kafka.Throttle {
		return []kafka.Throttle{{Broker: "b1:9092", Request: "Fetch", Total: time.Second}}
	}
	binary, several := gathered(t, throttled), gathered(t, mustServer(classes))
	reaching := gathered(t, mustServer(targeted))
	return prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) {
		families, err := binary.Gather()
		if err != nil {
			return nil, err
		}
		others, err := several.Gather()
		for _, f := range others {
			if strings.HasPrefix(f.GetName(), "rosenblatt_class_") {
				families = append(families, f)
			}
		}
		if err != nil {
			return nil, err
		}
		reached, err := reaching.Gather()
		for _, f := range reached {
			if slices.Contains([]string{"rosenblatt_target_ratio", "rosenblatt_reached_ratio"}, f.GetName()) {
				families = append(families, f)
			}
		}
		slices.SortFunc(families, func(a, b *dto.MetricFamily) int { return cmp.Compare(a.GetName(), b.GetName()) })
		return families, err
	})
}

// exported lists the names: true for a family's own name, false for the parts of a histogram.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, f := range exportedFamilies(t) {
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
	guide     = "../../cmd/rosenblatt/README.md"
	pages     = "../../cmd/rosenblatt/docs"
	reference = "../../cmd/rosenblatt/reference/metrics.md"
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
		for _, name := range metricName.FindAllString(string(text), -1) {
			seen++
			if _, ok := names[name]; !ok {
				t.Errorf("%s names %s, which is not exported", path, name)
			}
		}
	}
	check(guide)
	check(reference)
	for _, folder := range []string{pages, "../../cmd/rosenblatt/monitoring"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				check(path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if seen < len(allMetrics) {
		t.Errorf("only %d names were found", seen)
	}
}

// TestReferenceOfMetrics: the page has them all, as they are exported. ROSENBLATT_UPDATE_GOLDEN writes it.
func TestReferenceOfMetrics(t *testing.T) {
	families := exportedFamilies(t)
	if len(families) != len(allMetrics) {
		t.Errorf("%d metrics are exported, %d are defined", len(families), len(allMetrics))
	}
	var b strings.Builder
	b.WriteString("# Metrics\n\nMade from what `/metrics` exports; the metrics of the process and of the Go runtime" +
		" come with it. The operator's guide has\n[Monitoring](../docs/monitoring.md) and" +
		" [Alerts](../docs/monitoring.md#alerts).\n\n| metric | type | |\n|---|---|---|\n")
	for _, f := range families {
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		name := f.GetName()
		if labels != nil {
			name += "{" + strings.Join(labels, ",") + "}"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, strings.ToLower(f.GetType().String()), f.GetHelp())
	}
	if os.Getenv("ROSENBLATT_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(reference, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if old, err := os.ReadFile(reference); err != nil || string(old) != b.String() {
		t.Errorf("%s is not up to date (%v): set ROSENBLATT_UPDATE_GOLDEN=1 and run this test to write it", reference,
			err)
	}
}
