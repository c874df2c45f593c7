package report

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/replay"
)

// alarming scores 1,000 examples, one in fifty positive. Positives have scores from -1 to 1, others from -3 to above 0
// by how many are false alarms.
func alarming(alarms int) (*metrics.Binary, metrics.Report) {
	var s metrics.Binary
	for i := range 1000 {
		label, score := int8(-1), -3+float64(i%100)/50
		switch {
		case i%50 == 0:
			label, score = 1, float64(i%100)/50+float64(i)/1000-1.5
		case i%50 < alarms:
			score = 0.25
		}
		prediction := int8(1)
		if score < 0 {
			prediction = -1
		}
		s.Add(prediction, label, score, false)
	}
	return &s, s.Report()
}

// TestCostOfLearners: with a cost results have what 1,000 examples cost, beside never and always predicting the label,
// and learners are sorted by it; without one, of a rare label by average precision, although accuracy says otherwise.
func TestCostOfLearners(t *testing.T) {
	var learners []replay.Scored
	for name, alarms := range map[string]int{"quiet": 0, "loud": 10} {
		_, report := alarming(alarms)
		learners = append(learners, replay.Scored{Name: name, Report: report, Processor: untrained(t)})
	}
	r := New(&replay.Result{Learners: learners, Passes: 1}, About{Labels: [2]string{"fine", "fraud"},
		Cost: &metrics.Cost{FalsePositive: 1, FalseNegative: 20}})
	if r.Learners[0].Name != "quiet" {
		t.Errorf("the cheapest is %s", r.Learners[0].Name)
	}
	for i := range r.Learners {
		s, _ := alarming(10 * i)
		r.Learners[i].SetCuts(s.Cuts(), *r.Cost)
	}
	c := &r.Learners[0].Confusion
	cost := c.FalsePositive + 20*c.FalseNegative
	text := written(t, r.Table)
	rows := strings.Split(text, "\n")
	for row, want := range []string{" cost ", "  " + costText(metrics.Known(cost)) + " "} {
		if !strings.Contains(rows[row], want) {
			t.Errorf("no %q in %s", want, rows[row])
		}
	}
	want := "cost is that of 1,000 examples, a false fraud at 1 and a missed one at 20: never predicting it costs " +
		"400.0, always 980.0\nlowest of one cut for all examples: quiet from a score of "
	if !strings.Contains(text, want) {
		t.Errorf("no %q in %s", want, text)
	}
	var d struct {
		Learners []struct {
			Cost struct {
				FalseNegative, Published, Never, Always, Lowest float64
				Cut                                             *metrics.Cut
			}
		}
	}
	if err := json.Unmarshal([]byte(written(t, r.JSON)), &d); err != nil {
		t.Fatal(err)
	}
	if x := d.Learners[0].Cost; x.Published != cost || x.Never != 400 || x.Always != 980 || x.FalseNegative != 20 ||
		x.Cut == nil || x.Lowest > cost || x.Lowest <= 0 {
		t.Errorf("%+v", x)
	}
	if page := written(t, r.HTML); !strings.Contains(page, "a missed one 20. Lowest, marked") ||
		strings.Contains(page, "--cost") {
		t.Error("the page says nothing of the cost, or does not know that it was given")
	}
}

// TestLowestCostOfEach: below the table is the lowest cost that any cut of each learner reaches, also between two
// points of the curve.
func TestLowestCostOfEach(t *testing.T) {
	cost := metrics.Cost{FalsePositive: 1, FalseNegative: 2}
	r := withPositives(20)
	r.Cost = &cost
	for range mostLowest {
		r.Learners = append(r.Learners, r.Learners[0])
	}
	missed := 0
	for i := range r.Learners {
		var s metrics.Binary
		random := rand.New(rand.NewPCG(uint64(i), 1))
		for range 4000 {
			label := int8(2*random.IntN(2) - 1)
			s.Add(1, label, random.NormFloat64()+float64(label), false)
		}
		report := s.Report()
		l := &r.Learners[i]
		l.Name, l.Confusion, l.Positives = fmt.Sprint("l", i), report.Confusion, report.Positives
		l.SetCuts(s.Cuts(), cost)
		few, lowest := math.Inf(1), math.Inf(1)
		for _, c := range s.Cuts() {
			lowest = min(lowest, cost.At(&c, l.Positives.Value()))
		}
		for _, c := range l.Cuts {
			few = min(few, cost.At(&c, l.Positives.Value()))
		}
		if few > lowest {
			missed++
		}
		if got := r.costsOf(l); got.Lowest != 1000*lowest {
			t.Errorf("%s: lowest %v, want %v, of the curve's points %v", l.Name, got.Lowest, 1000*lowest, 1000*few)
		}
		want := fmt.Sprintf(" %s from a score of %s on, %.1f", l.Name, short(l.Cheapest.Score), 1000*lowest)
		if got := r.costNote(); strings.Contains(got, want) != (i < mostLowest) {
			t.Errorf("%q in %s", want, got)
		}
	}
	if missed < mostLowest/2 {
		t.Errorf("the points of the curve have the lowest cost of all but %d", missed)
	}
}

// TestOrderOfARareLabel: the learner of higher average precision is the better one, whatever its accuracy.
func TestOrderOfARareLabel(t *testing.T) {
	for _, last := range []bool{false, true} {
		var learners []replay.Scored
		for _, name := range []string{"accurate", "finds"} {
			_, report := alarming(0)
			for _, scope := range metrics.Scopes {
				f := scope.Of(&report.Row)
				f.Accuracy, f.AveragePrecision = metrics.Known(0.99), metrics.Known(0.2)
				if name == "finds" {
					f.Accuracy, f.AveragePrecision = metrics.Known(0.98), metrics.Known(0.7)
				}
			}
			learners = append(learners, replay.Scored{Name: name, Report: report, Processor: untrained(t)})
		}
		r := New(&replay.Result{Learners: learners, Passes: 1}, About{SortByLast: last})
		if r.Learners[0].Name != "finds" {
			t.Errorf("last %t: the best is %s", last, r.Learners[0].Name)
		}
	}
}

// TestRarePageLeads: of a rare label the page's curves are of average precision beside chance, and its tables begin
// with it.
func TestRarePageLeads(t *testing.T) {
	for positives, rare := range map[int]bool{20: true, 500: false} {
		r := withPositives(positives)
		l := &r.Learners[0]
		l.Curve = []metrics.Report{l.Report, l.Report}
		page := written(t, r.HTML)
		if strings.Contains(page, "<h2>Average precision over the last 10,000 examples</h2>") != rare ||
			strings.Contains(page, "<h2>Accuracy over the last 1,000 examples</h2>") == rare ||
			strings.Contains(page, "</svg> chance: the share of positives</li>") != rare ||
			strings.Contains(page, "<th>learner</th><th>mistakes</th><th>AP</th><th>positives</th>") != rare {
			t.Errorf("%d positives: %.3000s", positives, page)
		}
	}
}

// TestCutOverTime: the page draws it where a rule has one, also where it never moved, and the JSON has the points.
func TestCutOverTime(t *testing.T) {
	for _, points := range [][]replay.Threshold{nil, {{Examples: 10, Score: -3}},
		{{Examples: 10, Score: -3}, {Examples: 20, Score: -3}}, {{Examples: 10, Score: 1}, {Examples: 20, Score: -3}}} {
		r := withPositives(20)
		s, _ := alarming(5)
		r.Learners[0].SetCuts(s.Cuts(), r.costOrOne())
		r.Learners[0].Thresholds = points
		page, text := written(t, r.HTML), written(t, r.JSON)
		if strings.Contains(page, "<h3>Cut over time</h3>") != (len(points) > 1) || strings.Contains(page, "NaN") ||
			strings.Count(text, `"score": -3`) < len(points)/2 ||
			strings.Contains(text, "thresholds") != (points != nil) {
			t.Errorf("%v: %.200s", points, page)
		}
	}
}
