// Package training is what `rosenblatt train` does, apart from its command line: it trains on a file in memory with
// package batch.
package training

import (
	"io"
	"slices"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/model"
)

// machine is one separator: of two labels, of a class and all others, or of a pair of classes.
type machine struct {
	class, against string // empty with two labels; against is empty for all others, too
	// examples also returns which are held out.
	examples func() (examples []batch.Example, out []bool)
	*batch.Result
}

type task interface {
	// machines returns the machines to train.
	machines(s *set) ([]machine, error)
	// adopt makes the set's model.
	adopt(s *set, machines []machine) error
}

// Run trains as the settings say. Given holds the names of the given settings.
func Run(program *cli.Program, s *Settings, given map[string]bool) error {
	p, err := newPlan(program, s, given)
	if err != nil {
		return err
	}
	data, err := p.read()
	if err != nil {
		return err
	}
	machines, err := p.train(data)
	if err != nil {
		return err
	}
	if err := p.task.adopt(data, machines); err != nil {
		return err
	}
	if s.Out != "" {
		if _, err := model.WriteFile(s.Out, daemon.Build().String(), data.fixed, data.proc); err != nil {
			return err
		}
	}
	if err := p.write(&report{p, data, machines}); err != nil {
		return err
	}
	if s.RequireSeparated && !separated(machines) {
		return cli.ErrReported
	}
	return nil
}

// train divides the work for the search for the maximal margin among the machines.
func (p *plan) train(s *set) ([]machine, error) {
	machines, err := p.task.machines(s)
	if err != nil {
		return nil, err
	}
	o := p.options
	if o.Work > 0 {
		o.Work = max(1, o.Work/int64(len(machines)))
	}
	table := &passTable{out: p.program.Stdout, heldOut: o.HeldOut > 0}
	if p.scheme == "" && p.JSON != "-" {
		o.OnPass = table.pass
	}
	for i := range machines {
		m := &machines[i]
		var examples []batch.Example
		examples, o.Out = m.examples()
		if i > 0 {
			s.randomize(&p.start, i)
		}
		o.StartWeights, o.StartBias = s.start, s.bias
		if m.Result, err = batch.Train(examples, len(s.slots), o); err != nil {
			return nil, err
		}
	}
	table.end()
	return machines, nil
}

// write prints no report if the JSON goes to standard output.
func (p *plan) write(r *report) error {
	if err := p.program.WriteFile(p.JSON, func(w io.Writer) error { return cli.WriteJSON(w, r.json()) }); err != nil {
		return err
	}
	if p.JSON == "-" {
		return nil
	}
	return r.print()
}

// separated reports whether every machine is.
func separated(machines []machine) bool {
	return !slices.ContainsFunc(machines, func(m machine) bool { return !m.Separated })
}
