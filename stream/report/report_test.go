package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"rosenblatt/learner"
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/replay"
)

// scored makes a score of n examples of which a share is right, with its curve.
func scored(n int, right float64, seed uint64) (metrics.Report, []metrics.Report) {
	r := rand.New(rand.NewPCG(seed, 4))
	var s metrics.Binary
	var curve []metrics.Report
	for i := range n {
		label := int8(1)
		if r.IntN(3) == 0 {
			label = -1
		}
		prediction := label
		if r.Float64() > right {
			prediction = -label
		}
		s.Add(prediction, label, float64(prediction)*r.Float64(), prediction != label)
		if (i+1)%50 == 0 {
			curve = append(curve, s.Report())
		}
	}
	return s.Report(), curve
}

// sample is a report of this many learners.
func sample(learners int) *Report {
	r := &Report{
		About: About{Source: "a<b.csv", Command: "rosenblatt replay 'a<b.csv'", Took: 1500 * time.Millisecond,
			Labels: [2]string{"DOWN", "UP"}},
		Examples: 2000, Records: 2003, Passes: 1, Rejected: map[event.Reason]int64{event.Syntax: 2, event.BadLabel: 1},
		Rejects: []*replay.Rejected{{Where: "a<b.csv:17", Column: 5, Reason: event.Syntax, Text: "a comma is wanted"}},
	}
	for i := range learners {
		report, curve := scored(2000, 0.95-float64(i)/50, 1)
		report.Name = fmt.Sprintf("learner%d:C=1,<x>", i)
		l := Learner{Report: report, Curve: curve, Rejected: r.Rejected, Bias: 0.5,
			Top: []learner.NamedWeight{{Name: "price", Weight: 2.5}, {Name: "<script>", Weight: -1.25, Shared: true}}}
		r.Learners = append(r.Learners, l)
		r.Baselines = report.Baselines
	}
	r.Learners[0].Calibration = []replay.Bin{{Examples: 10, Positives: 1, Probability: 0.05}, {},
		{Examples: 30, Positives: 10, Probability: 0.25}}
	return r
}

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTable(t *testing.T) {
	got := written(t, sample(2).Table)
	lines := strings.Split(got, "\n")
	if len(lines) != 9 || !strings.Contains(lines[0], "learner") || !strings.Contains(lines[1], "learner0") ||
		!strings.Contains(lines[3], "no-change") {
		t.Fatal(got)
	}
	for i := 1; i < 5; i++ {
		if len(lines[i]) != len(lines[0]) {
			t.Errorf("row %d is not aligned:\n%s", i, got)
		}
	}
	if lines[5] != "learner0:C=1,<x>: label DOWN: 32 of 662 wrong, label UP: 61 of 1338 wrong" {
		t.Error(lines[5])
	}
	if lines[7] != "rejected 3 of 2003: syntax 2, bad-label 1" {
		t.Error(lines[7])
	}
}

// The best learner stands first, whatever the order in which they were given.
func TestBestFirst(t *testing.T) {
	good, _ := scored(500, 0.9, 1)
	bad, _ := scored(500, 0.6, 1)
	if good.Accuracy.Value() <= bad.Accuracy.Value() {
		t.Fatal("the sample is no sample")
	}
	r := New(&replay.Result{Records: 500, Passes: 1, Learners: []replay.Scored{
		{Name: "bad", Predictions: 500, Report: bad, Processor: untrained(t)},
		{Name: "good", Predictions: 500, Report: good, Processor: untrained(t)},
	}}, About{Source: "x"})
	if r.Learners[0].Name != "good" || r.Learners[1].Name != "bad" || r.Examples != 500 || len(r.Baselines) != 2 {
		t.Errorf("%+v", r)
	}
}

// The JSON has the shape that cmd/rosenblatt/docs/training.md, "Reports", shows.
func TestJSON(t *testing.T) {
	var d struct {
		Source    string
		Examples  int64
		Rejected  map[string]int64
		Baselines []map[string]any
		Learners  []map[string]any
	}
	text := written(t, sample(2).JSON)
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	if d.Source != "a<b.csv" || d.Examples != 2000 || d.Rejected["bad-label"] != 1 || len(d.Baselines) != 2 ||
		len(d.Learners) != 2 {
		t.Fatalf("%+v", d)
	}
	for _, l := range d.Learners {
		for _, field := range []string{"name", "examples", "mistakes", "updates", "accuracy", "last", "fading", "kappa",
			"confusion", "rocAuc", "top", "bias", "rejected"} {
			if l[field] == nil {
				t.Errorf("a learner has no %s", field)
			}
		}
		if l["baselines"] != nil {
			t.Error("a learner has baselines of its own")
		}
	}
	for _, b := range d.Baselines {
		for _, field := range []string{"name", "examples", "mistakes", "accuracy"} {
			if b[field] == nil {
				t.Errorf("a baseline has no %s", field)
			}
		}
	}
	if d.Learners[0]["name"] != "learner0:C=1,<x>" || !strings.Contains(text, "learner0:C=1,<x>") {
		t.Error("a name is not as given")
	}
}

func TestCurves(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(written(t, sample(2).Curves))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head := []string{"learner", "examples", "mistakes"}
	for _, scope := range []string{"", "last_", "last10000_", "fading_"} {
		for _, c := range metrics.Columns {
			head = append(head, scope+c.Name)
		}
	}
	if !slices.Equal(rows[0], head) {
		t.Error(rows[0])
	}
	at := func(row []string, name string) string { return row[slices.Index(head, name)] }
	if r := rows[40]; at(r, "last_true_positives") == "" || at(r, "average_precision") == "" ||
		at(r, "log_loss") != "" || at(r, "fading_roc_auc") != "" || at(r, "last10000_precision") != at(r, "precision") {
		t.Error(r)
	}
	if len(rows) != 1+4*40 {
		t.Errorf("%d rows, want 40 of each of two learners and two baselines", len(rows))
	}
	if last := rows[len(rows)-1]; last[0] != "majority" || last[1] != "2000" {
		t.Error(last)
	}
}

// nodes lists all elements of a page.
func nodes(t *testing.T, page string) (all []*html.Node) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			all = append(all, n)
		}
	}
	return all
}

// The page is one file: it parses, holds its pictures, has no script and names nothing outside of itself.
func TestPageIsSelfContained(t *testing.T) {
	page := written(t, sample(11).HTML)
	counts := map[string]int{}
	for _, n := range nodes(t, page) {
		counts[n.Data]++
		for _, a := range n.Attr {
			switch {
			case a.Key == "href" && a.Val == "data:,": // no icon is fetched
			case a.Key == "src", a.Key == "href", a.Key == "srcset", a.Key == "data", a.Key == "action",
				strings.HasPrefix(a.Key, "on"):
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	for _, element := range []string{"script", "img", "iframe", "object", "embed", "form", "base"} {
		if counts[element] > 0 {
			t.Errorf("%d <%s>", counts[element], element)
		}
	}
	if counts["svg"] != 2+1+13 || counts["section"] != 1+4+11+1 || counts["path"] < 20 || counts["text"] < 10 {
		t.Errorf("%v", counts)
	}
	if bad := regexp.MustCompile(`(?i)https?:|url\(|@import|ZgotmplZ|//[a-z]`).FindString(page); bad != "" {
		t.Errorf("the page holds %q", bad)
	}
	if left := svgColor.FindString(page); left != "" {
		t.Errorf("a picture has the colour %s", left)
	}
	for _, want := range []string{"&lt;script&gt;", "rosenblatt replay &#39;a&lt;b.csv&#39;",
		"a&lt;b.csv:17:5: syntax: a comma is wanted", "label UP", "predicted DOWN", "and 2 more", "var(--hue0)",
		"var(--hue6)"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// A report of next to nothing can be shown too.
func TestEmptyPage(t *testing.T) {
	r := New(&replay.Result{Passes: 1, Learners: []replay.Scored{{Name: "a", Processor: untrained(t),
		Report: new(metrics.Binary).Report()}}}, About{Source: "empty.csv"})
	for _, write := range []func(io.Writer) error{r.HTML, r.Table, r.JSON, r.Curves} {
		if got := written(t, write); got == "" || strings.Contains(got, "NaN") {
			t.Error(got)
		}
	}
}

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		most      int
		want      string
	}{
		{0, 45312, 9, "0 10,000 20,000 30,000 40,000"},
		{0, 45312, 4, "0 20,000 40,000"},
		{0, 7, 9, "0 1 2 3 4 5 6 7"},
		{0, 1, 3, "0 1"},
		{0, 0, 3, "0"},
	} {
		var got []string
		for _, m := range (marks{c.most, 1, whole}).Ticks(c.low, c.high) {
			got = append(got, m.Label)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v to %v: %v, want %s", c.low, c.high, got, c.want)
		}
	}
}

func TestPercentMarks(t *testing.T) {
	var got []string
	for _, m := range (marks{6, 0, percent}).Ticks(0, 0.2) {
		got = append(got, m.Label)
	}
	if want := "0 % 5 % 10 % 15 % 20 %"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The progress table has a row for each call, with what was right since the row before.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, []string{"perceptron", "a-very-long-name-of-a-learner:C=1"}, make([]decision.Rule, 2))
	var s metrics.Binary
	for n := int64(1); n <= 4; n *= 2 {
		for s.Examples() < n {
			prediction := int8(1)
			if s.Examples() == 1 {
				prediction = -1
			}
			s.Add(prediction, 1, 1, false)
		}
		p.Row(n, []metrics.Report{s.Report(), s.Report()})
	}
	want := `accuracy in %, so far and since the row before
  examples      no-change       majority     perceptron  a-very-long-name-of…
         1  100.00 100.00  100.00 100.00  100.00 100.00         100.00 100.00
         2  100.00 100.00  100.00 100.00   50.00   0.00          50.00   0.00
         4  100.00 100.00  100.00 100.00   75.00 100.00          75.00 100.00
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestMain(m *testing.M) {
	if folder := os.Getenv("ROSENBLATT_SAMPLE_PAGE"); folder != "" { // to look at the page
		f, err := os.Create(filepath.Join(folder, "sample.html"))
		if err == nil {
			err = sample(11).HTML(f)
		}
		if err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
