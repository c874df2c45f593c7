package training

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/batch"
)

type binaryReport struct {
	plan   *plan
	set    *set
	result *batch.Result
}

func (b *binaryReport) json() any {
	r := b.result
	out := &Result{Source: b.plan.source(), Machine: b.set.machineJSON(r)}
	out.Least = &Least{r.Pocket.Mistakes, r.Pocket.Pass, r.Pocket.Updates}
	out.Counts = &b.set.counts
	if r.Separated && r.UpdateBound != r.Bound {
		out.UpdateBound = &r.UpdateBound
	}
	if r.Weights == nil {
		for i, k := range r.Counts {
			if k > 0 {
				label, alpha := b.set.examples[i].Label, b.plan.Rate*float64(k)
				out.Support = append(out.Support, Support{b.set.lines[i], label, k, alpha})
			}
		}
	}
	return out
}

func (b *binaryReport) print(p *plan) error {
	t, r := tabwriter.NewWriter(p.program.Stdout, 0, 0, 2, ' ', 0), b.result
	fmt.Fprintln(t)
	b.printRun(t, r)
	printMargin(t, r)
	if !r.Separated {
		printFailure(t, r)
	}
	b.set.printWeights(t, r)
	if p.Out != "" {
		fmt.Fprintf(t, "model\t%s, for run and replay --from-model\n", p.Out)
	}
	return t.Flush()
}

func (b *binaryReport) printRun(t io.Writer, r *batch.Result) {
	held := cli.When(r.HeldOut > 0, fmt.Sprintf(", %d held out", r.HeldOut))
	b.set.print(t, b.plan, "", fmt.Sprintf("%d trained on%s", r.Trained, held))
	fmt.Fprintf(t, "stopped\t%s\n", map[string]string{
		batch.Separated:  "separated: no example is left to correct",
		batch.Budget:     "budget: the passes or updates are used up",
		batch.Validation: "validation: the error on the examples held out no longer falls",
		batch.Stable:     "stable: the weights hardly change",
	}[r.Stopped])
	fmt.Fprintf(t, "made\t%d %s, %d %s\n", r.Passes, english.PluralWord(r.Passes, "pass", "passes"), r.Updates,
		english.PluralWord(int(r.Updates), "update", ""))
	fmt.Fprintf(t, "mistakes\t%d of %d, loss %.6g\n", r.Mistakes, r.Trained, r.Loss)
	if r.HeldOut > 0 {
		fmt.Fprintf(t, "validation\t%d of %d wrong, error %.4f\n", r.HeldOutMistakes, r.HeldOut,
			float64(r.HeldOutMistakes)/float64(r.HeldOut))
	}
}

func printMargin(t io.Writer, r *batch.Result) {
	if r.Separated {
		fmt.Fprintf(t, "separated\tyes: y(w·x+b) > 0 for every example\n")
		fmt.Fprintf(t, "R\t%.6g, the largest ‖(x,1)‖\n", r.R)
		fmt.Fprintf(t, "margin\t%.6g, of the separator found, for ‖(w,b)‖ = 1\n", r.Margin)
	} else {
		fmt.Fprintf(t, "separated\tno\n")
		fmt.Fprintf(t, "R\t%.6g, the largest ‖(x,1)‖\n", r.R)
	}
	switch m := r.Maximal; {
	case !m.Tried:
		fmt.Fprintf(t, "maximal margin\tnot searched for\n")
	case m.Solved:
		fmt.Fprintf(t, "maximal margin\t%.6g, solved to %.0e of itself\n", m.Lower, batch.SolverTolerance)
	case none(r):
		fmt.Fprintf(t, "maximal margin\tnone: no weights have more than %.3g, which is nothing beside R\n",
			r.Maximal.Upper)
	default:
		fmt.Fprintf(t, "maximal margin\tfrom %.6g to %.6g: bounded from both sides, not solved\n", m.Lower, m.Upper)
	}
	if !r.Separated {
		return
	}
	maximal := cli.When(r.Maximal.Tried && r.Maximal.Lower > 0,
		fmt.Sprintf(", by the maximal margin %.6g", square(r.R/r.Maximal.Lower)))
	made := english.PluralWord(int(r.Updates), "update was", "updates were")
	fmt.Fprintf(t, "bound\t(R/margin)² = %.6g%s; %d %s made\n", r.Bound, maximal, r.Updates, made)
	if r.UpdateBound != r.Bound {
		fmt.Fprintf(t, "\tthat is for threshold 0 and weights 0 at the start; here no more than %.6g can be made\n",
			r.UpdateBound)
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
