package training

import (
	"fmt"
	"io"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/batch"
)

func printFailure(t io.Writer, r *batch.Result) {
	fmt.Fprintf(t, "least mistakes\t%d of %d, met in pass %d after %d %s%s\n", r.Pocket.Mistakes, r.Trained,
		r.Pocket.Pass, r.Pocket.Updates,
		english.PluralWord(int(r.Pocket.Updates), "update", ""), cli.When(r.Mistakes > r.Pocket.Mistakes,
			"; these weights have more"))
	if r.OnPlane > 0 {
		fmt.Fprintf(t, "on the plane\t%d %s score 0, which no separator has\n", r.OnPlane,
			english.PluralWord(r.OnPlane, "example has", "examples have"))
	}
	for i, text := range advice(r) {
		fmt.Fprintf(t, "%s\t%s\n", cli.When(i == 0, "what could be tried"), text)
	}
}

func advice(r *batch.Result) []string {
	m, linear := r.Maximal, r.Weights != nil
	more := "raise --max-passes or --max-updates, with --until separated"
	switch {
	case m.Lower > 0:
		return []string{fmt.Sprintf("a separator exists: it takes at most %.6g updates from weights 0, threshold 0: %s",
			square(r.R/m.Lower), more)}
	case !m.Tried:
		return append([]string{more}, others(linear)...)
	case none(r):
		return append([]string{"no separator exists, or only one so narrow that its updates could not be made: more " +
			"passes do not help",
			"where values differ much in size: --scale standard"}, others(linear)...)
	}
	return append([]string{fmt.Sprintf("if a separator exists, its margin is at most %.6g, and it may take "+
		"(R/margin)² = %.6g updates: %s", m.Upper, square(r.R/m.Upper), more)},
		others(linear)...)
}

// none reports whether the search for the maximal margin has shown that there is none worth its name: by its upper
// limit, Novikoff's bound is over 10^14 updates.
func none(r *batch.Result) bool {
	return r.Maximal.Tried && r.Maximal.Lower == 0 && r.Maximal.Upper <= batch.Negligible*r.R
}

func others(linear bool) []string {
	texts := []string{
		"find examples that are alike but for their label",
		"more features, or products of them",
		"for sets that overlap: --until validation, or rosenblatt replay --learner \"averaged pa1 arow logistic\"",
	}
	if linear {
		return append([]string{"a kernel: --algorithm dual:kernel=poly,degree=2 or dual:kernel=rbf,gamma=1"}, texts...)
	}
	return append([]string{"another kernel, or a larger degree or gamma"}, texts...)
}

func square(x float64) float64 { return x * x }
