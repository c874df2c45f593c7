package audit

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/stream/model"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/state"
)

type plan struct {
	*Settings
	program *cli.Program
	with    *daemon.Resolved
	asked   *registry.Client // nil: nobody is
	model   string
	labels  state.LabelsConfig
	named   bool             // settings name parameters of the model
	file    string           // the checkpoint that parameters are from; empty: from settings
	saved   *checkpoint.File // it
	header  *model.Header    // of file
	proc    *model.Processor // of file
	whole   bool             // begin with an untrained model, not with file
	newest  newest           // checkpoint at hand
	notes   []string         // for the reader of the result
	given   bool             // the state folder is a setting

	partition *int32 // the only one that the model has; nil: all
}

// unknownToCheckpoints are the settings of ModelGroup that no checkpoint knows: with which weights a model began.
var unknownToCheckpoints = []string{"from-model", "weights"}

// plan checks the settings and reads the checkpoint that they name.
func (s *Settings) plan(program *cli.Program, given map[string]bool, parameters []string) (*plan, error) {
	settings := s.daemon()
	if len(parameters) == 0 && s.Labels == "" {
		settings.Registry = daemon.Registry{} // the checkpoint says whether there is something to ask
	}
	with, err := settings.Resolve()
	if err != nil {
		return nil, err
	}
	var wrong cli.Faults
	if with.Registry = s.RegistryOptions(&wrong); len(wrong) > 0 {
		return nil, wrong
	}
	p := &plan{Settings: s, program: program, with: with, model: with.Settings.Model, given: given["state"]}
	if err := p.choosePartition(); err != nil {
		return nil, err
	}
	p.named = slices.ContainsFunc(parameters, func(name string) bool {
		return !slices.Contains(unknownToCheckpoints, name)
	})
	if s.Show < 0 {
		return nil, cli.Usagef("--show %d: want 0 or more", s.Show)
	}
	if err := p.readState(); err != nil {
		return p, err
	}
	p.readNewest()
	if err := p.checkLabels(given); err != nil {
		return p, err
	}
	if p.header == nil {
		if text := p.AdviseLabel(&with.Task.ModelConfig.Decode); text != "" && !s.NoLearn {
			p.notes = append(p.notes, text)
		}
		return p, nil
	}
	if (given["model"] || p.partition != nil) && p.header.Model != p.model {
		return nil, fmt.Errorf("%s is a checkpoint of model %s, not of %s", p.file, p.header.Model, p.model)
	}
	p.model, p.partition = p.header.Model, p.header.Partition
	return p, p.compare()
}

// choosePartition takes the model of --partition.
func (p *plan) choosePartition() error {
	t := &p.with.Settings.Topics
	if p.partition = p.Partition; p.partition == nil {
		h := inspection.NewestHeader(t.Folder(t.TaskModel(0)))
		if h != nil && h.Partition != nil && p.FromCheckpoint == "" {
			return cli.Usagef("%s has a model for each partition: name one with --partition N", t.Folder(t.Model)+".*")
		}
		return nil
	}
	if *p.partition < 0 {
		return cli.Usagef("partition: %d: want 0 or more", *p.partition)
	}
	p.model = t.TaskModel(*p.partition)
	p.with.Folder = t.Folder(p.model)
	return nil
}

// readState finds the checkpoint that parameters are from.
func (p *plan) readState() error {
	path := p.FromCheckpoint
	if path == "" {
		folder := p.with.Folder
		p.whole = true
		files, err := (&checkpoint.Store{Dir: folder}).Files()
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		switch {
		case !p.given && (p.named || len(files) == 0):
			return nil
		case len(files) == 0:
			return fmt.Errorf("%s holds no checkpoint: want the --state and --model that run was given, or, without "+
				"a checkpoint, no --state and the other flags of run", folder)
		}
		path = folder
	}
	file, err := inspection.Open(path, p.program.Stderr)
	if err != nil {
		return err
	}
	h, proc, err := model.Read(file)
	if err != nil {
		return err
	}
	if len(h.Positions) == 0 {
		return fmt.Errorf("%s is a model without a history, as train writes it: give it as --from-model, with the "+
			"flags that run was given", file.Path)
	}
	p.file, p.saved, p.header, p.proc = file.Path, file, &h, proc
	return nil
}

func (p *plan) compare() error {
	if !p.named {
		return nil
	}
	diff, err := p.header.Config.Diff(p.with.Task.ModelConfig)
	if err != nil || len(diff) == 0 {
		return err
	}
	lines := make([]string, len(diff))
	for i, d := range diff {
		lines[i] = fmt.Sprintf("%s is %s there, %s here", d.Title(), d.Was, d.Now)
	}
	return cli.Usagef("the flags are not what %s says: %s; leave the flags out to take the checkpoint's parameters, "+
		"or --state and --from-checkpoint to take the flags'", p.file, strings.Join(lines, "; "))
}
