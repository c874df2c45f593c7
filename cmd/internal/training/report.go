package training

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/batch"
)

// report is what was trained: one machine for two labels, several for several classes.
type report struct {
	plan     *plan
	set      *set
	machines []machine
}

func (r *report) several() bool { return r.plan.scheme != "" }

func (r *report) updates() (n int64) {
	for i := range r.machines {
		n += r.machines[i].Updates
	}
	return n
}

// print prints a row a machine, then what they were trained on, then what follows for two labels: advice and weights.
func (r *report) print() error {
	t := tabwriter.NewWriter(r.plan.program.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t)
	r.printTable(t)
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(t)
	r.set.print(t, r.plan)
	r.printSeparated(t)
	if m := &r.machines[0]; !r.several() {
		if !m.Separated {
			printFailure(t, m.Result)
		}
		if m.Separated && m.UpdateBound != m.Bound {
			fmt.Fprintf(t, "updates at most\t%.6g, with this threshold and this start\n", m.UpdateBound)
		}
	}
	if r.plan.Out != "" {
		fmt.Fprintf(t, "model\t%s, for run and replay --from-model\n", r.plan.Out)
	}
	if err := t.Flush(); err != nil || r.several() {
		return err
	}
	r.set.printWeights(t, r.machines[0].Result)
	return t.Flush()
}

// printTable leaves out columns that are of no use.
func (r *report) printTable(t io.Writer) {
	heldOut := r.plan.options.HeldOut > 0
	fmt.Fprintf(t, "%sstopped\tpasses\tupdates\tmistakes\tloss\tR\tmargin\t(R/margin)²\tmaximal margin\t"+
		"its (R/margin)²%s\n", cli.When(r.several(), "class\tagainst\t"), cli.When(heldOut, "\tvalidation error"))
	for i := range r.machines {
		m := &r.machines[i]
		if r.several() {
			fmt.Fprintf(t, "%s\t%s\t", m.class, cmp.Or(m.against, "all others"))
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d of %d\t%.6g\t%.6g\t%s\t%s\t%s\t%s%s\n", m.Stopped, m.Passes, m.Updates,
			m.Mistakes, m.Trained, m.Loss, m.R, number(m.Separated, m.Margin), number(m.Separated, m.Bound),
			maximalMargin(m.Result), number(m.Maximal.Lower > 0, square(m.R/m.Maximal.Lower)),
			cli.When(heldOut, fmt.Sprintf("\t%.4f", float64(m.HeldOutMistakes)/float64(max(1, m.HeldOut)))))
	}
}

// number is a dash where a figure is not defined.
func number(defined bool, x float64) string {
	if !defined {
		return "-"
	}
	return fmt.Sprintf("%.6g", x)
}

// maximalMargin is what the search for the maximal margin has found.
func maximalMargin(r *batch.Result) string {
	switch m := r.Maximal; {
	case !m.Tried:
		return "-"
	case none(r):
		return "none"
	case m.Solved:
		return fmt.Sprintf("%.6g", m.Lower)
	default:
		return fmt.Sprintf("%.6g to %.6g", m.Lower, m.Upper)
	}
}

func (r *report) printSeparated(t io.Writer) {
	all := "no"
	if separated(r.machines) {
		all = cli.When(r.several(), "every machine: ") + "y(w·x+b) > 0 for every example"
	}
	fmt.Fprintf(t, "separated\t%s\n", all)
	if r.several() {
		fmt.Fprintf(t, "together\t%d of %d examples wrong, after %d updates\n", r.set.mistakes, len(r.set.examples),
			r.updates())
	}
}

// print prints what was read, and how it is trained on.
func (s *set) print(t io.Writer, p *plan) {
	seed := cli.When(p.Order == batch.Random, ", seed "+strconv.FormatUint(p.Seed, 10))
	fmt.Fprintf(t, "algorithm\t%s, order %s%s%s\n", p.Algorithm, p.Order, seed, cli.When(p.scheme != "", ", "+p.scheme))
	held := 0
	for _, out := range s.out {
		if out {
			held++
		}
	}
	fmt.Fprintf(t, "events\t%d read: %d trained on%s%s%s\n", s.counts.Read, len(s.examples)-held,
		cli.When(held > 0, fmt.Sprintf(", %d held out", held)),
		cli.When(s.counts.Unlabelled > 0, fmt.Sprintf(", %d without a label or of weight 0", s.counts.Unlabelled)),
		cli.When(len(s.counts.Rejected) > 0,
			fmt.Sprintf(", %d rejected%s", cli.Total(s.counts.Rejected), cli.Reasons(s.counts.Rejected))))
	if s.weighted > 0 {
		fmt.Fprintf(t, "weights\t%d examples have a weight: here all weigh the same\n", s.weighted)
	}
	if text := s.proc.Sharing(); text != "" {
		fmt.Fprintf(t, "collisions\t%s\n", text)
	} else if shared := s.proc.Collisions(); shared > 0 {
		fmt.Fprintf(t, "collisions\t%d %s shared by several names: more --bits keep them apart\n",
			shared, english.PluralWord(shared, "weight", ""))
	}
}

// topWeights is how many weights are printed.
const topWeights = 20

func (s *set) printWeights(t io.Writer, r *batch.Result) {
	fmt.Fprintf(t, "\nbias\t%.6g\n", r.Bias)
	if r.Weights == nil {
		kept := 0
		for _, k := range r.Counts {
			if k > 0 {
				kept++
			}
		}
		fmt.Fprintf(t, "support\t%d %s corrected: the score is made of them\n", kept,
			english.PluralWord(kept, "example was", "examples were"))
		return
	}
	order := make([]int, 0, len(r.Weights))
	for i, w := range r.Weights {
		if w != 0 {
			order = append(order, i)
		}
	}
	largestFirst(order, r.Weights)
	names := s.proc.Names(s.slots)
	for _, i := range order[:min(topWeights, len(order))] {
		fmt.Fprintf(t, "%s\t%.6g\n", strings.ToValidUTF8(names[i], "?"), r.Weights[i])
	}
	if more := len(order) - topWeights; more > 0 {
		fmt.Fprintf(t, "\tand %d more\n", more)
	}
}

// largestFirst sorts by magnitude; equal ones stay in order.
func largestFirst(order []int, weights []float64) {
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(weights[b]), math.Abs(weights[a])) })
}
