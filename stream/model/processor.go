package model

import (
	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// Processor predicts, scores and learns, for run, recovery, replay and verify alike. One goroutine owns it.
type Processor struct {
	Score   Score        // of its predictions so far
	Family  event.Family // how the labels of a binary task are spelled, once one was seen
	NoLearn bool         // predict only
	Scores  bool         // see Config.Scores
	Trained bool         // it has learned an example, or begun with the weights of another model

	task    task
	table   table          // of the task
	score   score          // likewise
	names   *event.Decoder // decodes a record again if the model lacks names
	outcome Outcome        // of the last prediction; a copy would be slow
	weighs  bool           // its example's weight is not 0
	sliced  sliced
	drifts  *drifts         // nil: they are not detected
	base    checkpoint.Base // what Column.Changed of the table's columns refers to
	beside
}

// NewProcessor makes a processor with an untrained model.
func NewProcessor(c Config) (*Processor, error) {
	names, err := event.New(c.Decode)
	if err != nil {
		return nil, err
	}
	t, err := newTask(&c)
	if err != nil {
		return nil, err
	}
	d, err := configuredDrifts(&c)
	if err != nil {
		return nil, err
	}
	p := (&Processor{NoLearn: c.NoLearn, Scores: c.Scores, names: names, drifts: d}).with(t)
	return p, p.addChallengers(&c)
}

func (p *Processor) with(t task) *Processor {
	p.task, p.table, p.score, p.Score = t, t.table(), t.score(), t.score()
	return p
}

// None is no class: as a prediction, none is known yet; as a label, there is none, or the model neither knows nor
// learns it.
const None = -1

// Outcome is what was predicted for one example. Classes are numbers: Negative and Positive, or places in the order of
// discovery.
type Outcome struct {
	Score      float64
	Prediction int
	Label      int
	Labelled   bool
	Untrained  bool // it was predicted without its label, before anything was learned: it is in no figure
	Mistake    bool
	Updated    bool         // learning it will change weights
	Family     event.Family // the spelling of labels from this example on
	Baselines  [2]int       // what no-change and majority predict by the labels known now

	Probable         bool      // the learner gives a probability
	Probability      float64   // of the prediction, where Probable
	LabelProbability float64   // of the label, at least metrics.MinProbability; 0 if there is none
	Scores           []float64 // of each class, if Config.Scores

	Slices metrics.SliceCodes // of the event, as Processor.Slice has noted them
	// Of two labels.
	Millionths   decision.Millionths // the probability of the positive label, where Calibrated or Ruled
	Calibrated   bool                // Probability is in millionths
	Ruled        bool                // by another rule than the sign of the score
	HasThreshold bool                // Ruled, and Prediction is positive from a score on
	Threshold    float64             // that score
	Waiting      decision.Waiting    // what waits for labels when this one's is known

	Beside *Beside // of the challengers; nil without any
}

func (o *Outcome) setLabel(class int) {
	o.Label, o.Labelled = class, true
	o.Mistake = class == None || o.Prediction != class
}

// SetPrediction replaces the prediction of the last outcome by an earlier one for the same example, and those of the
// baselines. If the label was not known then, its probability is that which two labels leave it; of several classes it
// has none.
func (p *Processor) SetPrediction(was *Outcome) {
	o := &p.outcome
	o.Prediction, o.Score, o.LabelProbability = was.Prediction, was.Score, was.LabelProbability
	//mutation:late-baselines
	o.Probability, o.Probable, o.Baselines = was.Probability, was.Probable, was.Baselines
	//mutation:published-probability
	o.Millionths, o.Calibrated = was.Millionths, was.Calibrated
	//mutation:untrained-carried
	o.Untrained = was.Untrained
	//mutation:slices-carried
	o.Slices = was.Slices
	if o.Labelled {
		// The label's class may have been discovered since.
		o.setLabel(o.Label)
	}
	if o.Labelled && !was.Labelled {
		o.LabelProbability = p.task.labelProbability(o)
	}
}

// Published is the outcome of an example that was predicted earlier and has no label. Several classes have no
// probability then.
func (p *Processor) Published(e *labels.Example) Outcome {
	was := e.Published.Prediction()
	o := Outcome{Prediction: was.Class, Score: e.Score, Label: None, Family: p.Family, Untrained: was.Untrained,
		Millionths: was.Millionths, Calibrated: was.Calibrated,
		Baselines: [2]int{int(e.Baselines[0]), int(e.Baselines[1])}}
	p.task.setProbability(&o)
	return o
}

// Predict predicts the label of one example; neither model nor score changes. An error says that the record is to be
// rejected. The outcome is valid until the next Predict.
func (p *Processor) Predict(e *event.Example, x []learner.Feature) (o *Outcome, rejected *event.Error) {
	if len(p.challengers) > 0 {
		p.turn++
	}
	p.table.NumberExample(p.turn)
	o = &p.outcome
	*o = Outcome{Prediction: None, Label: None, Family: p.Family, Baselines: p.task.baselines()}
	rejected = p.task.predict(e, x, o, !p.NoLearn)
	p.example, p.features = e, x
	if p.published != nil {
		p.ownBaselines, o.Baselines = o.Baselines, p.published.task.baselines()
	}
	p.weighs = e.Weight > 0
	//mutation:untrained
	o.Untrained = !p.Trained && !o.Labelled
	return o, rejected
}

// Publish notes that a prediction is in the journal. Learn follows, now or when its label is known. The challengers
// predict the same event, which is the one that was predicted last.
func (p *Processor) Publish(o *Outcome) {
	p.task.publish(o)
	if len(p.challengers) > 0 {
		p.predictBeside(o)
	}
}

// Learn scores the last prediction, which was published, and learns the label, if there is one: calibration and cut
// from what was published, then the learner. At a drift the learner may begin anew behind that. The challengers follow.
func (p *Processor) Learn(r *topics.Record, o *Outcome) {
	if len(p.challengers) == 0 {
		p.learn(r, o)
		return
	}
	//mutation:probability-of-the-publisher
	p.byPublisher(o)
	p.learnChampion(r, o)
	p.learnBeside(r, o)
}

func (p *Processor) learn(r *topics.Record, o *Outcome) {
	if p.figure(o); !o.Labelled {
		return
	}
	p.task.decided(o)
	drifted := p.drifts != nil && p.drifts.add(o, p.score)
	if p.NoLearn {
		return
	}
	//mutation:untrained-of-weight-0
	p.Trained = p.Trained || p.weighs
	//mutation:reset-behind-the-example
	if p.task.learn() {
		p.names.Walk(r, func(name []byte, f learner.Feature) { p.table.SetName(f.Slot, f.Print, name) })
	}
	if drifted && p.drifts.resets {
		p.table.ForgetWeights()
		//mutation:reset-is-untrained
		p.Trained = false
	}
}

// figure counts an outcome in the figures.
func (p *Processor) figure(o *Outcome) {
	p.Family = o.Family
	if !o.Labelled {
		p.score.AddUnlabelled()
		return
	}
	p.task.count(o, !p.NoLearn)
	p.sliced.count(o)
	if o.LabelProbability > 0 && !o.Untrained {
		p.score.AddProbability(o.LabelProbability)
	}
	p.score.AddNorm(p.table.SquaredNorm())
}

// ForgetScaling forgets the statistics of scaling.
func (p *Processor) ForgetScaling() { p.table.ForgetScaling() }

// Settled returns the values of x as scaled by statistics that x is a part of: see learner.Model.Settled.
func (p *Processor) Settled(x []learner.Feature) []float64 { return p.table.Settled(x) }

// Report computes the figures. Of several classes precision, recall and F1 are macro averages; AUC and confusion of two
// labels are 0: see Confusion.
func (p *Processor) Report() metrics.Report { return p.shown().score.Report() }

// Cuts are the points of the curves of two labels (metrics.Binary.Cuts), nil of several classes.
func (p *Processor) Cuts() []metrics.Cut { return p.shown().task.cuts() }

// Confusion is the confusion matrix of several classes, nil of a binary task.
func (p *Processor) Confusion() []metrics.ConfusionCount { return p.shown().task.confusion() }

// ByClass are the figures of each of several classes, by number; of the last classes there may be none yet.
func (p *Processor) ByClass() []metrics.ClassRow { return p.shown().task.byClass() }

// Forecast returns the probability of an event for a calibration diagram, and whether it occurred: the label is the
// positive one, or of several classes the predicted one. The outcome is labelled and Probable.
func (p *Processor) Forecast(o *Outcome) (probability float64, occurred bool) {
	return p.task.forecast(o)
}
