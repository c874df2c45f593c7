package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
)

const worthHead = `# What decisions are worth

What [probabilities and cuts](../docs/decisions.md) gain and cost, on public sets and made ones, by six learners with
their defaults and '--calibrate platt'. Every event is predicted before its label is known. Made by

    .ci/data
    ROSENBLATT_TEST_LONG=1 ROSENBLATT_UPDATE_GOLDEN=1 go test ./cmd/rosenblatt -run WorthOfDecisions -timeout 0

The sets a9a, Elec2 and KDD99 are looked for in '../shared/data'. Labels come at once, or 1,000 or 10,000 events late.

- **Cost**: of the mistakes in 1,000 events, where a false alarm costs 1 and a miss 20: with 'sign', with
  'cost=fp:1,fn:20', and by the fixed cut that was cheapest, chosen with all labels known.
- **Precision asked for**: what 'precision=0.5' and '0.9' reached over the second part of the stream, behind 20,000
  events or half of them, and the recall at it. *Fixed* is the recall of the fixed cut that had the precision asked for
  over the same part, chosen with all labels known. *Few*: less than 300 alarms, of which a precision says little.
- **Log-loss**: of the score taken for log-odds, as 'logistic' means it; calibrated; and of the best calibration of the
  same scores with all labels known.

## Medians of the learners

| stream | positive | late`

const worthFigures = " | cost: sign | cost= | best | 0.5: precision | recall | fixed | 0.9: precision | recall" +
	" | fixed | log-loss: before | after | in hindsight |\n|---"

// worthText is the page.
type worthText struct {
	medians, sets strings.Builder
	ratios        [2][]worthRatio // of sets that do not drift, and of those that do
}

// worthRatio is what cost= costs, labels at once, beside the best fixed cut.
type worthRatio struct {
	ratio        float64
	set, learner string
}

func (p *worthText) text() string {
	text := worthHead + worthFigures + strings.Repeat("|--:", 14) + "|\n" + p.medians.String() +
		"\nWith labels at once 'cost=' costs so many times what the best fixed cut costs. A cut that moves with the" +
		" stream may cost\nless than that.\n\n| streams | median | worst |\n|---|--:|---|\n"
	for i, name := range []string{"that do not drift", "that drift"} {
		slices.SortFunc(p.ratios[i], func(a, b worthRatio) int { return cmp.Compare(a.ratio, b.ratio) })
		all := p.ratios[i]
		text += fmt.Sprintf("| %s | %.3f |", name, all[len(all)/2].ratio)
		for _, x := range slices.Backward(all[len(all)-3:]) {
			text += fmt.Sprintf(" %.2f ('%s', %s)", x.ratio, x.learner, x.set)
		}
		text += " |\n"
	}
	return strings.ReplaceAll(text+p.sets.String(), "'", "`")
}

// add adds a set.
func (p *worthText) add(w *worthSet, events int, share float64, rows []worthRow) {
	of := &p.ratios[0]
	if w.drifts {
		of = &p.ratios[1]
	}
	fmt.Fprintf(&p.sets, "\n## %s\n\n%s events, %.2f %% positive.\n\n| learner | late%s%s|\n", w.title,
		humanize.Comma(int64(events)), 100*share, worthFigures, strings.Repeat("|--:", 13))
	byLate := map[int64][][]float64{}
	for _, r := range rows {
		if r.late == 0 && r.best > 0 {
			*of = append(*of, worthRatio{r.cost / r.best, w.title, r.learner})
		}
		cells := r.numbers()
		byLate[r.late] = append(byLate[r.late], cells)
		fmt.Fprintf(&p.sets, "| `%s` | %s%s\n", r.learner, humanize.Comma(r.late), worthCells(cells))
	}
	for _, late := range []int64{0, 1000, 10_000} {
		var median []float64
		for column := range byLate[late][0] {
			var all []float64
			for _, cells := range byLate[late] {
				all = append(all, cells[column])
			}
			median = append(median, medianOf(all))
		}
		fmt.Fprintf(&p.medians, "| %s | %.2f %% | %s%s\n", w.title, 100*share, humanize.Comma(late), worthCells(median))
	}
}

// numbers are the cells of a row. NaN is none.
func (r *worthRow) numbers() []float64 {
	out := []float64{r.sign, r.cost, r.best}
	for _, x := range []reached{r.half, r.most} {
		if x.alarms < fewAlarms {
			x.precision = math.NaN()
		}
		out = append(out, x.precision, x.recall, x.fixed)
	}
	return append(out, r.before, r.after, r.in)
}

func worthCells(cells []float64) string {
	var b strings.Builder
	for i, x := range cells {
		switch {
		case math.IsNaN(x) && (i == 3 || i == 6):
			b.WriteString(" | few")
		case math.IsNaN(x):
			b.WriteString(" | none")
		case i < 3:
			b.WriteString(" | " + humanize.Commaf(math.Round(x)))
		case i < 9:
			fmt.Fprintf(&b, " | %.2f", x)
		default:
			fmt.Fprintf(&b, " | %.4f", x)
		}
	}
	return b.String() + " |"
}

// medianOf is the median of what is known, the mean of two in the middle.
func medianOf(all []float64) float64 {
	known := slices.DeleteFunc(slices.Clone(all), math.IsNaN)
	if len(known) == 0 {
		return math.NaN()
	}
	slices.SortFunc(known, cmp.Compare[float64])
	return (known[(len(known)-1)/2] + known[len(known)/2]) / 2
}
