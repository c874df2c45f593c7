package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/learner/batch"
)

// classesJSON is what training on several classes came to, as JSON: what trainResult has, for each machine.
type classesJSON struct {
	Source     string           `json:"source"`
	Algorithm  string           `json:"algorithm"`
	Order      string           `json:"order"`
	Seed       uint64           `json:"seed"`
	Multiclass string           `json:"multiclass"`
	Classes    []string         `json:"classes"`
	Examples   int              `json:"examples"`
	Mistakes   int              `json:"mistakes"`  // of the model that the machines make
	Updates    int64            `json:"updates"`   // of all machines
	Separated  bool             `json:"separated"` // every machine is
	Read       int64            `json:"read"`
	Unlabelled int64            `json:"unlabelled"`
	Rejected   map[string]int64 `json:"rejected"`
	Machines   []machineJSON    `json:"machines"`
}

type machineJSON struct {
	Class     string             `json:"class"`
	Against   *string            `json:"against"` // null: all others
	Examples  int                `json:"examples"`
	Passes    int                `json:"passes"`
	Mistakes  int                `json:"mistakes"`
	Updates   int64              `json:"updates"`
	Separated bool               `json:"separated"`
	Stopped   string             `json:"stopped"`
	R         float64            `json:"R"`
	Margin    *float64           `json:"margin"`
	Bound     *float64           `json:"bound"`
	Maximal   *trainMargin       `json:"maximalMargin,omitempty"`
	Loss      float64            `json:"loss"`
	Validated *trainValidation   `json:"validation,omitempty"`
	Bias      float64            `json:"bias"`
	Weights   map[string]float64 `json:"weights"`
}

// finishClasses trains on several classes, writes the model and tells the result.
func (c *trainCommand) finishClasses(p *cli.Program, plan *trainPlan, set *trainSet) error {
	r, err := set.trainClasses(plan)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := set.writeClasses(c.Out, daemon.Build().String()); err != nil {
			return err
		}
	}
	if c.JSON != "" {
		err := p.WriteFile(c.JSON, func(w io.Writer) error { return cli.WriteJSON(w, c.classesJSON(plan, set, r)) })
		if err != nil {
			return err
		}
	}
	if c.JSON != "-" {
		if err := c.tellClasses(p.Stdout, plan, set, r); err != nil {
			return err
		}
	}
	if c.RequireSeparated && !r.separated() {
		return cli.ErrReported
	}
	return nil
}

func (c *trainCommand) classesJSON(plan *trainPlan, set *trainSet, r *classesResult) *classesJSON {
	out := &classesJSON{Source: c.File, Algorithm: c.Algorithm, Order: c.Order, Seed: c.Seed, Multiclass: plan.scheme,
		Classes: set.proc.Classes(), Examples: len(set.examples), Mistakes: r.mistakes, Updates: r.updates, Separated: r.separated(),
		Read: set.read, Unlabelled: set.unlabelled, Rejected: set.rejected}
	for i := range r.machines {
		m := &r.machines[i]
		one := c.result(set, m.Result)
		row := machineJSON{Class: m.class, Examples: one.Examples, Passes: one.Passes, Mistakes: one.Mistakes, Updates: one.Updates,
			Separated: one.Separated, Stopped: one.Stopped, R: one.R, Margin: one.Margin, Bound: one.Bound, Maximal: one.Maximal,
			Loss: one.Loss, Validated: one.Validation, Bias: one.Bias, Weights: one.Weights}
		if m.against != "" {
			row.Against = &m.against
		}
		out.Machines = append(out.Machines, row)
	}
	return out
}

// tellClasses prints a row a machine, and what they make together.
func (c *trainCommand) tellClasses(w io.Writer, plan *trainPlan, set *trainSet, r *classesResult) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "class\tagainst\tstopped\tpasses\tupdates\tmistakes\tloss\tmargin\t(R/margin)²%s\n", cli.When(plan.options.HeldOut > 0, "\tvalidation error"))
	for _, m := range r.machines {
		margin, bound := "not separated", "-"
		if m.Separated {
			margin, bound = fmt.Sprintf("%.6g", m.Margin), fmt.Sprintf("%.6g", m.Bound)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d of %d\t%.6g\t%s\t%s%s\n", m.class, cmp.Or(m.against, "all others"), m.Stopped, m.Passes, m.Updates, m.Mistakes, m.Trained,
			m.Loss, margin, bound, cli.When(m.HeldOut > 0, fmt.Sprintf("\t%.4f", float64(m.HeldOutMistakes)/float64(max(1, m.HeldOut)))))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(t)
	fmt.Fprintf(t, "algorithm\t%s, order %s%s, %s\n", c.Algorithm, c.Order, cli.When(c.Order == batch.Random, ", seed "+strconv.FormatUint(c.Seed, 10)), plan.scheme)
	fmt.Fprintf(t, "events\t%d read: %d trained on or held out%s%s\n", set.read, len(set.examples),
		cli.When(set.unlabelled > 0, fmt.Sprintf(", %d without a label or of weight 0", set.unlabelled)),
		cli.When(len(set.rejected) > 0, fmt.Sprintf(", %d rejected%s", cli.Total(set.rejected), cli.Reasons(set.rejected))))
	if set.weighted > 0 {
		fmt.Fprintf(t, "weights\t%d examples have a weight: here all weigh the same\n", set.weighted)
	}
	if shared := set.proc.Collisions(); shared > 0 {
		fmt.Fprintf(t, "collisions\t%d %s shared by several names: more --bits keep them apart\n", shared, english.PluralWord(int(shared), "weight", ""))
	}
	fmt.Fprintf(t, "made\t%d %s\n", r.updates, english.PluralWord(int(r.updates), "update", ""))
	fmt.Fprintf(t, "separated\t%s\n", map[bool]string{true: "yes: every machine has y(w·x+b) > 0 for every example", false: "not every machine"}[r.separated()])
	fmt.Fprintf(t, "mistakes\t%d of %d, by the %d machines together\n", r.mistakes, len(set.examples), len(r.machines))
	if c.Out != "" {
		fmt.Fprintf(t, "model\t%s, for run and replay --from-model\n", c.Out)
	}
	return t.Flush()
}
