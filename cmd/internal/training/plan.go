package training

import (
	"cmp"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/learner"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

// plan is the result of checking the settings.
type plan struct {
	*Settings
	program     *cli.Program
	task        task
	scheme      string // how several classes are told apart, else empty
	ties        string // of ovo: see learner.MultiSpec
	formatGiven bool   // else the file's ending tells it
	options     batch.Options
	weights     *model.Weights
	scale       learner.Spec // scaling alone
	start       learner.Spec // start weights alone
}

func newPlan(program *cli.Program, s *Settings, given map[string]bool) (*plan, error) {
	var f cli.Faults
	p := &plan{Settings: s, program: program, formatGiven: given["format"]}
	algorithm, kernel, err := batch.ParseAlgorithm(s.Algorithm)
	f.Check("algorithm", err)
	s.Table.Check(&f)
	f.AddIf(s.MaxPasses < 1, "max-passes: %d: want 1 or more", s.MaxPasses)
	f.AddIf(s.Patience < 1, "patience: %d: want 1 or more", s.Patience)
	f.AddIf(s.GramBytes < 1, "gram-bytes: %d: want 1 or more", s.GramBytes)
	f.AddIf(s.MarginWork < 0, "margin-work: %d: want 0 or more", s.MarginWork)
	f.AddIf(!(s.Rate > 0), "rate: %v: want a number over 0 and up to 1", s.Rate)
	f.Within("bias", int64(s.Bias), 0, 1)
	f.Check("start-weights", learner.ParseStartWeights(s.StartWeights, s.Seed, &p.start))
	f.AddIf(p.start.StartWeights != "" && kernel.Name != learner.KernelLinear,
		"start-weights: kernel %s has no weights to start from", kernel.Name)
	f.AddIf(!(s.Tolerance > 0), "tolerance: %v: want a number over 0 and under 1", s.Tolerance)
	f.Check("scale", learner.ParseScale(cmp.Or(s.Scale, learner.ScaleNone), &p.scale))
	p.checkTask(&f, kernel)
	f.Results([]cli.File{{"events", s.File}, {"weights", s.Weights}}, []cli.File{{"json", s.JSON}, {"out", s.Out}})
	if s.Out != "" {
		f.Check("out", model.CheckPath(s.Out))
	}
	p.weights = s.ReadWeights(&f)
	f.AddIf(p.weights != nil && kernel.Name != learner.KernelLinear && len(p.weights.Names) > 0,
		"weights: kernel %s has no weights to start from, only a bias", kernel.Name)
	p.options = batch.Options{
		Algorithm: algorithm, Kernel: kernel, Order: s.Order, Seed: s.Seed, Rate: s.Rate, Threshold: s.Threshold,
		Update: s.Update, Unbiased: s.Bias == 0,
		Until: s.Until, MaxPasses: s.MaxPasses, MaxUpdates: s.MaxUpdates, HeldOut: s.Validation, Patience: s.Patience,
		Tolerance: s.Tolerance, Keep: s.Keep, GramBytes: s.GramBytes, Work: cmp.Or(s.MarginWork, -1),
	}
	if len(f) == 0 {
		if err := p.options.Validate(); err != nil {
			f = append(f, err)
		}
	}
	p.options = p.options.WithDefaults()
	return p, f.Err()
}

// checkTask also checks what several classes do not allow.
func (p *plan) checkTask(f *cli.Faults, kernel learner.Kernel) {
	f.OneOf("task", p.Task, event.Binary, event.Multiclass)
	if p.Task != event.Multiclass {
		p.task = binary{p}
		f.AddIf(p.Multiclass != "" || p.MaxClasses != 0, "multiclass and max-classes are for --task %s: leave them out",
			event.Multiclass)
		return
	}
	p.task = multiclass{p}
	scheme := learner.MultiSpec{Scheme: learner.OVA}
	if p.Multiclass != "" {
		f.Check("multiclass", learner.ParseScheme(p.Multiclass, &scheme))
	}
	p.scheme, p.ties = scheme.Scheme, scheme.Ties
	f.AddIf(p.scheme == learner.Direct, "multiclass: %q: train has %s and %s", p.scheme, learner.OVA, learner.OVO)
	f.AddIf(kernel.Name != "" && kernel.Name != learner.KernelLinear,
		"algorithm: kernel %s: several classes are trained with the linear one", kernel.Name)
	f.AddIf(p.Weights != "", "weights: a task of several classes has a set of them for each: leave them out")
}

// fileName is the file's in messages.
func (p *plan) fileName() string {
	if p.File == "-" {
		return "standard input"
	}
	return p.File
}

func (p *plan) config(from *source.File) (c model.Config, err error) {
	c.Decode = p.Events.Options(from.Format(), p.Bits, p.HashSeed)
	c.Decode.Encoding = "" // files are UTF-8 when they are decoded
	if p.scheme != "" {
		c.Decode.Task, c.Multiclass, c.Ties, c.MaxClasses = event.Multiclass, p.scheme, p.ties, p.MaxClasses
	}
	if note, _ := p.OfFile(&c.Decode, from.Table()); note != "" {
		p.note(note)
	}
	if err := p.Complete(&c.Decode, from.Table(), len(p.Columns) > 0); err != nil {
		return c, err
	}
	if note := p.ChooseLabel(&c.Decode); note != "" {
		p.note(note)
	}
	if c.Decode.Columns != nil {
		daemon.NoteKinds(p.program.Stderr, &c.Decode, from.Ahead(daemon.KindRows))
	}
	k := p.options.Kernel
	spec := p.scale
	spec.Bits, spec.MaxNames, spec.Rate, spec.Threshold, spec.Update = p.Bits, p.MaxNames, p.Rate, p.Threshold, p.Update
	if p.Bias == 0 {
		spec.Bias = learner.BiasOff
	}
	if k.Name != learner.KernelLinear {
		spec.Learner, spec.Kernel = learner.Dual, k.Name
		spec.Degree, spec.Offset, spec.Gamma = k.Degree, k.Offset, k.Gamma
	}
	c.Learner = spec.WithDefaults()
	if p.scheme != "" {
		if err := c.Validate(); err != nil {
			return c, &cli.UsageError{Err: err}
		}
	}
	return c, nil
}
