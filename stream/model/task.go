package model

import (
	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
)

// task is what differs between two labels and several classes; other packages reach it through a Processor.
type task interface {
	predictor
	store
	viewer
}

type predictor interface {
	// learns says that the label will be learned.
	predict(e *event.Example, x []learner.Feature, o *Outcome, learns bool) *event.Error
	// labelProbability is the probability that the prediction gave the label, 0 if that does not follow from it.
	labelProbability(o *Outcome) float64
	// setProbability sets the probability of a prediction that is set but for that, if it follows.
	setProbability(o *Outcome)
	publish(o *Outcome) // Processor.Publish
	decided(o *Outcome) // the label of a published prediction is known: calibration and cut learn it
	count(o *Outcome, learns bool)
	// baselines are what no-change and majority predict next.
	baselines() [2]int
	// learn learns the last example. newNames: it has names that the model lacks.
	learn() (newNames bool)
}

// store saves and copies a model. Its long part are the columns of its table.
type store interface {
	// state writes the short part of the state to the header.
	state(h *Header)
	// begin prepares the columns of an untrained model; restore completes it with their contents.
	begin(h *Header) error
	restore(h *Header, texts [][]byte) error
	copyScore(to task)
	replica(to task) *learner.Replica // keeps a copy of the model in to
	unscored() task                   // the same model with an empty score
	table() table
	score() score
	decisions() *decisions // of two labels, else nil
	known() [2]int64       // examples in the figures of the negative and the positive one of two labels
}

type viewer interface {
	scheme() string    // of several classes: learner.Direct, OVA or OVO
	classes() []string // in the order of their numbers; nil of a binary task
	confusion() []metrics.ConfusionCount
	byClass() []metrics.ClassRow
	cuts() []metrics.Cut
	appendClass(dst []byte, options *event.Options, class int, f event.Family) []byte
	appendLabel(dst []byte, options *event.Options, e *event.Example, o *Outcome) []byte
	labels(options *event.Options, f event.Family) [2]string
	summarize(s *Summary)
	bias(class int) float64
	norm(class int) float64
	top(class, n int) []learner.NamedWeight
	explain(class int, x []learner.Feature) []learner.Contribution
	forecast(o *Outcome) (probability float64, occurred bool) // see Processor.Forecast
}

// table is a learner.Model or learner.Multi.
type table interface {
	SquaredNorm() float64
	Collisions() int
	Used() (used, of int)
	Columns() []learner.Column
	ClearChanged()
	Names(slots []uint32) []string
	SetName(slot uint32, print uint16, name []byte)
	ForgetScaling()
	ForgetWeights()
	Settled(x []learner.Feature) []float64
	NumberExample(number uint64)
	Table() *learner.Table
	ShareTable(with *learner.Table) bool
}

// score is a metrics.Binary or metrics.Multiclass.
type score interface {
	Score
	AddUnlabelled()
	AddProbability(given float64)
	AddNorm(squared float64)
	AppendLast(dst []byte) []byte // what its JSON leaves out
	LoadLast(data []byte) error
}

// binned is a score that counts examples by their scores, too: metrics.Binary.
type binned interface {
	AppendBins(dst []byte) []byte
	LoadBins(data []byte) error
}

// Score is the running score of a model.
type Score interface {
	Predictions() int64 // with and without a label
	Examples() int64    // labelled ones
	Mistakes() int64
	Updates() int64
	Report() metrics.Report
}

func newTask(c *Config) (task, error) {
	if c.multiclass() {
		return newMulticlassTask(c)
	}
	return newBinaryTask(c)
}
