package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/events"
	"rosenblatt/learner"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

// trainCommand runs the batch algorithms over a file.
type trainCommand struct {
	File string `arg:"" placeholder:"FILE|-" help:"A file of events, one on a line (${endings}, also .gz .zst), or - for standard input."`

	Algorithm string  `group:"Algorithm" default:"primal" placeholder:"NAME" help:"primal corrects mistaken examples until there are none, pla goes through all in passes, dual counts corrections and takes a kernel: dual:kernel=poly,degree=2,offset=1 or dual:kernel=rbf,gamma=0.5 (default: ${default})."`
	Order     string  `group:"Algorithm" default:"cyclic" placeholder:"cyclic|random" help:"Examples as they stand, or by chance: primal and dual pick any mistaken one, pla shuffles each pass (default: ${default})."`
	Seed      uint64  `group:"Algorithm" default:"0" placeholder:"N" help:"Seed of --order random and of what --validation holds out (default: ${default})."`
	Rate      float64 `group:"Algorithm" default:"1" placeholder:"N" help:"Factor of a correction, over 0 up to 1 (default: ${default})."`
	Threshold float64 `group:"Algorithm" default:"0" placeholder:"N" help:"An example is corrected when label times score is at most this (default: ${default})."`
	Weights   string  `group:"Algorithm" placeholder:"FILE" help:"Weights to start from: a JSON object, name: number; \"bias\" is the bias."`

	Until      string  `group:"End" default:"separated" placeholder:"separated|budget|validation|stable" help:"When to end: no example is left to correct; the budget is used up; the error on examples held out no longer falls; weights hardly change. The first two always end it (default: ${default})."`
	MaxPasses  int     `group:"End" default:"1000" placeholder:"N" help:"Budget of passes (default: ${default})."`
	MaxUpdates int64   `group:"End" default:"0" placeholder:"N" help:"Budget of updates; 0 is without limit (default: ${default})."`
	Validation float64 `group:"End" default:"0" placeholder:"FRACTION" help:"Fraction of the examples held out; for --until validation 0.2 where none is given (default: ${default})."`
	Patience   int     `group:"End" default:"5" placeholder:"N" help:"Passes without a lower validation error before the end (default: ${default})."`
	Tolerance  float64 `group:"End" default:"0.001" placeholder:"N" help:"Weights hardly change when a pass changes them by at most this part of their length (default: ${default})."`
	Keep       string  `group:"End" default:"best" placeholder:"best|last" help:"Which weights count at the end: the separator, else those with the least mistakes (of --until validation: on what was held out), or the last ones (default: ${default})."`

	Scale    string `group:"Learning" default:"none" placeholder:"standard|maxabs|none" help:"How features are scaled, by statistics of the whole file (default: ${default})."`
	Bits     int    `group:"Learning" default:"18" placeholder:"N" help:"Features share 2^N weights, 1 to 30 (default: ${default})."`
	HashSeed uint64 `group:"Learning" default:"0" placeholder:"N" help:"Seed of the hash that gives a feature its weight, as run's --seed (default: ${default})."`
	MaxNames int    `group:"Learning" default:"262144" placeholder:"N" help:"Most feature names remembered, for reading weights (default: ${default})."`

	Task       string `group:"Several classes" default:"binary" placeholder:"binary|multiclass" help:"Whether labels are one of two, or one of any number of classes (default: ${default})."`
	Multiclass string `group:"Several classes" placeholder:"ova|ovo" help:"Train a machine for each class against all others, or for each pair of classes, which then vote (default: ova)."`
	MaxClasses int    `group:"Several classes" placeholder:"N" help:"Most classes; an event with a label beyond is rejected (default: 1000, with ovo 100)."`

	GramBytes  int64 `group:"Effort" default:"268435456" placeholder:"N" help:"Memory for the Gram matrix, which is computed once when it fits, else row by row (default: ${default})."`
	MarginWork int64 `group:"Effort" default:"1000000000" placeholder:"N" help:"Multiplications that the search for the maximal margin may take; 0 is none (default: ${default})."`

	RequireSeparated bool   `group:"Results" help:"Exit with 1 unless a separator was found."`
	Strict           bool   `group:"Results" help:"End at the first event that is rejected, instead of counting it."`
	Out              string `group:"Results" placeholder:"FILE" help:"Write the model, for run and replay --from-model."`
	JSON             string `group:"Results" name:"json" placeholder:"FILE" help:"Write the result as JSON; - for standard output, instead of the table."`

	daemon.Events `embed:"" group:"Events"`
}

// Run is called by kong.
func (c *trainCommand) Run(p *cli.Program, call *kong.Context) error {
	plan, err := c.check(cli.Given(call))
	if err != nil {
		return err
	}
	set, err := c.read(p, plan)
	if err != nil {
		return err
	}
	if plan.scheme != "" {
		return c.finishClasses(p, plan, set)
	}
	table := &passTable{out: p.Stdout, heldOut: plan.options.HeldOut > 0}
	if c.JSON != "-" {
		plan.options.OnPass = table.pass
	}
	result, err := set.train(plan)
	if err != nil {
		return err
	}
	table.end()
	if c.Out != "" {
		if err := set.write(c.Out, plan, result); err != nil {
			return err
		}
	}
	if err := c.tell(p, plan, set, result); err != nil {
		return err
	}
	if c.RequireSeparated && !result.Separated {
		return cli.ErrReported
	}
	return nil
}

// trainPlan is what the flags come to.
type trainPlan struct {
	format  string // asked for; empty: by the file's ending
	options batch.Options
	weights *model.Weights
	scheme  string // of several classes, else empty
}

// check finds all that is wrong with the flags.
func (c *trainCommand) check(given map[string]bool) (*trainPlan, error) {
	w := &cli.Faults{}
	plan := &trainPlan{}
	if given["format"] {
		plan.format = c.Format
	}
	algorithm, kernel, err := batch.ParseAlgorithm(c.Algorithm)
	w.Check("algorithm", unprefixed(err))
	w.AddIf(c.Bits < 1 || c.Bits > learner.MaxBits, "bits: %d: want 1 to %d", c.Bits, learner.MaxBits)
	w.AddIf(c.MaxNames < 1, "max-names: %d: want 1 or more", c.MaxNames)
	w.AddIf(c.MaxPasses < 1, "max-passes: %d: want 1 or more", c.MaxPasses)
	w.AddIf(c.Patience < 1, "patience: %d: want 1 or more", c.Patience)
	w.AddIf(c.GramBytes < 1, "gram-bytes: %d: want 1 or more", c.GramBytes)
	w.AddIf(c.MarginWork < 0, "margin-work: %d: want 0 or more", c.MarginWork)
	w.AddIf(!(c.Rate > 0), "rate: %v: want a number over 0 and up to 1", c.Rate)
	w.AddIf(!(c.Tolerance > 0), "tolerance: %v: want a number over 0 and under 1", c.Tolerance)
	scales := []string{learner.ScaleStandard, learner.ScaleMaxAbs, learner.ScaleNone}
	w.AddIf(!slices.Contains(scales, c.Scale), "scale: %q: want %s", c.Scale, strings.Join(scales, ", "))
	c.checkClasses(w, plan, kernel)
	if c.Weights != "" {
		plan.weights, err = daemon.ReadWeights(c.Weights)
		w.Check("weights", err)
		w.AddIf(err == nil && kernel.Name != batch.Linear && len(plan.weights.Names) > 0,
			"weights: kernel %s has no weights to start from, only a bias", kernel.Name)
	}
	plan.options = batch.Options{
		Algorithm: algorithm, Kernel: kernel, Order: c.Order, Seed: c.Seed, Rate: c.Rate, Threshold: c.Threshold,
		Until: c.Until, MaxPasses: c.MaxPasses, MaxUpdates: c.MaxUpdates, HeldOut: c.Validation, Patience: c.Patience,
		Tolerance: c.Tolerance, Keep: c.Keep, GramBytes: c.GramBytes, Work: cmp.Or(c.MarginWork, -1),
	}
	if w.Err() == nil {
		w.AddIf(plan.options.Validate() != nil, "%w", unprefixed(plan.options.Validate()))
	}
	plan.options = plan.options.WithDefaults()
	return plan, w.Err()
}

// unprefixed takes off the name of the package that an error comes from.
func unprefixed(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "batch: "), "learner: "))
}

// name is the file's in messages.
func (c *trainCommand) name() string {
	if c.File == "-" {
		return "standard input"
	}
	return c.File
}

// open opens the file.
func (c *trainCommand) open(p *cli.Program, plan *trainPlan) (*events.Source, error) {
	var source *events.Source
	var err error
	if c.File == "-" {
		source, err = events.From(p.Stdin, c.name(), plan.format)
	} else {
		source, err = events.Open(c.File, plan.format)
	}
	if errors.Is(err, events.ErrFormat) {
		return nil, &cli.UsageError{Err: err}
	}
	return source, err
}

// fixed is how events of this source are read, and what the model is.
func (c *trainCommand) fixed(plan *trainPlan, source *events.Source) (model.Config, error) {
	o := c.Events.Options(source.Format(), c.Bits, c.HashSeed)
	if c.Task == event.Multiclass {
		o.Task = event.Multiclass
	}
	if err := c.Complete(&o, source.Columns(), len(c.Columns) > 0); err != nil {
		return model.Config{}, err
	}
	k := plan.options.Kernel
	spec := learner.Spec{Scale: c.Scale, Bits: c.Bits, MaxNames: c.MaxNames, Rate: c.Rate, Threshold: c.Threshold}
	if k.Name != batch.Linear {
		spec.Learner, spec.Kernel, spec.Degree, spec.Offset, spec.Gamma = learner.Dual, k.Name, k.Degree, k.Offset, k.Gamma
	}
	fixed := model.Config{Learner: spec.WithDefaults(), Decode: o}
	if plan.scheme != "" {
		fixed.Multiclass, fixed.MaxClasses = plan.scheme, c.MaxClasses
		if err := fixed.Validate(); err != nil {
			return fixed, &cli.UsageError{Err: unprefixed(err)}
		}
	}
	return fixed, nil
}
