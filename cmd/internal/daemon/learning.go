package daemon

import (
	"cmp"
	"math"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
	"rosenblatt/stream/model"
)

// Learning says what learns, and how.
type Learning struct {
	Learner  string `default:"perceptron" placeholder:"${learners}"`
	NewModel `embed:""`

	Calibrate string `placeholder:"platt|none"`
	Decide    string `default:"sign" placeholder:"RULE"`

	Challenger []string `sep:"none" placeholder:"NAME=LEARNER"`

	Drifting `embed:""`

	Start  string `default:"earliest" placeholder:"earliest|latest|TIME"`
	Scores bool
}

// Drifting says how drifts of the model's mistakes are detected, and what then happens.
type Drifting struct {
	Drift   string `default:"adwin" placeholder:"adwin|none"`
	OnDrift string `default:"none" placeholder:"none|reset"`
}

// NewModel says how a model begins.
type NewModel struct {
	Table     `embed:""`
	Seed      uint64 `default:"0" placeholder:"N"`
	FromModel string `placeholder:"FILE|FOLDER"`
	NoLearn   bool
}

// Table says how features become weights, and what these are at the beginning.
type Table struct {
	Scale    string `placeholder:"standard|maxabs|none"`
	Bits     int    `default:"18" placeholder:"N"`
	MaxNames int    `default:"262144" placeholder:"N"`
	Weights  string `placeholder:"FILE"`

	StartWeights string `default:"zero" placeholder:"zero|random"`
}

// Check reports what is wrong with the settings by themselves.
func (t *Table) Check(f *cli.Faults) {
	f.Within("bits", int64(t.Bits), 1, learner.MaxBits)
	f.Within("max-names", int64(t.MaxNames), 1, math.MaxInt32)
}

// ReadWeights reads the file of weights, if there is one.
func (t *Table) ReadWeights(f *cli.Faults) (w *model.Weights) {
	if t.Weights != "" {
		var err error
		w, err = readWeights(t.Weights)
		f.Check("weights", err)
	}
	return w
}

// Spec returns what the settings say of a learner, with the scaling that is the default.
func (t *Table) Spec(f *cli.Faults, scale string, seed uint64) learner.Spec {
	spec := learner.Spec{Bits: t.Bits, MaxNames: t.MaxNames}
	f.Check("scale", learner.ParseScale(cmp.Or(t.Scale, scale), &spec))
	f.Check("start-weights", learner.ParseStartWeights(t.StartWeights, seed, &spec))
	return spec
}

// Classes says how more than two labels are told apart.
type Classes struct {
	Task       string `default:"binary" placeholder:"binary|multiclass"`
	Multiclass string `placeholder:"direct|ova|ovo"`
	MaxClasses int    `placeholder:"N"`
}

// FlagHelp implements cli.Documented.
func (Learning) FlagHelp() cli.Help {
	return `
learner: What learns, with parameters if any: perceptron:rate=0.5,threshold=1 (default: ${default}).
calibrate: Learn how probable a score of two labels is (platt), or take what the learner says, if it says so (none;
	default: platt where --decide needs a probability that the learner does not give, else none).
decide: When the positive one of two labels is predicted: by the sign of the score; from a probability on, as
	probability=0.3; where silence would cost more, as cost=fp:1,fn:20; or by a cut that moves until a figure is
	reached, as precision=0.9, recall=0.8, or alerts=0.01, a share of all events (default: ${default}).
challenger: A further learner of the same events, whose predictions are not published, as "c1=pa1:C=0.1 scale:none
	decide:cost=fp:1,fn:20"; with calibrate: and, for a new one, from-model:FILE; what is not given is as for the
	learner; repeated, at most eight; names are by default c1, c2 and so on.
start: Where a new model begins, in input and labels; TIME is as 2026-01-31T18:00:00Z, or seconds or milliseconds since
	1970 (default: ${default}).
scores: Put the scores of all classes into each prediction.
`
}

// FlagHelp implements cli.Documented.
func (Drifting) FlagHelp() cli.Help {
	return `
drift: Detect that mistakes become more frequent, with settings if any:
	adwin:delta=1e-7,rise=0.2,clock=256,of=mistakes, or of=cost where --decide has one (default: ${default}).
on-drift: What happens then: nothing but a warning, or the learner begins anew with weights of 0 (default: ${default}).
`
}

// FlagHelp implements cli.Documented.
func (NewModel) FlagHelp() cli.Help {
	return `
seed: Seed of the hash that gives a feature its weight (default: ${default}).
from-model: The model a new model starts from: a checkpoint, a folder of some (then its newest), or what train wrote.
no-learn: Only predict, never learn.
`
}

// FlagHelp implements cli.Documented.
func (Table) FlagHelp() cli.Help {
	return `
scale: How features are scaled; standard may have a half-life, a clip and another centre:
	standard:half-life=10000,clip=5,centre=always (default:
	${scales}).
bits: Features share 2^N weights, 1 to 30 (default: ${default}).
max-names: Most feature names remembered, for reading weights (default: ${default}).
weights: Weights to start from: a JSON object, name: number, where "bias" is the bias; or what inspect --weights writes,
	with how numbers are scaled, the calibration (with --calibrate) and the cut (with the same --decide).
start-weights: The weights at the start that no file gives: 0, or random between -1 and 1, by --seed (default:
	${default}).
`
}

// FlagHelp implements cli.Documented.
func (Classes) FlagHelp() cli.Help {
	return `
task: Whether labels are one of two, or one of any number of classes, which are discovered as they come (default:
	${default}).
multiclass: One vector a class, one learner a class against all others, or one learner a pair, which vote; with
	ovo:ties=margin the scores decide between equal votes (default: direct, where the learner has it, else ova).
max-classes: Most classes; an event with a label beyond is rejected (default: 1000, with ovo 100).
`
}
