// Package evaluate is what `rosenblatt replay` does, apart from its command line.
package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/report"
)

// Run evaluates as the settings say. Given holds the names of given settings; args is for the report.
func Run(ctx context.Context, program *cli.Program, s *Settings, given map[string]bool, args []string) error {
	p, err := newPlan(s, given, program)
	if err != nil {
		return err
	}
	source, err := p.open(ctx)
	if err != nil {
		return err
	}
	defer source.close()
	for _, note := range source.notes() {
		fmt.Fprintf(program.Stderr, "rosenblatt: %s: %s\n", source.name(), note)
	}
	learners, err := p.learners(source)
	if err != nil {
		return err
	}
	late, err := p.late()
	if err != nil {
		return err
	}
	predictions, err := p.writePredictions(learners)
	if err != nil {
		return err
	}
	began := time.Now()
	show := newProgress(program.Stderr, learners)
	first, err := p.first(source, show.first)
	if err != nil {
		return err
	}
	result, err := replay.Run(ctx, first, replay.Config{
		Decode: p.decode, Learners: learners, Delay: p.delay, Labels: late,
		Passes: s.Repeat, Shuffle: s.Shuffle, Seed: s.Seed, Strict: s.Strict, Curves: s.Report != "" || s.CSV != "",
		Progress: show.row, ProgressEvery: rowEvery, Moved: show.moved,
	})
	show.end()
	if err == nil {
		first.end()
	}
	written := predictions.close()
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return fmt.Errorf("interrupted: nothing was written%s", cli.When(p.Predictions != "", " but some predictions"))
	}
	if err := cmp.Or(err, written); err != nil {
		return err
	}
	if late != nil {
		p.nameRejects(result.Labels.Rejects, result.Labels.Rejected)
	}
	for _, field := range metrics.Unseen(learners[0].Processor.SliceRows()) {
		fmt.Fprintf(program.Stderr, "rosenblatt: %s\n", field.UnseenText())
	}
	about := p.about(source, args, began, learners[0].Processor)
	if err := p.writeResult(result, learners[0].Processor, first, about); err != nil {
		return err
	}
	daemon.NoteStrays(program.Stderr, result.Strays, p.numeric(), source.name())
	return p.verdict(result, first, late)
}

// writeResult writes the files that were asked for, and the report.
func (p *plan) writeResult(result *replay.Result, m *model.Processor, first *firstEvents, about report.About) error {
	if err := p.writeModel(m); err != nil {
		return err
	}
	if err := p.writeProfile(first); err != nil {
		return err
	}
	r := report.New(result, about)
	if first.profile != nil {
		r.Fields = first.profile.Report()
	}
	return p.write(r)
}

// title names the topic, or the files without their folders.
func (s *Settings) title() string {
	if s.Topic != "" {
		return "topic " + s.Topic
	}
	var names []string
	for _, path := range s.Files {
		if path == "-" {
			path = "standard input"
		}
		names = append(names, filepath.Base(path))
	}
	return strings.Join(names, ", ")
}

// about describes the run; the labels are spelled as the first learner does.
func (p *plan) about(from input, args []string, began time.Time, proc *model.Processor) report.About {
	about := report.About{Source: from.name(), Title: p.title(), Command: commandText(args), Took: time.Since(began),
		SortByLast: p.grid, Cost: p.cost}
	for i, label := range proc.Labels(&p.decode) {
		about.Labels[i] = strings.Trim(label, `"`)
	}
	return about
}

// write names rejected records, writes the files, and prints the table.
func (p *plan) write(r *report.Report) error {
	p.nameRejects(r.Rejects, r.Rejected)
	for _, file := range []struct {
		path  string
		write func(io.Writer) error
	}{{p.Report, r.HTML}, {p.JSON, r.JSON}, {p.CSV, r.Curves}} {
		if err := p.program.WriteFile(file.path, file.write); err != nil {
			return err
		}
	}
	if p.JSON == "-" || p.CSV == "-" || p.Report == "-" || p.Predictions == "-" ||
		p.Profile == "-" {
		return nil
	}
	return r.Table(p.program.Stdout)
}

// namedRejects is how many rejected records of a reason are named: more of them would hide what else is said.
const namedRejects = 3

func (p *plan) nameRejects(first []*replay.Rejected, count map[event.Reason]int64) {
	named, more := map[event.Reason]int{}, int64(0)
	for _, x := range first {
		if named[x.Reason] == namedRejects {
			continue
		}
		named[x.Reason]++
		more--
		fmt.Fprintf(p.program.Stderr, "rosenblatt: %v\n", x)
	}
	for _, n := range count {
		more += n
	}
	if more > 0 {
		fmt.Fprintf(p.program.Stderr, "rosenblatt: and %d more were rejected\n", more)
	}
}

// writeModel writes the model of the one learner, if the settings say so.
func (p *plan) writeModel(proc *model.Processor) error {
	if p.Out == "" {
		return nil
	}
	_, err := model.WriteFile(p.Out, daemon.Build().String(), p.config, proc)
	return err
}

// commandText is the command line as a shell reads it.
func commandText(args []string) string {
	out := []string{"rosenblatt"}
	for _, a := range args {
		if a == "" || strings.ContainsAny(a, " \t\n\"'\\$`*?[]{}()<>|&;#~!") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}
