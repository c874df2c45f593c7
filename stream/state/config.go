package state

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/profile"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Config configures a task. The zero value of a limit means the default beside it.
type Config struct {
	Model       string // in predictions and dead letters
	ModelConfig model.Config

	// Partition, if not nil, is the only one that the task has of each topic (topics.Bounds.OtherTask).
	Partition *int32

	// Tasks is, with Partition, how many tasks there are, as far as the process knows when the model is begun.
	Tasks int

	// Start and LabelStart are positions of a model without a checkpoint, one for each partition of the input and of
	// the labels; nil: the log's start.
	Start, LabelStart []int64

	UntilEnd bool     // end at the last stable offsets read before the takeover
	Accept   []string // stops that this start overrides, by name or token
	Skip     []topics.SkipRange
	Weights  *model.Weights // initial weights of a model without a checkpoint

	FromModel string // checkpoint, or folder of some, whose model a model without a checkpoint starts from

	NoFields bool // the fields of events are not profiled

	// FieldReference is what they are compared with; nil: that of the checkpoint, or the first events.
	FieldReference *profile.Reference
	MaxSchemas     int // distinct ones of events that name theirs: 1000

	Labels *LabelsConfig // with ModelConfig.Late, and only then

	By []string // decisions are counted by the values of these fields (model.Processor.SliceBy)

	// Drift says how drifts are detected, nil: not at all. ModelConfig has its own where the model depends on them.
	Drift *model.Drift

	CheckpointInterval time.Duration // between checkpoints: 10 s
	CheckpointEvery    int64         // predictions; 0: by time only
	BatchRecords       int           // of a partition in a flight, at most: 8192
	Decoders           int           // decoding goroutines: 2
	Grace              time.Duration // for acknowledgements and the last checkpoint when stopped: 8 s
	WatchEvery         time.Duration // between checks of the cluster for lag and new partitions: 1 s
	Build              string        // the program's version
}

// LabelsConfig configures what a task does with labels that come later, as far as it may change between starts.
type LabelsConfig struct {
	labels.Limits
	Slack  time.Duration // events up to this much younger than a label are handled before it
	Idle   time.Duration // a partition without label records for so long counts as read up to now; 0: never
	Memory int64         // bytes of features kept: 256 MiB
	Shared *atomic.Int64 // so many tasks share Memory evenly; nil: it is this one's
}

// WithDefaults returns a copy with the defaults of what is zero.
func (c Config) WithDefaults() Config {
	if c.Labels != nil {
		l := *c.Labels
		l.Memory = cmp.Or(l.Memory, 256<<20)
		c.Labels = &l
	}
	c.ModelConfig.Hash = model.HashName
	c.CheckpointInterval = cmp.Or(c.CheckpointInterval, 10*time.Second)
	c.BatchRecords = cmp.Or(c.BatchRecords, 8192) // more than in most fetches: a small rest would be a batch of its own
	c.Decoders = cmp.Or(c.Decoders, 2)
	c.MaxSchemas = cmp.Or(c.MaxSchemas, 1000)
	c.Grace = cmp.Or(c.Grace, 8*time.Second)
	c.WatchEvery = cmp.Or(c.WatchEvery, time.Second)
	return c
}

// NewProcessor returns the untrained model, or the one that FromModel and Weights say. It replaces a folder in
// FromModel by the file that it took.
func (c *Config) NewProcessor() (*model.Processor, error) {
	p, err := model.NewProcessor(c.ModelConfig)
	if err == nil && c.FromModel != "" {
		c.FromModel, err = p.StartFrom(c.ModelConfig, c.FromModel)
	}
	if err == nil && c.Weights != nil {
		err = p.SetWeights(c.Weights)
	}
	if err == nil {
		err = p.StartChallengers(&c.ModelConfig, 0)
	}
	return p, err
}

// Accepts reports whether this start overrides a stop: whatever is given up, or exactly this.
func (c *Config) Accepts(s *stops.Error) bool {
	//mutation:accept-exactly
	return slices.Contains(c.Accept, s.Name) || s.Token() != "" && slices.Contains(c.Accept, s.Token())
}

// Judge returns nil for a stop that this start overrides. Else it returns the stop, which then tells of the tokens of
// its name that were given in vain. all is what was accepted before.
func (c *Config) Judge(s *stops.Error, all []model.Acceptance) *stops.Error {
	if c.Accepts(s) {
		return nil
	}
	of := *s
	for _, token := range c.Tokens() {
		//mutation:token-in-vain-told
		if strings.HasPrefix(token, s.Name+":") {
			of.Do += "; " + stops.InVain(token, model.IsDone(all, token))
		}
	}
	return &of
}

// Tokens are those of the stops that this start overrides.
func (c *Config) Tokens() (all []string) {
	for _, text := range c.Accept {
		if strings.Contains(text, ":") {
			all = append(all, text)
		}
	}
	return all
}

// MayAccept reports whether this start may override a stop of a name. done reports whether what a token accepts is
// done.
func (c *Config) MayAccept(name string, done func(token string) bool) bool {
	return slices.ContainsFunc(c.Accept, func(text string) bool {
		//mutation:accepted-is-done
		return text == name || strings.HasPrefix(text, name+":") && !done(text)
	})
}
