package report

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner/metrics"
)

// TestBestOfEachColumn: the best of the learners is marked in every column, equal ones alike, baselines never.
func TestBestOfEachColumn(t *testing.T) {
	r := &Report{Learners: make([]Learner, 3), Baselines: []metrics.Row{{Name: "majority", Mistakes: 1}}}
	r.Baselines[0].Last.Accuracy = metrics.Known(0.99)
	for i, accuracy := range []float64{0.81, 0.9, 0.9000001} {
		l := &r.Learners[i]
		l.Last.Accuracy, l.Mistakes = metrics.Known(accuracy), int64(10-i)
		l.Last.RocAUC = metrics.Known(0.5 + float64(i)/10)
	}
	r.Learners[0].LogLoss, r.Learners[0].Last.LogLoss = metrics.Known(0.3), metrics.Known(0.3)
	r.Learners[1].LogLoss, r.Learners[1].Last.LogLoss = metrics.Known(0.2), metrics.Known(0.2)
	best := func(s scope, column string) (rows string) {
		for i, name := range s.Columns {
			for _, row := range s.Rows {
				if name == column {
					rows += map[bool]string{true: "+", false: "."}[row.Cells[i].Best]
				}
			}
		}
		return rows
	}
	all := r.scopes()
	for _, c := range []struct {
		scope        int
		column, want string
	}{{0, "mistakes", "..+."}, {1, "accuracy", ".++."}, {1, "AUC", "..+."}, {1, "log-loss", ".+.."},
		{0, "AUC", ""}, {2, "AUC", ""}} {
		if got := best(all[c.scope], c.column); got != c.want {
			t.Errorf("table %d, %s: %s, want %s", c.scope, c.column, got, c.want)
		}
	}
	if text := all[1].Rows[3].Cells[slices.Index(all[1].Columns, "AUC")].Text; text != "–" {
		t.Errorf("the AUC of a baseline is %s", text)
	}
	r.Learners[1].Last.LogLoss = metrics.Optional{}
	if got := best(r.scopes()[1], "log-loss"); got != "...." {
		t.Errorf("the only log-loss is marked as the best: %s", got)
	}
	r.Learners = r.Learners[:1]
	if got := best(r.scopes()[1], "accuracy"); got != ".." {
		t.Error("one learner alone is marked as the best")
	}
}

// TestTitle: the page is named for the file, whatever folder it is in.
func TestTitle(t *testing.T) {
	r := sample(1)
	r.Source, r.Title = "/some/folder/a.csv", "a.csv"
	page := written(t, r.HTML)
	for _, want := range []string{"<title>a.csv · ", "<h1>Replay of a.csv</h1>", "Source: /some/folder/a.csv."} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
}

type rgb [3]float64

// linear reads a colour of the style sheet: #rgb or #rrggbb, as linear light.
func linear(t *testing.T, text string) (c rgb) {
	t.Helper()
	digits := strings.TrimPrefix(text, "#")
	if len(digits) == 3 {
		digits = strings.NewReplacer("0", "00", "f", "ff").Replace(digits)
	}
	for i := range c {
		for _, digit := range digits[2*i : 2*i+2] {
			c[i] = 16*c[i] + float64(strings.IndexRune("0123456789abcdef", digit))
		}
		if c[i] /= 255; c[i] <= 0.04045 {
			c[i] /= 12.92
		} else {
			c[i] = math.Pow((c[i]+0.055)/1.055, 2.4)
		}
	}
	return c
}

// lab is the colour in CIELAB under D65, where distances are about as large as they appear.
func (c rgb) lab() rgb {
	f := func(r, g, b, white float64) float64 {
		x := (r*min(1, max(0, c[0])) + g*min(1, max(0, c[1])) + b*min(1, max(0, c[2]))) / white
		if x > 0.008856 {
			return math.Cbrt(x)
		}
		return 7.787*x + 16.0/116
	}
	x, y, z := f(0.4124, 0.3576, 0.1805, 0.9505), f(0.2126, 0.7152, 0.0722, 1), f(0.0193, 0.1192, 0.9505, 1.089)
	return rgb{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// visions turn a colour into the one that is seen (Machado, Oliveira, Fernandes 2009, severity 1).
var visions = map[string][3]rgb{
	"all cones": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
		{-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881}},
	"tritanopia": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602},
		{0.004733, 0.691367, 0.303900}},
}

// TestColoursDiffer: any two of the seven lines can be told apart, also by the colour-blind, on light and dark.
func TestColoursDiffer(t *testing.T) {
	light, dark, _ := strings.Cut(pageStyle, "@media (prefers-color-scheme: dark)")
	seen := map[string]string{}
	for name, sheet := range map[string]string{"light": light, "dark": light + dark} {
		for _, m := range regexp.MustCompile(`--(hue\d): (#[0-9a-f]+);`).FindAllStringSubmatch(sheet, -1) {
			seen[m[1]] = m[2] // the dark ones come last
		}
		if len(seen) != hues {
			t.Fatalf("%d colours, want %d", len(seen), hues)
		}
		for vision, matrix := range visions {
			look := func(text string) (out rgb) {
				c := linear(t, text)
				for i, row := range matrix {
					out[i] = row[0]*c[0] + row[1]*c[1] + row[2]*c[2]
				}
				return out.lab()
			}
			for a, x := range seen {
				for b, y := range seen {
					p, q := look(x), look(y)
					d := math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
					if a < b && d < 15 {
						t.Errorf("%s, %s: %s and %s are %.1f apart", name, vision, x, y, d)
					}
				}
			}
		}
	}
}
