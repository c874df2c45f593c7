package model

import (
	"fmt"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// Processor is predict, score, learn: the one place where an example meets the model. Run, recovery, replay and verify all
// go through it. One goroutine owns it.
type Processor struct {
	Model   *learner.Model // of a binary task, else nil
	Score   *metrics.Binary
	Family  event.Family // how labels are spelled, once one was seen
	NoLearn bool         // answer only

	Multi   *learner.Multi      // of a task of several classes, else nil; then Model is nil and Score and Family are not used
	Classes *metrics.Multiclass // its score
	Scores  bool                // answers hold the Scores of all classes

	names   *event.Decoder // decodes again when a name is new to the model
	outcome Outcome        // of the example answered last; in one place, since handing it on as a copy is slow
	listed  uint64         // its Example.Names
}

// NewProcessor makes a processor with an untrained model.
func NewProcessor(f Config) (*Processor, error) {
	names, err := event.New(f.Decode)
	if err != nil {
		return nil, err
	}
	p := &Processor{Score: new(metrics.Binary), NoLearn: f.NoLearn, names: names, Scores: f.Scores}
	if f.Decode.Task == event.Multiclass {
		p.Classes = new(metrics.Multiclass)
		p.Multi, err = learner.NewMulti(f.multi())
	} else {
		p.Model, err = learner.New(f.Learner)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Outcome is what was answered to one example.
type Outcome struct {
	Score      float64
	Prediction int8         // +1 or -1; of several classes always 0, see Class
	Label      int8         // 0 when there is none; of several classes 1 when there is one, see Truth
	Family     event.Family // the spelling of labels from this example on
	Mistake    bool
	Updated    bool // the model's weights will change when it is learned

	Probability float64 // of the prediction, where Probable
	Probable    bool    // the learner gives a probability
	Given       float64 // to the label, at least metrics.MinProbability; 0 where there is none, also for a class that the model does not know

	// Of several classes, by their numbers in the order of discovery; -1 is none.
	Class  int       // the prediction: none before any class is known
	Truth  int       // the label: none without one, and of a model that does not learn for a class it does not know
	Scores []float64 // of each class, when answers are to hold them; valid until the next Predict
}

// Predict answers one example. The model does not change, nor its score. A reason other than event.OK, with a text, says that the
// record is to be rejected. The outcome is valid until the next Predict.
func (p *Processor) Predict(e *event.Example, x []learner.Feature) (o *Outcome, reason event.Reason, text string) {
	if p.Multi != nil {
		return p.predictClass(e, x)
	}
	o = &p.outcome
	*o = Outcome{Family: p.Family}
	if known := e.Reason == event.OK || e.Reason > event.BadLabel && e.Reason != event.Internal; known && e.Label != 0 {
		family, ok := joinFamily(p.Family, e.Family)
		if !ok {
			return o, event.BadLabel, fmt.Sprintf("the label is %s, but labels so far were %s", familyName(e.Family), familyName(p.Family))
		}
		o.Family = family
	}
	if e.Reason != event.OK {
		return o, e.Reason, e.Error
	}
	p.listed = e.Names
	score, err := p.Model.Predict(x)
	if err != nil {
		return o, event.Overflow, err.Error()
	}
	o.Score, o.Prediction, o.Label = score, 1, e.Label
	if score < 0 {
		o.Prediction = -1
	}
	o.Probability, o.Probable = p.Model.Probability()
	if o.Label == 0 {
		return o, event.OK, ""
	}
	o.Mistake = o.Prediction != o.Label
	if o.Probable {
		o.Given = o.Probability
		if o.Mistake {
			o.Given = max(1-o.Probability, metrics.MinProbability)
		}
	}
	if !p.NoLearn {
		if o.Updated, err = p.Model.Prepare(o.Label, e.Weight); err != nil {
			return o, event.Overflow, err.Error()
		}
	}
	return o, event.OK, ""
}

// Learn views the label of the example that Predict answered last: it scores the answer and learns from it.
func (p *Processor) Learn(r *topics.Record, o *Outcome) {
	if p.Multi != nil {
		p.learnClass(r, o)
		return
	}
	p.Family = o.Family
	if o.Label == 0 {
		p.Score.AddUnlabelled()
		return
	}
	p.Score.Add(o.Prediction, o.Label, o.Score, o.Updated)
	if o.Given > 0 {
		p.Score.AddProbability(o.Given)
	}
	p.Score.AddNorm(p.Model.SquaredNorm())
	if p.NoLearn {
		return
	}
	if p.Model.LearnNamed(p.listed) {
		p.names.Walk(r.Key, r.Value, func(name []byte, f learner.Feature) { p.Model.SetName(f.Slot, f.Print, name) })
	}
}

// joinFamily is the family after a label of family next was seen, and whether that label fits.
func joinFamily(now, next event.Family) (event.Family, bool) {
	switch {
	case now == event.Unlabelled || now == next:
		return next, true
	case now == event.One && (next == event.PlusMinus || next == event.ZeroOne):
		return next, true
	case next == event.One && (now == event.PlusMinus || now == event.ZeroOne):
		return now, true
	}
	return now, false
}

func familyName(f event.Family) string {
	return [...]string{"absent", "1", "-1 or 1", "0 or 1", "true or false", "names"}[f]
}
