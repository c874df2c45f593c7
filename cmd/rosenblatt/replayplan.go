package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
)

// replayPlan is what the flags of a replay come to.
type replayPlan struct {
	given    map[string]bool
	security daemon.Security
	troubles zerolog.Logger // with brokers
	delay    replay.Delay
	from, to bound
	names    []string // of the learners, as given
	model    *model.Processor
	fixed    model.Config // of the model
	weights  *model.Weights
	decode   event.Options // complete when the source is open

	contenders []contender // who is evaluated beside the model
}

// bound is an offset or a time in a topic.
type bound struct {
	set    bool
	offset int64
	time   int64 // milliseconds since 1970; 0 when it is an offset
}

// check finds all that is wrong with the flags, and reads the model. Notes are for the user.
func (c *replayCommand) check(given map[string]bool, notes io.Writer) (*replayPlan, error) {
	w := &cli.Faults{}
	plan := &replayPlan{given: given, troubles: daemon.Logging{LogFormat: "console"}.Logger(notes)}
	c.checkSource(w, plan)
	c.checkClasses(w)
	w.AddIf(c.Repeat < 1, "repeat: %d: want 1 or more", c.Repeat)
	w.AddIf(c.Bits < 1 || c.Bits > learner.MaxBits, "bits: %d: want 1 to %d", c.Bits, learner.MaxBits)
	w.AddIf(c.MaxNames < 1, "max-names: %d: want 1 or more", c.MaxNames)
	w.AddIf(c.NoLearn && c.FromModel == "" && c.Weights == "", "no-learn: a learner that never learns needs --from-model or --weights")
	for _, words := range c.Learner {
		plan.names = append(plan.names, strings.Fields(words)...)
	}
	if len(plan.names) == 0 && c.FromModel == "" {
		plan.names = []string{learner.Perceptron}
	}
	for _, name := range plan.names {
		err := learner.ParseLearner(name, &learner.Spec{})
		w.AddIf(err != nil, "%w", err)
	}
	if c.Weights != "" {
		weights, err := daemon.ReadWeights(c.Weights)
		w.Check("weights", err)
		plan.weights = weights
	}
	var err error
	plan.delay, err = parseDelay(c.Delay)
	w.Check("delay", err)
	w.AddIf(plan.delay.Time > 0 && c.Topic == "", "delay: %s: the events of a file have no timestamps: want a number of events", c.Delay)
	if err := w.Err(); err != nil {
		return nil, err
	}
	if err := c.readModel(plan); err != nil {
		return nil, err
	}
	return plan, c.enter(plan, notes)
}

func (c *replayCommand) checkSource(w *cli.Faults, plan *replayPlan) {
	w.AddIf(c.Topic == "" && len(c.Files) == 0, "nothing to replay: want a file, - for standard input, or --topic")
	w.AddIf(c.Topic != "" && len(c.Files) > 0, "both a file and --topic: want one of them")
	w.AddIf(c.Order != "time" && c.Order != "journal", "order: %q: want time or journal", c.Order)
	w.AddIf(c.Journal != "" && c.Journal == c.Topic, "journal: %s: want the topic of answers, not the one that is replayed", c.Journal)
	w.AddIf(c.Journal != "" && c.Order != "journal", "journal: it is followed with --order journal only")
	for i, path := range c.Files {
		w.AddIf(path == "-" && slices.Contains(c.Files[:i], "-"), "standard input can be read only once")
	}
	if c.Topic == "" {
		for _, flag := range []string{"from", "to", "partitions", "journal"} {
			w.AddIf(plan.given[flag], "%s: it needs --topic", flag)
		}
		w.AddIf(c.Order == "journal", "order: a journal needs --topic")
		return
	}
	var err error
	plan.security, err = c.Secure()
	w.Join(err)
	plan.from, err = parseBound(c.From)
	w.Check("from", err)
	plan.to, err = parseBound(c.To)
	w.Check("to", err)
	w.AddIf(c.Order == "journal" && (c.From != "" || c.To != "" || len(c.Partitions) > 0), "order: a journal is followed from its start to its end: leave out --from, --to and --partitions")
}

// parseBound reads an offset or a time.
func parseBound(text string) (bound, error) {
	if text == "" {
		return bound{}, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return bound{set: true, offset: n}, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil && t.UnixMilli() > 0 {
		return bound{set: true, time: t.UnixMilli()}, nil
	}
	return bound{}, fmt.Errorf("%q: want an offset, or a time as 2026-01-31T18:00:00Z", text)
}

// parseDelay reads a number of events or a duration.
func parseDelay(text string) (replay.Delay, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return replay.Delay{Examples: n}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 && d%time.Millisecond == 0 {
		return replay.Delay{Time: d}, nil
	}
	return replay.Delay{}, fmt.Errorf("%q: want a number of events, or a duration of whole milliseconds, as 10m", text)
}

// readModel reads the model of --from-model.
func (c *replayCommand) readModel(plan *replayPlan) error {
	if c.FromModel == "" {
		return nil
	}
	file, err := checkpoint.Open(nil, c.FromModel)
	if err != nil {
		return fmt.Errorf("from-model: %w", err)
	}
	header, proc, err := model.Read(file)
	if err != nil {
		return fmt.Errorf("from-model: %w", err)
	}
	if task := cmp.Or(header.Config.Decode.Task, event.Binary); plan.given["task"] && c.Task != task {
		return cli.Usagef("task: %s is a model of task %s: leave --task out", c.FromModel, task)
	}
	plan.model, plan.fixed = proc.Unscored(), header.Config
	plan.model.NoLearn = c.NoLearn
	for _, flag := range []string{"bits", "seed"} {
		if plan.given[flag] && (c.Bits != plan.fixed.Decode.Bits || c.Seed != plan.fixed.Decode.Seed) {
			return &cli.UsageError{Err: errors.New(flag + ": it is the model's: leave it out beside --from-model")}
		}
	}
	return nil
}

// options says how events of this format are read.
func (c *replayCommand) options(plan *replayPlan, format string, columns []string) (event.Options, error) {
	e := &c.Events
	usual := event.Defaults(format)
	o := event.Options{
		Format: format, LabelField: cmp.Or(e.LabelField, usual.LabelField), IDField: cmp.Or(e.IDField, usual.IDField),
		FeaturesField: cmp.Or(e.FeaturesField, usual.FeaturesField), WeightField: e.WeightField, TextField: e.TextField, Ignore: e.Ignore,
		Columns: e.Columns, Positive: e.Positive, LabelNames: e.LabelNames, Tombstones: e.Tombstones,
		MaxBytes: e.MaxBytes, MaxDepth: e.MaxDepth, MaxFeatures: e.MaxFeatures, Bits: c.Bits, Seed: c.Seed,
	}
	if c.task(plan) == event.Multiclass {
		o.Task = event.Multiclass
	}
	if plan.model != nil {
		o = c.modelOptions(plan, o)
	}
	if columns != nil {
		if plan.given["columns"] && !slices.Equal(columns, e.Columns) {
			return o, &cli.UsageError{Err: namesColumns(columns)}
		}
		o.Columns = columns
	}
	if err := o.Validate(); err != nil {
		return o, cli.Usagef("format %s: %w", format, err)
	}
	return o, nil
}

// namesColumns is met when --columns says something else than the first row of a file of csv.
func namesColumns(columns []string) error {
	return fmt.Errorf("columns: the file's first row names them, %s: leave --columns out, or give the file a first row of names", strings.Join(columns, ","))
}

// modelOptions are the model's own options where no flag says otherwise. In another format than the model's its fields mean
// nothing: what is left is how names become slots and how labels are spelled.
func (c *replayCommand) modelOptions(plan *replayPlan, o event.Options) event.Options {
	was := plan.fixed.Decode
	o.Bits, o.Seed = was.Bits, was.Seed
	keep := func(flag string, take func()) {
		if !plan.given[flag] {
			take()
		}
	}
	if !plan.given["label-names"] && !plan.given["positive"] {
		o.Positive, o.LabelNames = was.Positive, was.LabelNames
	}
	keep("max-bytes", func() { o.MaxBytes = was.MaxBytes })
	keep("max-depth", func() { o.MaxDepth = was.MaxDepth })
	keep("max-features", func() { o.MaxFeatures = was.MaxFeatures })
	keep("tombstones", func() { o.Tombstones = was.Tombstones })
	if o.Format != was.Format {
		return o
	}
	keep("label-field", func() { o.LabelField = was.LabelField })
	keep("id-field", func() { o.IDField = was.IDField })
	keep("features-field", func() { o.FeaturesField = was.FeaturesField })
	keep("weight-field", func() { o.WeightField = was.WeightField })
	keep("text-field", func() { o.TextField = was.TextField })
	keep("ignore", func() { o.Ignore = was.Ignore })
	keep("columns", func() { o.Columns = was.Columns })
	return o
}
