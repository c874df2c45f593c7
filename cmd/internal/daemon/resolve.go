package daemon

import (
	"cmp"
	"encoding/json"
	"math"
	"os"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
	"rosenblatt/stream/profile"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/state"
)

// Resolved is the result of checking settings.
type Resolved struct {
	Settings Settings          // with those that follow from others filled in
	Kafka    kafka.Options     // but for the log
	Task     state.Config      // but for the start positions
	Start    Start             // where a new model begins
	Folder   string            // of the checkpoints; with Split none are there
	Registry *registry.Options // but for the log; nil without one
	Token    string            // that HTTP requests must bear; empty for none
}

// Resolve fills in what follows from other settings, checks everything, and reads the files that settings name. The
// error is cli.Faults: all that is wrong, each naming its setting and what is allowed.
func (s Settings) Resolve() (*Resolved, error) {
	s.derive()
	var f cli.Faults
	r := &Resolved{Settings: s}
	r.connect(&f)
	s.Topics.check(&f)
	s.CheckKeys(&f)
	r.Folder = s.Folder(s.Model)
	r.fixed(&f)
	fixed := &r.Task.ModelConfig
	r.Registry = s.RegistryFor(fixed.NamesSchemas(), fixed.Unasked(), &f)
	r.running(&f)
	r.web(&f)
	s.Logging.check(&f)
	r.once(&f)
	r.standby(&f)
	return r, f.Err()
}

// Fixed returns what the settings of events, learning, classes and labels make of a model. Resolve has it as
// Task.ModelConfig, with all other settings.
func (s Settings) Fixed() (model.Config, error) {
	s.derive()
	var f cli.Faults
	r := &Resolved{Settings: s}
	r.fixed(&f)
	return r.Task.ModelConfig, f.Err()
}

// fixed checks what makes the configuration of a model.
func (r *Resolved) fixed(f *cli.Faults) {
	r.events(f)
	r.learning(f)
	r.classes(f)
	r.decisions(f)
	r.challengers(f)
	r.late(f)
}

func (r *Resolved) connect(f *cli.Faults) {
	s := &r.Settings
	cluster, err := s.Cluster()
	f.Join(err)
	if s.Standby.Standby {
		cluster.ResponseTimeout = s.responseTimeout()
	}
	codec, err := recordbatch.ParseCodec(s.Compression)
	f.AddIf(err != nil, "compression: %q: want none, lz4, zstd, snappy or gzip", s.Compression)
	r.Kafka = kafka.Options{
		ClusterOptions: cluster, Input: s.Input, Output: s.Output, DeadLetters: s.DeadLetter,
		Checkpoints:     s.CheckpointTopic,
		TransactionalID: s.TransactionalID(), Group: s.Group, Codec: codec, MaxBatchBytes: s.MaxBatchBytes,
		Split: s.Split(),
	}
}

func (r *Resolved) events(f *cli.Faults) {
	e, l := &r.Settings.Events, &r.Settings.Learning
	before := len(*f)
	e.Check(f)
	l.Table.Check(f)
	o := e.Options(e.Format, l.Bits, l.Seed)
	if len(*f) == before {
		if err := o.Validate(); err != nil {
			f.Addf("format %s: %w%s", e.Format, err, columnsOf(&o, l.FromModel))
		}
	}
	r.Task.ModelConfig.Decode = o
}

func (r *Resolved) learning(f *cli.Faults) {
	l := &r.Settings.Learning
	spec := l.Spec(f, "", l.Seed)
	if err := ParseLearner(l.Learner, &spec, false); err != nil {
		*f = append(*f, err) // it names the setting
	}
	r.Task.ModelConfig.Learner, r.Task.ModelConfig.LearnerText, r.Task.ModelConfig.NoLearn = spec, l.Learner, l.NoLearn
	r.Task.Weights = l.ReadWeights(f)
	if r.Task.FromModel = l.FromModel; l.FromModel != "" {
		_, err := os.Stat(l.FromModel)
		f.Check("from-model", err)
		f.AddIf(l.Weights != "" || spec.StartWeights != "", "from-model: give it or start weights, not both")
	}
	start, err := ParseStart(l.Start)
	f.Check("start", err)
	r.Start = start
}

// classes checks how several classes are told apart, after events and learning.
func (r *Resolved) classes(f *cli.Faults) {
	c, fixed := &r.Settings.Classes, &r.Task.ModelConfig
	f.OneOf("task", c.Task, event.Binary, event.Multiclass)
	if c.Task != event.Multiclass {
		f.AddIf(c.Multiclass != "" || c.MaxClasses != 0 || r.Settings.Scores,
			"task %s: multiclass, max-classes and scores are for task %s: leave them out", c.Task, event.Multiclass)
		return
	}
	fixed.Decode.Task, fixed.Scores = event.Multiclass, r.Settings.Scores
	f.AddIf(r.Settings.Positive != "" || len(r.Settings.LabelNames) != 0,
		"task %s: positive and label-names are for two labels: leave them out", c.Task)
	f.AddIf(r.Task.Weights != nil, "weights: a task of several classes has a set of them for each: leave them out")
	spec := learner.MultiSpec{Spec: fixed.Learner, MaxClasses: c.MaxClasses}
	if c.Multiclass != "" {
		f.Check("multiclass", learner.ParseScheme(c.Multiclass, &spec))
	}
	if spec.Validate() != nil {
		spec.Scheme = cmp.Or(spec.Scheme, learner.OVA)
	}
	if len(*f) == 0 {
		if err := spec.Validate(); err != nil {
			f.Addf("multiclass: %w", err)
		}
	}
	spec = spec.WithDefaults()
	c.Multiclass, c.MaxClasses = spec.SchemeText(), spec.MaxClasses
	fixed.Multiclass, fixed.Ties, fixed.MaxClasses = spec.Scheme, spec.Ties, spec.MaxClasses
}

// decisions checks how scores become predictions, after the classes.
func (r *Resolved) decisions(f *cli.Faults) {
	l, fixed := &r.Settings.Learning, &r.Task.ModelConfig
	if err := fixed.SetDecisions(l.Calibrate, l.Decide); err != nil {
		*f = append(*f, err) // it names the setting
		return
	}
	var err error
	if r.Task.Drift, err = fixed.SetDrift(l.Drift, l.OnDrift); err != nil {
		*f = append(*f, err)
	}
}

// challengers reads the further learners, after the configuration of the learner beside them.
func (r *Resolved) challengers(f *cli.Faults) {
	fixed := &r.Task.ModelConfig
	if len(*f) > 0 {
		return // what they share may be wrong
	}
	parse := func(text string, into *learner.Spec) error { return ParseLearner(text, into, false) }
	for i, text := range r.Settings.Challenger {
		c, err := fixed.ParseChallenger(text, i+1, parse)
		if err == nil && c.FromModel != "" {
			_, err = os.Stat(c.FromModel)
		}
		f.Check("challenger", err)
		fixed.Challengers = append(fixed.Challengers, c)
	}
	if len(*f) == 0 {
		if err := fixed.CheckChallengers(); err != nil {
			*f = append(*f, err) // it names the setting
		}
	}
}

// The bounds of max-batch-bytes: producers fill batches of 16 KiB by default, and Kafka counts the bytes of a response
// in 31 bits.
const (
	minBatchBytes = 64 << 10
	maxBatchBytes = 1 << 30
)

func (r *Resolved) running(f *cli.Faults) {
	s := &r.Settings
	f.AddIf(s.CheckpointInterval <= 0, "checkpoint-interval: %s: want a duration over 0, as 10s", s.CheckpointInterval)
	f.Within("checkpoint-every", s.CheckpointEvery, 0, math.MaxInt64)
	f.Within("max-batch-bytes", s.MaxBatchBytes, minBatchBytes, maxBatchBytes)
	f.AddIf(s.MaxBatchBytes < int64(s.MaxBytes), "max-batch-bytes: %d: less than max-bytes, %d: one event may take as"+
		" much", s.MaxBatchBytes, s.MaxBytes)
	f.Within("chunk-records", int64(s.ChunkRecords), 1, 1<<20)
	f.Within("decoders", int64(s.Decoders), 1, 256)
	f.Within("max-schemas", int64(s.MaxSchemas), 1, 1<<20)
	if c := &r.Task.ModelConfig; c.Decode.Format != event.CSV || len(c.Decode.Columns) > 0 { // else the model has them
		f.Check("by", model.CheckSlices(c, s.By))
	}
	r.Task.Model, r.Task.UntilEnd, r.Task.By = s.Model, s.UntilEnd, s.By
	r.Task.CheckpointInterval, r.Task.CheckpointEvery = s.CheckpointInterval, s.CheckpointEvery
	r.Task.BatchRecords, r.Task.Decoders, r.Task.MaxSchemas = s.ChunkRecords, s.Decoders, s.MaxSchemas
	r.Task.Build = Build().String()
	r.profile(f)
}

// profile reads the reference of the fields.
func (r *Resolved) profile(f *cli.Faults) {
	path := r.Settings.ProfileReference
	r.Task.NoFields = r.Settings.NoProfile
	f.AddIf(r.Settings.NoProfile && path != "", "profile-reference: with no-profile nothing is compared with it")
	if path == "" {
		return
	}
	file, err := os.Open(path)
	if err == nil {
		r.Task.FieldReference, err = profile.ReadReference(file)
		_ = file.Close()
	}
	f.Check("profile-reference", err)
}

// columnsOf names the columns of a model, where a table has none and begins with it: events may have others.
func columnsOf(o *event.Options, path string) string {
	if path == "" || o.Format != event.CSV || len(o.Columns) > 0 {
		return ""
	}
	file, err := checkpoint.OpenNewest(path, func(*checkpoint.Invalid) {})
	if err != nil {
		return "" // the start says what is wrong with the file
	}
	var header model.Header
	if err := json.Unmarshal(file.Header, &header); err != nil || len(header.Config.Decode.Columns) == 0 {
		return ""
	}
	return ": those of --from-model are --columns " + cli.Argument(header.Config.Decode.Columns...)
}
