// Package training is what `rosenblatt train` does, apart from its command line: it reads a file into memory, trains on
// it with the algorithms of package batch, writes the model and reports the result.
package training

import (
	"io"
	"slices"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/model"
)

// machine is one separator. A task of two labels has one. With several classes it separates a class from all others or,
// of a pair, from one.
type machine struct {
	class, against string // empty with two labels; against is empty for all others, too
	examples       func() []batch.Example
	*batch.Result
}

// task is what differs between two labels and several classes.
type task interface {
	// machines returns the machines that have to be trained.
	machines(s *set) ([]machine, error)
	// adopt makes the set's model of the trained machines.
	adopt(s *set, machines []machine) error
	// report returns the result.
	report(s *set, machines []machine) report
}

// report is a result in its two forms.
type report interface {
	json() any
	print(p *plan) error
}

// Run trains as the settings say. Given holds the names of the settings that were given.
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
	if err := p.write(p.task.report(data, machines)); err != nil {
		return err
	}
	if s.RequireSeparated && !separated(machines) {
		return cli.ErrReported
	}
	return nil
}

// train trains each machine. The work for the search for the maximal margin is divided among them.
func (p *plan) train(s *set) ([]machine, error) {
	machines, err := p.task.machines(s)
	if err != nil {
		return nil, err
	}
	o := p.options
	o.StartWeights, o.StartBias = s.start, s.bias
	if o.Work > 0 {
		o.Work = max(1, o.Work/int64(len(machines)))
	}
	table := &passTable{out: p.program.Stdout, heldOut: o.HeldOut > 0}
	if p.scheme == "" && p.JSON != "-" {
		o.OnPass = table.pass
	}
	for i := range machines {
		m := &machines[i]
		if m.Result, err = batch.Train(m.examples(), len(s.slots), o); err != nil {
			return nil, err
		}
	}
	table.end()
	return machines, nil
}

// write writes the JSON and prints the report, unless the JSON goes to standard output.
func (p *plan) write(r report) error {
	if err := p.program.WriteFile(p.JSON, func(w io.Writer) error { return cli.WriteJSON(w, r.json()) }); err != nil {
		return err
	}
	if p.JSON == "-" {
		return nil
	}
	return r.print(p)
}

// separated reports whether every machine is.
func separated(machines []machine) bool {
	return !slices.ContainsFunc(machines, func(m machine) bool { return !m.Separated })
}
