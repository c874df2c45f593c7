package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/topics"
)

// classified trains a learner on n events of so many classes, whose names are hostile where they are few, and reports
// it.
func classified(t *testing.T, name, scheme string, classes, n int) replay.Scored {
	t.Helper()
	o := event.Defaults(event.JSON)
	o.Task, o.Bits = event.Multiclass, 8
	spec := learner.Spec{Bits: o.Bits}
	if err := learner.ParseLearner(name, &spec); err != nil {
		t.Fatal(err)
	}
	p, err := model.NewProcessor(model.Config{Learner: spec, Decode: o, Multiclass: scheme})
	if err != nil {
		t.Fatal(err)
	}
	d, err := event.New(o)
	if err != nil {
		t.Fatal(err)
	}
	s := replay.Scored{Name: name, Processor: p, Predictions: int64(n)}
	for i := range n {
		class := i * i % classes
		label := fmt.Sprintf("%q", fmt.Sprintf("<b>class %d</b>", class))
		if class%2 == 0 {
			label = fmt.Sprint(class)
		}
		r := topics.Record{Value: fmt.Appendf(nil, `{"label":%s,"features":{"f%d":1,"g":%d}}`, label, class, i%3)}
		var e event.Example
		x := d.Decode(&r, nil, &e)
		out, rejected := p.Predict(&e, x)
		if rejected != nil {
			t.Fatal(rejected)
		}
		p.Learn(&r, out)
		if (i+1)%100 == 0 {
			s.Curve = append(s.Curve, p.Report())
		}
	}
	s.Report = p.Report()
	return s
}

func classReport(t *testing.T, classes, n int) *Report {
	t.Helper()
	first, second := classified(t, "logistic", learner.OVA, classes, n),
		classified(t, "perceptron", learner.OVO, classes, n)
	first.Calibration = []replay.Bin{{Examples: 10, Positives: 1, Probability: 0.05}}
	return New(&replay.Result{Records: int64(n), Passes: 1, Learners: []replay.Scored{first, second}},
		About{Source: "flowers", Command: "rosenblatt replay flowers", Took: time.Second})
}

// classDocument is what the JSON of several classes holds, as far as tests look at it.
type classDocument struct {
	Baselines []struct {
		Name     string
		Mistakes int64
	}
	Learners []classDocumentRow
}

type classDocumentRow struct {
	Name, Scheme      string
	Examples          int64
	Mistakes, Updates int64
	LogLoss           float64
	Last, Fading      map[string]float64
	Confusion         []struct {
		Label, Prediction *string
		Count             float64
	}
	Classes []struct {
		Class              string
		Examples, Answered float64
		Precision, Recall  float64
		Top                []learner.NamedWeight

		Last, Last10000, Fading map[string]float64
	}
	Baselines any
}

// The JSON has the shape of two labels, with a confusion and weights by class.
func TestClassesJSON(t *testing.T) {
	var d classDocument
	text := written(t, classReport(t, 5, 3000).JSON) // squares modulo 5: classes 0, 1 and 4
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Baselines) != 2 || d.Baselines[0].Name != "no-change" || d.Baselines[0].Mistakes == 0 ||
		len(d.Learners) != 2 || strings.Contains(text, "truePositive") {
		t.Fatal(text)
	}
	for _, l := range d.Learners {
		l.check(t)
	}
}

// The text and the CSV have what the JSON has of each class, and the means.
func TestClassesText(t *testing.T) {
	r := classReport(t, 5, 3000)
	table := lines(written(t, r.Table))
	rows, err := csv.NewReader(strings.NewReader(written(t, r.Curves))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	byClass := map[string][]string{}
	for _, row := range rows[1:] {
		if at(row, "class") != "" {
			byClass[row[0]+" "+at(row, "class")] = row
		}
	}
	for i := range r.Learners {
		l := &r.Learners[i]
		figures := func(name string, n float64, of ...metrics.Optional) {
			want := fmt.Sprintf("%s %.0f %.4f %.4f %.4f", name, n, of[0].Value(), of[1].Value(), of[2].Value())
			if !slices.Contains(table, want) {
				t.Errorf("%s: no line %q in %q", l.Name, want, table)
			}
		}
		figures("macro mean", 3000, l.Precision, l.Recall, l.F1)
		figures("weighted mean", 3000, l.WeightedPrecision, l.WeightedRecall, l.WeightedF1)
		for j := range l.Classes {
			c, row := &l.Classes[j], byClass[l.Name+" "+l.Classes[j].Name]
			figures(c.Name, c.Labelled, c.Precision(), c.Recall(), c.F1())
			last := c.Scopes[1].Figures()
			if row == nil || row[1] != fmt.Sprint(c.Labelled) || row[2] != fmt.Sprint(c.Labelled-c.Right) ||
				at(row, "precision") != fmt.Sprint(c.Precision().Value()) ||
				at(row, "f1") != fmt.Sprint(c.F1().Value()) ||
				at(row, "last_recall") != fmt.Sprint(last.Recall.Value()) ||
				at(row, "last_support") != fmt.Sprint(last.Support) || at(row, "support") != row[1] {
				t.Errorf("%s %s: row %q of %+v", l.Name, c.Name, row, c)
			}
		}
	}
	if many := written(t, classReport(t, 97, 900).Table); strings.Count(many, "\n") > 80 ||
		!strings.Contains(many, "classes with fewer examples: --json and --csv have all") {
		t.Errorf("of many classes:\n%s", many)
	}
}

// lines are those of a table, without what aligns them.
func lines(text string) (out []string) {
	for line := range strings.Lines(text) {
		out = append(out, strings.Join(strings.Fields(line), " "))
	}
	return out
}

// check compares what is counted in several places.
func (l *classDocumentRow) check(t *testing.T) {
	t.Helper()
	counts, right := map[string]float64{}, map[string]float64{}
	wrong, all := 0.0, 0.0
	for _, c := range l.Confusion {
		all += c.Count
		if c.Label == nil || c.Prediction == nil || *c.Label != *c.Prediction {
			wrong += c.Count
		} else {
			right[*c.Label] += c.Count
		}
		counts[*c.Label] += c.Count
	}
	if int64(all) != l.Examples || int64(wrong) != l.Mistakes || l.Baselines != nil || l.Updates == 0 ||
		l.Last["accuracy"] == 0 || l.Fading["kappa"] == 0 {
		t.Errorf("%+v", l)
	}
	if names := []string{l.Classes[0].Class, l.Classes[1].Class, l.Classes[2].Class}; len(l.Classes) != 3 ||
		strings.Join(names, " ") != "0 4 <b>class 1</b>" {
		t.Errorf("classes %q", names)
	}
	for _, c := range l.Classes {
		if last := c.Last["recall"]; c.Last["support"] == 0 || c.Fading["precision"] == 0 || last == 0 ||
			c.Last10000["support"] != c.Examples || c.Last10000["recall"] != c.Recall {
			t.Errorf("%s: scopes of %+v", l.Name, c)
		}
		if c.Examples != counts[c.Class] || math.Abs(c.Recall-right[c.Class]/c.Examples) > 1e-12 ||
			math.Abs(c.Precision-right[c.Class]/c.Answered) > 1e-12 || len(c.Top) == 0 {
			t.Errorf("%s: %+v", l.Name, c)
		}
	}
	if (l.LogLoss > 0) != (l.Name == "logistic") || l.Scheme == "" {
		t.Errorf("%s %s: log-loss %v", l.Name, l.Scheme, l.LogLoss)
	}
}

// The table of several classes has no AUC, and a log-loss where there is one.
func TestClassesTable(t *testing.T) {
	got := written(t, classReport(t, 5, 3000).Table)
	lines := strings.Split(got, "\n")
	if strings.Contains(got, "AUC") || !strings.HasSuffix(strings.TrimSpace(lines[0]), "log-loss") ||
		!strings.HasSuffix(strings.TrimSpace(lines[3]), "-") {
		t.Error(got)
	}
	for i := 1; i < 5; i++ {
		if len(lines[i]) != len(lines[0]) {
			t.Errorf("row %d is not aligned:\n%s", i, got)
		}
	}
}

// Few classes have a matrix with their names, many a picture and lists that end somewhere; names are text, not markup.
func TestClassesPage(t *testing.T) {
	few := written(t, classReport(t, 5, 3000).HTML)
	for _, want := range []string{`<table class="confusion">`, "&lt;b&gt;class 1&lt;/b&gt;", "Most frequent mistakes",
		"(no class)", "3 classes, ovo", "how often the prediction was correct", "log-loss", "<summary>4</summary>"} {
		if !strings.Contains(strings.ToLower(few), strings.ToLower(want)) {
			t.Errorf("the page lacks %s", want)
		}
	}
	many := written(t, classReport(t, 199, 600).HTML)
	for _, want := range []string{`aria-label="Confusion of 100 classes"`, "Of the 24 classes with most examples"} {
		if !strings.Contains(many, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, page := range []string{few, many} {
		if strings.Contains(page, "<b>") || strings.Contains(page, "ZgotmplZ") || strings.Contains(page, "AUC") ||
			strings.Contains(page, "NaN") {
			t.Error("the page holds what it should not")
		}
		nodes(t, page)
	}
	if strings.Contains(many, `<table class="confusion">`) || strings.Contains(few, "Confusion of") {
		t.Error("a matrix of many classes, or a picture of few")
	}
	if n := strings.Count(many, "<details>"); n != 2*mostWeighed+1 { // and the table of the calibration
		t.Errorf("the weights of %d classes", n)
	}
}

func TestByName(t *testing.T) {
	for _, c := range [][2]string{{"2", "10"}, {"10", "a"}, {"a", "b"}, {"1", "1.0"}, {"-1", "0"}, {"7", "nan"}} {
		if byName(c[0], c[1]) >= 0 || byName(c[1], c[0]) <= 0 {
			t.Errorf("%s does not come before %s", c[0], c[1])
		}
	}
}

// A matrix before any class is known, and one of nothing, can be shown.
func TestNoClasses(t *testing.T) {
	for _, n := range []int{0, 1} {
		s := classified(t, "perceptron", learner.Direct, 5, n)
		r := New(&replay.Result{Passes: 1, Learners: []replay.Scored{s}}, About{Source: "x"})
		if page := written(t, r.HTML); strings.Contains(page, "NaN") {
			t.Errorf("%d: NaN", n)
		}
		written(t, r.JSON)
		written(t, r.Table)
	}
}
