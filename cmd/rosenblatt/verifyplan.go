package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// verifyPlan is what the flags of an audit come to.
type verifyPlan struct {
	with   *daemon.Resolved
	model  string
	named  bool             // flags name parameters of the model
	file   string           // the checkpoint that parameters are from; empty: from flags
	header *model.Header    // of file
	proc   *model.Processor // of file
	whole  bool             // begin with nothing, not with file
	notes  []string         // what the reader of the result must know
}

// modelGroup is the group of the flags that name a model's parameters, which a checkpoint knows itself.
const modelGroup = "The model, as run was told (without a checkpoint)"

// startsFrom are the flags of that group that no checkpoint knows: with which weights a model began.
var startsFrom = []string{"from-model", "weights"}

// namesModel tells whether parameters of the model are given.
func namesModel(call *kong.Context) bool {
	return slices.ContainsFunc(call.Path, func(at *kong.Path) bool {
		f := at.Flag
		return f != nil && f.Group != nil && f.Group.Key == modelGroup && !slices.Contains(startsFrom, f.Name)
	})
}

// plan reads the flags, and the checkpoint they name.
func (c *verifyCommand) plan(p *cli.Program, call *kong.Context) (*verifyPlan, error) {
	given := cli.Given(call)
	with, err := c.settings().Resolve()
	if err != nil {
		return nil, err
	}
	plan := &verifyPlan{with: with, model: with.Settings.Model, named: namesModel(call)}
	if c.Show < 0 {
		return nil, cli.Usagef("--show %d: want 0 or more", c.Show)
	}
	if err := c.readState(p, plan, given["state"]); err != nil || plan.header == nil {
		return plan, err
	}
	if given["model"] && plan.header.Model != c.Model {
		return nil, fmt.Errorf("%s is a checkpoint of model %s, not of %s", plan.file, plan.header.Model, c.Model)
	}
	plan.model = plan.header.Model
	return plan, plan.compare()
}

// settings are those of a daemon that would do what is audited.
func (c *verifyCommand) settings() daemon.Settings {
	s := daemon.Defaults()
	s.Connection, s.Events, s.Learning, s.Classes = c.Connection, c.Events, c.Learning, c.Classes
	s.Input, s.Output, s.DeadLetter, s.Model, s.State = c.Input, c.Output, c.DeadLetter, c.Model, c.State
	s.MaxBatchBytes, s.Skip = c.MaxBatchBytes, c.Skip
	return s
}

// readState finds the checkpoint that parameters are from.
func (c *verifyCommand) readState(p *cli.Program, plan *verifyPlan, wanted bool) error {
	path := c.FromCheckpoint
	if path == "" {
		folder := plan.with.Folder
		plan.whole = true
		files, err := (&checkpoint.Store{Dir: folder}).Files()
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		switch {
		case !wanted && (plan.named || len(files) == 0):
			return nil
		case len(files) == 0:
			return fmt.Errorf("%s holds no checkpoint: want the --state and --model that run was given, or, without a checkpoint, its other flags", folder)
		}
		path = folder
	}
	file, err := openCheckpoint(path, p.Stderr)
	if err != nil {
		return err
	}
	h, proc, err := model.Read(file)
	if err != nil {
		return err
	}
	if len(h.Positions) == 0 {
		return fmt.Errorf("%s is a model without a history, as train writes it: give it as --from-model, with the flags that run was given", file.Path)
	}
	plan.file, plan.header, plan.proc = file.Path, &h, proc
	return nil
}

// compare refuses parameters that are not the checkpoint's.
func (plan *verifyPlan) compare() error {
	if !plan.named {
		return nil
	}
	diff, err := plan.header.Config.Diff(plan.with.Task.Fixed)
	if err != nil || len(diff) == 0 {
		return err
	}
	lines := make([]string, len(diff))
	for i, d := range diff {
		lines[i] = fmt.Sprintf("%s is %s there, %s here", d.Name, d.Was, d.Now)
	}
	return cli.Usagef("the flags are not what %s says: %s; leave the flags out to take the checkpoint's parameters, "+
		"or --state and --from-checkpoint to take the flags'", plan.file, strings.Join(lines, "; "))
}

// start makes the model that the audit begins with.
func (plan *verifyPlan) start(ctx context.Context, client *kafka.Client) (verify.Start, error) {
	if plan.header == nil {
		return plan.fromFlags(ctx, client)
	}
	top, err := client.Topology(ctx)
	if err != nil {
		return verify.Start{}, err
	}
	if err := verify.SameInput(plan.header, top); err != nil {
		return verify.Start{}, err
	}
	if !plan.whole {
		return verify.FromCheckpoint(plan.header, plan.proc, top), nil
	}
	proc, err := plan.untrained(plan.header.Config)
	if err != nil {
		return verify.Start{}, err
	}
	from, ok := verify.FromNothing(plan.header, proc)
	if n := len(plan.header.Accepted); n > 0 {
		a := plan.header.Accepted[n-1]
		plan.notes = append(plan.notes, fmt.Sprintf("an operator accepted %s on %s, behind seq %d (%s): what came before cannot be computed again, the audit begins behind it",
			a.Name, a.Time.Format("2006-01-02 15:04"), a.Seq, a.What))
	}
	if ok {
		return from, nil
	}
	return plan.oldest(top)
}

// untrained is a new model, with the weights it starts from.
func (plan *verifyPlan) untrained(fixed model.Config) (*model.Processor, error) {
	proc, err := model.NewProcessor(fixed)
	if err != nil {
		return nil, err
	}
	if path := plan.with.Task.FromModel; path != "" {
		if err := proc.StartFrom(fixed, path); err != nil {
			return nil, err
		}
	}
	if w := plan.with.Task.Weights; w != nil {
		return proc, proc.SetWeights(w)
	}
	return proc, nil
}

// fromFlags is the start that the flags of run stand for.
func (plan *verifyPlan) fromFlags(ctx context.Context, client *kafka.Client) (from verify.Start, err error) {
	task := plan.with.Task
	from = verify.Start{Fixed: task.Fixed, Skipped: task.Skip}
	if from.Processor, err = plan.untrained(task.Fixed); err != nil {
		return from, err
	}
	if plan.with.Start.Latest {
		ends, err := client.OffsetsAt(ctx, daemon.LogEnd)
		if err != nil {
			return from, err
		}
		for range ends {
			from.Positions = append(from.Positions, verify.Unknown)
		}
		plan.notes = append(plan.notes, "--start latest: where the model began is not known, so each partition is audited from its first answer on")
		return from, nil
	}
	from.Positions, err = plan.with.Start.Positions(ctx, client)
	return from, err
}

// oldest starts from the oldest checkpoint in the folder that knows of the last accepted stop.
func (plan *verifyPlan) oldest(top *topics.Topology) (verify.Start, error) {
	last := plan.header.Accepted[len(plan.header.Accepted)-1]
	h, proc, path := plan.header, plan.proc, plan.file
	err := plan.each(func(file string, older *model.Header, p *model.Processor) {
		if len(older.Accepted) == len(plan.header.Accepted) && older.Epoch >= last.Epoch {
			h, proc, path = older, p, file
		}
	})
	if err != nil {
		return verify.Start{}, err
	}
	plan.file, plan.header, plan.proc, plan.whole = path, h, proc, false
	return verify.FromCheckpoint(h, proc, top), nil
}

// each shows the valid checkpoints of the model's folder, the newest first.
func (plan *verifyPlan) each(visit func(path string, h *model.Header, p *model.Processor)) error {
	files, err := (&checkpoint.Store{Dir: filepath.Dir(plan.file)}).Files()
	if err != nil {
		return err
	}
	for _, path := range files {
		file, err := checkpoint.Open(nil, path)
		if err != nil {
			continue // damaged, or pruned by a running daemon
		}
		h, proc, err := model.Read(file)
		if err != nil {
			continue
		}
		visit(path, &h, proc)
	}
	return nil
}

// reaching is the oldest checkpoint from which the topics still hold all; empty without one.
func (plan *verifyPlan) reaching(ctx context.Context, client *kafka.Client) (found string) {
	if plan.file == "" {
		return ""
	}
	top, err := client.Topology(ctx)
	if err != nil {
		return "" // the stop itself is what counts
	}
	_ = plan.each(func(path string, h *model.Header, _ *model.Processor) {
		if verify.Reaches(h, top) && (plan.whole || path != plan.file) {
			found = path
		}
	})
	return found
}
