package inspection

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

// Print writes an inspection for people.
func (i *Inspection) Print(w io.Writer) error {
	out := bufio.NewWriter(w) // tabwriter writes each cell and each gap by itself
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	i.printHeader(t)
	if i.Input.Name != "" { // a model that train or replay wrote has read no topic
		i.printTopics(t)
		i.printScore(t)
		i.printPositions(t)
	}
	i.printWeights(t)
	if err := t.Flush(); err != nil {
		return err
	}
	return out.Flush()
}

func (i *Inspection) printHeader(w io.Writer) {
	champion := i.Config.Of(i.Champion)
	spec, d := champion.Learner, i.Config.Decode
	fmt.Fprintf(w, "file\t%s, %s\n", i.File, sizeText(i.Bytes))
	for _, path := range i.BuildsOn {
		fmt.Fprintf(w, "builds on\t%s\n", path)
	}
	fmt.Fprintf(w, "written by\t%s\n", i.Build)
	fmt.Fprintf(w, "model\t%s, seq %d, epoch %d\n", i.Model, i.Seq, i.Epoch)
	if i.Partition != nil {
		fmt.Fprintf(w, "partition\t%d alone\n", *i.Partition)
	}
	fmt.Fprintf(w, "learner\t%s, scale %s, 2^%d weights, seed %d%s\n", champion.LearnerName(), spec.ScaleText(),
		spec.Bits, d.Seed, cli.When(i.Config.NoLearn, ", not learning"))
	i.Decision.print(w)
	i.printLearners(w)
	fmt.Fprintf(w, "format\t%s, labels %s\n", d.Format, i.labels)
}

func (i *Inspection) printTopics(w io.Writer) {
	fmt.Fprintf(w, "cluster\t%s\n", i.Cluster)
	for _, topic := range []struct {
		role string
		is   model.TopicRef
	}{{"input", i.Input}, {"output", i.Output}, {"dead-letter", i.Dead}} {
		partitions := english.Plural(topic.is.Partitions, "partition", "")
		if i.Partition != nil {
			partitions = fmt.Sprintf("partition %d", *i.Partition)
		}
		fmt.Fprintf(w, "%s\t%s, %s, id %s\n", topic.role, topic.is.Name, partitions, topic.is.ID)
	}
	for _, a := range i.Accepted {
		fmt.Fprintf(w, "accepted\t%s at seq %d, %s: %s\n", a.Name, a.Seq, a.Time.Format("2006-01-02 15:04:05Z"), a.What)
	}
	for _, s := range i.Skipped {
		fmt.Fprintf(w, "skipped\tpartition %d, offsets %d to %d\n", s.Partition, s.From, s.To)
	}
}

func (i *Inspection) printScore(w io.Writer) {
	c, s := &i.Counts, &i.Score
	fmt.Fprintf(w, "\nread\t%d: %d predictions%s, %d rejected%s%s\n", c.Read, c.Predictions,
		cli.Untrained(c.Untrained), cli.Total(c.Rejected), cli.Reasons(c.Rejected),
		cli.When(c.Tombstones > 0, fmt.Sprintf(", %d tombstones", c.Tombstones)))
	fmt.Fprintf(w, "learned\t%d labelled, %d mistakes, %d updates%s\n", s.Examples, s.Mistakes, s.Updates,
		cli.When(s.LeftOut > 0, fmt.Sprintf("; and %d in no figure", s.LeftOut)))
	if counts := i.labelCounts(); counts != "" {
		fmt.Fprintf(w, "of each label\t%s\n", counts)
	}
	i.printDrift(w)
	i.printLabels(w)
	fmt.Fprintln(w)
	fmt.Fprint(w, "\tall\tlast 1,000\tlast 10,000\tfading\tbaselines: ")
	var columns []*metrics.Figures
	for _, scope := range metrics.Scopes {
		columns = append(columns, scope.Of(&s.Row))
	}
	names := make([]string, len(s.Baselines))
	for b := range s.Baselines {
		names[b] = s.Baselines[b].Name
		columns = append(columns, &s.Baselines[b].Figures)
	}
	fmt.Fprintln(w, strings.Join(names, "\t"))
	for _, c := range metrics.Columns {
		line, some := c.Title, false
		for _, f := range columns {
			_, known := c.Of(f).Get()
			line, some = line+"\t"+c.Text(f, "-"), some || known
		}
		if some {
			fmt.Fprintln(w, line)
		}
	}
	if seq := model.RuleSince(i.Accepted); seq > 0 {
		fmt.Fprintf(w, "the rule was changed behind seq %d: figures of predictions over all, and by field, are of"+
			" both\n", seq)
	}
	i.printClasses(w)
	i.printSlices(w)
	for _, line := range i.quality {
		fmt.Fprintln(w, line)
	}
}

// printDrift says when the latest drift was.
func (i *Inspection) printDrift(w io.Writer) {
	d := i.Drift
	if d == nil {
		return
	}
	fmt.Fprintf(w, "drifts\t%d in %d detected changes, %s%s", d.Drifts, d.Changes, d.Rule,
		cli.When(d.Resets, ", at which the learner begins anew"))
	if n := len(d.List); n > 0 {
		x := &d.List[n-1]
		fmt.Fprintf(w, "; the latest at example %d: %.4g of the newest %d, %.4g before", x.Example, x.After, x.Newer,
			x.Before)
	}
	fmt.Fprintln(w)
}

// printClasses has the figures of each of several classes over all examples.
func (i *Inspection) printClasses(w io.Writer) {
	if len(i.Classes) == 0 {
		return
	}
	fmt.Fprintln(w, "\nclass\texamples\tprecision\trecall\tF1")
	for _, c := range i.Classes {
		f := c.Figures["all"]
		fmt.Fprintf(w, "%s\t%.0f\t%s\t%s\t%s\n", c.Class, f.Support, text(f.Precision), text(f.Recall), text(f.F1))
	}
}

// printSlices has the decisions by the values of fields.
func (i *Inspection) printSlices(w io.Writer) {
	if len(i.Slices) == 0 {
		return
	}
	fmt.Fprintln(w, "\nby field\texamples\tmistakes\tprecision\trecall")
	for n := range i.Slices {
		r := &i.Slices[n]
		fmt.Fprintf(w, "%s=%s\t%.0f\t%.0f\t%s\t%s\n", r.Field, r.Value, r.Examples(), r.Mistakes(), text(r.Precision),
			text(r.Recall))
	}
	for _, field := range metrics.Unseen(i.Slices) {
		fmt.Fprintln(w, field.UnseenText())
	}
}

// text is a figure, or a dash for an absent one.
func text(x metrics.Optional) string {
	if value, known := x.Get(); known {
		return strconv.FormatFloat(value, 'f', 4, 64)
	}
	return "-"
}

func (i *Inspection) printPositions(w io.Writer) {
	fmt.Fprintln(w, "\npartition\tposition\tstarted")
	for p, at := range i.Positions {
		if i.Partition != nil && p != int(*i.Partition) {
			continue
		}
		started := int64(0)
		if p < len(i.Started) {
			started = i.Started[p]
		}
		fmt.Fprintf(w, "%d\t%d\t%d\n", p, at, started)
	}
}

func (i *Inspection) printWeights(w io.Writer) {
	fmt.Fprintln(w)
	for _, c := range i.weights {
		if c.Class != "" {
			fmt.Fprintf(w, "class %s\n", c.Class)
		}
		fmt.Fprintf(w, "bias\t%.6g\n", c.Bias)
		for _, t := range c.Top {
			//mutation:inspect-weights-printable
			fmt.Fprintf(w, "%s\t%.6g%s\n", cli.Printable(t.Name), t.Weight,
				cli.When(t.Shared, "\tshared with other names"))
		}
	}
	slots := 1 << i.Config.Learner.Bits
	fmt.Fprintf(w, "\ncollisions\t%d of %d slots are shared by several names\n", i.Collisions, slots)
	if i.sharing != "" {
		fmt.Fprintf(w, "\t%s\n", i.sharing)
	}
}

// mostConfused is how many kinds of mistakes are shown.
const mostConfused = 10

// confused lists the most frequent mistakes, below an empty line.
func (i *Inspection) confused() []string {
	name := func(class int) string {
		if class < 0 || class >= len(i.ByClass) {
			return "(no class)"
		}
		return i.ByClass[class].Class
	}
	var lines []string
	for _, c := range model.Mistaken(i.Confusion, mostConfused) {
		if lines == nil {
			lines = append(lines, "")
		}
		lines = append(lines, fmt.Sprintf("mistaken\t%.0f times %s for %s", c.Count, name(c.Label), name(c.Prediction)))
	}
	return lines
}

func labelsText(o event.Options, f event.Family) string {
	switch {
	case o.Positive != "":
		return fmt.Sprintf("%s against all others", o.Positive)
	case len(o.LabelNames) == 2:
		return strings.Join(o.LabelNames, "/")
	}
	switch f {
	case event.PlusMinus, event.One:
		return "-1/1"
	case event.ZeroOne:
		return "0/1"
	case event.Unlabelled:
		return "none met yet"
	}
	return "false/true"
}

func sizeText(bytes int64) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	case bytes >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", bytes)
}
