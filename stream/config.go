package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// Fixed is the configuration that reaches a feature, a score or a rejection. It is kept in the checkpoint; a run whose own
// differs is refused unless the difference is accepted, and then it takes effect behind the recovered journal.
type Fixed struct {
	Hash    string        `json:"hash"`    // "xxhash64"
	Learner learner.Spec  `json:"learner"` // learner, parameters, scale, bits
	Decode  event.Options `json:"decode"`  // format, fields, labels, limits, bits, seed
	NoLearn bool          `json:"noLearn"` // answers only

	// Of a task of several classes (Decode.Task), else all zero.
	Multiclass string `json:"multiclass,omitempty"` // how they are told apart: learner.Direct, the default, OVA or OVO
	MaxClasses int    `json:"maxClasses,omitempty"` // at most so many; 0: learner's default
	Scores     bool   `json:"scores,omitempty"`     // answers hold the scores of all classes
}

// hashName is the only hash there is.
const hashName = "xxhash64"

// unchangeable lists the settings that no acceptance can change under a state: the tables are laid out by them.
var unchangeable = []string{"hash", "learner.learner", "learner.bits", "decode.bits", "decode.seed", "decode.task", "multiclass"}

// Difference is one setting in which two configurations differ.
type Difference struct {
	Name     string // dotted path
	Was, Now string // JSON
}

// Diff lists what differs between the checkpoint's configuration and this run's, by name.
func (f Fixed) Diff(now Fixed) ([]Difference, error) {
	was, err := flatten(f)
	if err != nil {
		return nil, err
	}
	is, err := flatten(now)
	if err != nil {
		return nil, err
	}
	names := maps.Clone(was)
	maps.Copy(names, is)
	var out []Difference
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if was[name] != is[name] {
			out = append(out, Difference{name, orAbsent(was[name]), orAbsent(is[name])})
		}
	}
	return out, nil
}

func orAbsent(s string) string {
	if s == "" {
		return "absent"
	}
	return s
}

func flatten(v Fixed) (map[string]string, error) {
	v.Learner, v.Hash = v.Learner.WithDefaults(), orDefault(v.Hash, hashName)
	switch {
	case v.Decode.Task == event.Multiclass:
		spec := v.multi()
		v.Multiclass, v.MaxClasses = spec.Scheme, spec.MaxClasses
	case v.Decode.Task == event.Binary:
		v.Decode.Task = ""
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	var tree map[string]any
	numbers := json.NewDecoder(bytes.NewReader(raw))
	numbers.UseNumber() // a seed has 64 bits
	if err := numbers.Decode(&tree); err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	out := map[string]string{}
	var walk func(prefix string, v any)
	walk = func(prefix string, v any) {
		if m, ok := v.(map[string]any); ok {
			for name, inner := range m {
				walk(strings.TrimPrefix(prefix+"."+name, "."), inner)
			}
			return
		}
		text, _ := json.Marshal(v) // what came out of json goes back in
		out[prefix] = string(text)
	}
	walk("", tree)
	return out, nil
}

// Config is what a task is told. Zero values of the limits mean the defaults named beside them.
type Config struct {
	Model string // the model's name: folder, answers, group
	Fixed Fixed

	Start    []int64  // positions of a model without a checkpoint, one for each input partition; nil: the log's start
	UntilEnd bool     // end at the last stable offsets read before the takeover
	Accept   []string // names of the stops this start passes
	Skip     []topics.SkipRange
	Weights  *Weights // initial weights of a model without a checkpoint

	FromModel string // the checkpoint file whose model a model without a checkpoint starts from; empty for none

	CheckpointInterval time.Duration // between checkpoints: 10 s
	CheckpointEvery    int64         // answered examples between checkpoints; 0: by time only
	ChunkRecords       int           // greatest number of records that one batch answers: 8192
	Decoders           int           // decoding goroutines: 2
	Grace              time.Duration // for acknowledgements and the last checkpoint when stopped: 8 s
	WatchEvery         time.Duration // between looks at the cluster for lag and new partitions: 1 s
	Build              string        // the program's version, kept in the checkpoint
}

// Weights are the weights a fresh model starts from.
type Weights struct {
	Bias  float64
	Names []string // in the order in which they are set
	Value map[string]float64
}

func (c Config) withDefaults() Config {
	c.Fixed.Hash = hashName
	c.CheckpointInterval = orDefault(c.CheckpointInterval, 10*time.Second)
	c.ChunkRecords = orDefault(c.ChunkRecords, 8192) // more than most fetches hold: a small rest would make a batch of its own
	c.Decoders = orDefault(c.Decoders, 2)
	c.Grace = orDefault(c.Grace, 8*time.Second)
	c.WatchEvery = orDefault(c.WatchEvery, time.Second)
	return c
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

func (c *Config) accepts(name string) bool { return slices.Contains(c.Accept, name) }

// Setting is one setting of a configuration.
type Setting struct {
	Name  string // dotted path
	Value string // JSON
}

// Settings lists all that is set, by name, defaults included.
func (f Fixed) Settings() ([]Setting, error) {
	flat, err := flatten(f)
	if err != nil {
		return nil, err
	}
	out := make([]Setting, 0, len(flat))
	for _, name := range slices.Sorted(maps.Keys(flat)) {
		out = append(out, Setting{name, flat[name]})
	}
	return out, nil
}
