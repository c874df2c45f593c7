package audit

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/verify"
)

// Report is the JSON of an audit.
type Report struct {
	OK bool `json:"ok"`
	*verify.Result
	Input      string   `json:"input"`
	Output     string   `json:"output"`
	DeadLetter string   `json:"deadLetter"`
	LabelTopic string   `json:"labelTopic,omitempty"`
	Outcomes   string   `json:"outcomeTopic,omitempty"`
	Checkpoint string   `json:"checkpoint,omitempty"` // of the parameters, and perhaps the start
	Notes      []string `json:"notes,omitempty"`
	Seconds    float64  `json:"seconds"`
}

// report prints what an audit found. It returns an error if something differs.
func (p *plan) report(r *verify.Result, took time.Duration) error {
	t := p.with.Settings.Topics
	if r.Predictions == 0 && r.Counts[verify.Foreign] > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%s holds no prediction of model %s: another --model or --output may "+
			"be meant", t.Output, r.Model))
	}
	if r.OK() && r.Predictions == 0 {
		p.notes = append(p.notes, fmt.Sprintf("there was nothing to verify: %s holds no prediction of model %s after "+
			"seq %d", t.Output, r.Model, r.After))
	}
	for _, f := range r.Findings {
		if f.Kind == verify.Differs && f.Seq == 1 && p.with.Task.FromModel == "" && p.with.Task.Weights == nil {
			p.notes = append(p.notes, "the very first prediction differs: if the model was started with "+
				"--from-model or --weights, or with other parameters, give verify the same")
		}
	}
	var err error
	if p.JSON {
		err = cli.WriteJSON(p.program.Stdout, &Report{
			OK: r.OK(), Result: r, Input: t.Input, Output: t.Output, DeadLetter: t.DeadLetter,
			LabelTopic: p.with.Kafka.Labels, Outcomes: p.with.Kafka.Outcomes,
			Checkpoint: p.file, Notes: p.notes, Seconds: took.Seconds()})
	} else {
		p.print(p.program.Stdout, r, took)
	}
	switch {
	case err != nil:
		return err
	case !r.OK():
		return cli.ErrReported
	//mutation:partial-audit
	case len(r.NotAudited) > 0:
		return cli.ErrPartial
	}
	return nil
}

func (p *plan) print(out io.Writer, r *verify.Result, took time.Duration) {
	t := p.with.Settings.Topics
	from, parameters := "from nothing", "the flags"
	if p.file != "" {
		parameters = p.file
	}
	if !p.whole {
		from = fmt.Sprintf("from the checkpoint, after seq %d", r.After)
	}
	fmt.Fprintf(out, "model %s: the predictions in %s, computed again from %s, %s; parameters of %s\n", r.Model,
		t.Output, t.Input, from, parameters)
	if r.Labels != nil {
		fmt.Fprintf(out, "with the labels in %s, the outcomes in %s\n",
			cmp.Or(p.with.Kafka.Labels, "no topic any more"), p.with.Kafka.Outcomes)
	}
	if r.Floor != nil {
		fmt.Fprintf(out, "as of %s, every seq up to %d and every record below its positions must be accounted for\n",
			p.newest.file, r.Floor.Seq)
	}
	for _, note := range p.notes {
		fmt.Fprintf(out, "note: %s\n", note)
	}
	if r.Unkept > 0 {
		fmt.Fprintf(out, "note: %d rejected records are taken for dead-lettered: %s no longer holds dead letters of "+
			"that time\n", r.Unkept, t.DeadLetter)
	}
	for i, f := range r.Findings {
		if i == p.Show {
			fmt.Fprintf(out, "and %d more (--show N, --json)\n", sumKinds(r)-int64(i))
			break
		}
		p.printFinding(out, f)
	}
	verdict := "verified"
	switch {
	case !r.OK():
		verdict = "NOT verified"
	case r.Predictions == 0:
		verdict = "nothing to verify"
	case len(r.NotAudited) > 0:
		verdict = "verified in part"
	}
	fmt.Fprintf(out, "%s: %s%s in %.1f s\n", verdict, notAudited(r.NotAudited), numbers(r), took.Seconds())
}

// notAudited says which predictions were not audited; empty where all were.
func notAudited(ranges []verify.Range) (text string) {
	for _, r := range ranges {
		switch {
		case r.Earlier:
			text += fmt.Sprintf("predictions of an earlier life of the model, from its seq %d on, were NOT audited; ",
				r.From)
		case r.From == r.To:
			text += fmt.Sprintf("seq %d was NOT audited; ", r.From)
		default:
			text += fmt.Sprintf("seq %d to %d were NOT audited; ", r.From, r.To)
		}
	}
	return text
}

func (p *plan) printFinding(out io.Writer, f *verify.Finding) {
	entry := "prediction"
	if f.Output != nil && f.Output.Topic == p.with.Kafka.Outcomes {
		entry = "outcome"
	}
	fmt.Fprintf(out, "%s: ", f.Kind)
	if f.Seq > 0 {
		fmt.Fprintf(out, "seq %d, ", f.Seq)
	}
	fmt.Fprintln(out, f.What)
	for _, at := range []struct {
		name  string
		place *verify.Place
	}{{entry, f.Output}, {"record", f.Input}, {"label", f.Label}, {"dead letter", f.DeadLetter}} {
		if at.place != nil {
			fmt.Fprintf(out, "    %-12s%s partition %d offset %d\n", at.name, at.place.Topic, at.place.Partition,
				at.place.Offset)
		}
	}
	for _, d := range f.Fields {
		fmt.Fprintf(out, "    %-12spublished %s, computed %s\n", d.Name, d.Published, d.Computed)
	}
}

func sumKinds(r *verify.Result) (n int64) {
	for _, k := range verify.Kinds() {
		n += r.Counts[k]
	}
	return n
}

func numbers(r *verify.Result) string {
	seqs := "none"
	if r.Seq > r.After {
		seqs = fmt.Sprintf("seq %d to %d", r.After+1, r.Seq)
	}
	line := fmt.Sprintf("%d predictions (%s), %d dead letters", r.Predictions, seqs, r.DeadLetters)
	for _, n := range []struct {
		n    int64
		name string
	}{{r.Unkept, "rejected without a kept dead letter"}, {r.Nulls, "nulls and header rows skipped"},
		{r.Skipped, "skipped"},
		{r.Gaps, "without a record"}} {
		if n.n > 0 {
			line += fmt.Sprintf(", %d %s", n.n, n.name)
		}
	}
	line += fmt.Sprintf(", %d pending, of %d input offsets", r.Pending, r.Offsets) + labelNumbers(r.Labels)
	for i, k := range verify.Kinds() {
		if r.Labels == nil && slices.Contains(verify.LabelKinds(), k) {
			continue
		}
		line += fmt.Sprintf("%s%d %s", [...]string{": ", ", "}[min(i, 1)], r.Counts[k], k)
	}
	return line
}

// labelNumbers are those of labels that come later, empty without them.
func labelNumbers(r *verify.LabelResult) string {
	if r == nil {
		return ""
	}
	line := "; outcomes:"
	for _, kind := range slices.Sorted(maps.Keys(r.Outcomes)) {
		line += fmt.Sprintf(" %d %s,", r.Outcomes[kind], kind)
	}
	line += fmt.Sprintf(" %d waiting; label records: %d used, %d dead letters, %d repeats", r.Waiting, r.Used,
		r.DeadLetters, r.Repeats)
	for _, n := range []struct {
		n    int64
		name string
	}{{r.Unkept, "without a kept dead letter"}, {r.Nulls, "nulls and header rows skipped"},
		{r.Gaps, "without a record"}} {
		if n.n > 0 {
			line += fmt.Sprintf(", %d %s", n.n, n.name)
		}
	}
	return line + fmt.Sprintf(", %d pending, of %d label offsets", r.Pending, r.Offsets)
}
