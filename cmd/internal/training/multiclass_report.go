package training

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/batch"
)

type multiclassReport struct {
	plan     *plan
	set      *set
	machines []machine
	updates  int64
}

func (m *multiclassReport) json() any {
	out := &ClassesResult{
		Source: m.plan.source(), Counts: &m.set.counts, Multiclass: m.plan.scheme, Classes: m.set.proc.Classes(),
		Examples: len(m.set.examples),
		Mistakes: m.set.mistakes, Updates: m.updates, Separated: separated(m.machines),
	}
	for i := range m.machines {
		of := &m.machines[i]
		row := ClassMachine{Class: of.class, Machine: m.set.machineJSON(of.Result)}
		if of.against != "" {
			row.Against = &of.against
		}
		out.Machines = append(out.Machines, row)
	}
	return out
}

// print prints a row a machine, then the result of all.
func (m *multiclassReport) print(p *plan) error {
	t := tabwriter.NewWriter(p.program.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "class\tagainst\tstopped\tpasses\tupdates\tmistakes\tloss\tmargin\t(R/margin)²%s\n",
		cli.When(p.options.HeldOut > 0, "\tvalidation error"))
	for i := range m.machines {
		m.machines[i].print(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(t)
	m.set.print(t, p, ", "+p.scheme, fmt.Sprintf("%d trained on or held out", len(m.set.examples)))
	fmt.Fprintf(t, "made\t%d %s\n", m.updates, english.PluralWord(int(m.updates), "update", ""))
	all := "not every machine"
	if separated(m.machines) {
		all = "yes: every machine has y(w·x+b) > 0 for every example"
	}
	fmt.Fprintf(t, "separated\t%s\n", all)
	fmt.Fprintf(t, "mistakes\t%d of %d, by the %d machines together\n", m.set.mistakes, len(m.set.examples),
		len(m.machines))
	if p.Out != "" {
		fmt.Fprintf(t, "model\t%s, for run and replay --from-model\n", p.Out)
	}
	return t.Flush()
}

func (m *machine) print(t io.Writer) {
	margin, bound := "not separated", "-"
	if m.Separated {
		margin, bound = fmt.Sprintf("%.6g", m.Margin), fmt.Sprintf("%.6g", m.Bound)
	}
	fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d of %d\t%.6g\t%s\t%s%s\n", m.class, cmp.Or(m.against, "all others"),
		m.Stopped, m.Passes,
		m.Updates, m.Mistakes, m.Trained, m.Loss, margin, bound,
		cli.When(m.HeldOut > 0, fmt.Sprintf("\t%.4f", float64(m.HeldOutMistakes)/float64(max(1, m.HeldOut)))))
}

// print prints what was read, and how it is trained on.
func (s *set) print(t io.Writer, p *plan, scheme, trained string) {
	seed := cli.When(p.Order == batch.Random, ", seed "+strconv.FormatUint(p.Seed, 10))
	fmt.Fprintf(t, "algorithm\t%s, order %s%s%s\n", p.Algorithm, p.Order, seed, scheme)
	fmt.Fprintf(t, "events\t%d read: %s%s%s\n", s.counts.Read, trained,
		cli.When(s.counts.Unlabelled > 0, fmt.Sprintf(", %d without a label or of weight 0", s.counts.Unlabelled)),
		cli.When(len(s.counts.Rejected) > 0,
			fmt.Sprintf(", %d rejected%s", cli.Total(s.counts.Rejected), cli.Reasons(s.counts.Rejected))))
	if s.weighted > 0 {
		fmt.Fprintf(t, "weights\t%d examples have a weight: here all weigh the same\n", s.weighted)
	}
	if shared := s.proc.Collisions(); shared > 0 {
		fmt.Fprintf(t, "collisions\t%d %s shared by several names: more --bits keep them apart\n",
			shared, english.PluralWord(shared, "weight", ""))
	}
}
