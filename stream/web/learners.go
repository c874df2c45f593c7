package web

import (
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
)

// learnerBody is one of several learners, by what it would have predicted. Only the champion's predictions are
// published.
type learnerBody struct {
	Name       string             `json:"name"`
	Learner    string             `json:"learner"`
	Scale      string             `json:"scale"`
	Champion   bool               `json:"champion"`
	Since      int64              `json:"since"`               // it has learned what follows this seq
	Suspended  string             `json:"suspended,omitempty"` // why it has stopped for good
	Examples   int64              `json:"examples"`            // labelled ones
	Mistakes   int64              `json:"mistakes"`
	Updates    int64              `json:"updates"`
	Figures    figuresBody        `json:"figures"`
	Decision   *decisionBody      `json:"decision,omitempty"`
	Slices     []sliceBody        `json:"slices,omitempty"`
	Drift      *model.DriftReport `json:"drift,omitempty"`
	Comparison *comparisonBody    `json:"comparison,omitempty"` // of a challenger
}

// comparisonBody is how much dearer the champion is than a challenger, for an example on average, since the later of
// both began.
type comparisonBody struct {
	Of         string   `json:"of"` // mistakes, or cost
	Examples   int64    `json:"examples"`
	Blocks     int      `json:"blocks"`
	Difference float64  `json:"difference"`
	Low        *float64 `json:"low,omitempty"` // of its 95 % interval; absent before there are 32 blocks
	High       *float64 `json:"high,omitempty"`
	Better     string   `json:"better,omitempty"` // the one that is, where the interval excludes 0
}

// promotionBody is a change of the champion.
type promotionBody struct {
	Seq  int64     `json:"seq"` // of its first entry
	From string    `json:"from"`
	To   string    `json:"to"`
	Time time.Time `json:"time"`
}

func promotionBodies(all []model.Promotion) (out []promotionBody) {
	for _, p := range all {
		out = append(out, promotionBody{p.Seq, p.From, p.To, time.UnixMilli(p.Time).UTC()})
	}
	return out
}

func (v *view) learnerBodies() (out []learnerBody) {
	for i := range v.Learners {
		l := &v.Learners[i]
		out = append(out, learnerBody{Name: l.Name, Learner: l.Learner, Scale: l.Scale, Champion: l.Champion,
			Since: l.Since, Suspended: l.Suspended, Examples: l.Score.Examples, Mistakes: l.Score.Mistakes,
			Updates: l.Score.Updates, Figures: figuresOf(&l.Score.Row),
			Decision: decisionOf(l.Decision, &l.Score.Row, v.Labels),
			Slices:   sliceBodies(l.Slices), Drift: l.Drift,
			Comparison: comparisonOf(l, v.champion())})
	}
	return out
}

// champion is the name of the learner whose predictions are published; empty without challengers.
func (v *view) champion() string {
	for i := range v.Learners {
		if v.Learners[i].Champion {
			return v.Learners[i].Name
		}
	}
	return ""
}

func comparisonOf(l *model.LearnerReport, champion string) *comparisonBody {
	a := l.Against
	if a == nil {
		return nil
	}
	b := &comparisonBody{Of: "mistakes", Examples: a.Examples, Blocks: a.Blocks, Difference: a.Difference}
	if a.Costs {
		b.Of = "cost"
	}
	if !a.Known {
		return b
	}
	b.Low, b.High = &a.Low, &a.High
	switch challenger, own := a.Better(); {
	case challenger:
		b.Better = l.Name
	case own:
		b.Better = champion
	}
	return b
}

// challengerFigures are the figures of challengers that have a metric.
var challengerFigures = metrics.Named("accuracy", "precision", "recall", "f1", "roc_auc", "average_precision",
	"log_loss")

// learnerMetrics sends what is known of champion and challengers.
func learnerMetrics(g gather, st *board.Status) {
	for i := range st.Learners {
		l := &st.Learners[i]
		if l.Champion {
			g.send(championInfo, 1, l.Name, l.Learner)
			continue
		}
		g.send(challengerExamples, float64(l.Score.Examples), l.Name)
		g.send(challengerMistakes, float64(l.Score.Mistakes), l.Name)
		g.send(challengerSuspended, truth(l.Suspended != ""), l.Name)
		for _, scope := range metrics.Scopes {
			for i, c := range challengerFigures {
				g.optional(challengerMetrics[i], c.Of(scope.Of(&l.Score.Row)), l.Name, scope.Name)
			}
			if cost, has := costOf(l.Decision); has {
				g.optional(challengerCost, cost.Of(&scope.Of(&l.Score.Row).Confusion), l.Name, scope.Name)
			}
		}
		if a := l.Against; a.Known {
			g.send(challengerDifference, a.Low, l.Name, "low")
			g.send(challengerDifference, a.Difference, l.Name, "mean")
			g.send(challengerDifference, a.High, l.Name, "high")
		}
	}
	if len(st.Learners) > 0 {
		g.send(promotions, float64(len(st.Promotions)))
	}
}
