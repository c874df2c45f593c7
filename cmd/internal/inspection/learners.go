package inspection

import (
	"fmt"
	"io"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// Learner is one of several learners of a model.
type Learner struct {
	Name      string             `json:"name"`
	Learner   string             `json:"learner"`
	Scale     string             `json:"scale"`
	Champion  bool               `json:"champion"` // its predictions are published
	Since     int64              `json:"since"`    // it has learned what follows this seq
	Suspended string             `json:"suspended,omitempty"`
	Score     metrics.Report     `json:"score"` // by what it would have predicted
	Decision  *Decision          `json:"decision,omitempty"`
	Slices    []metrics.SliceRow `json:"slices,omitempty"`
	Drift     *model.DriftReport `json:"drift,omitempty"`

	// Against is how much dearer the champion is, for an example on average.
	Against *model.Against `json:"comparison,omitempty"`
}

func learnersOf(proc *model.Processor, fixed *model.Config) (out []Learner) {
	labels := proc.Labels(&fixed.Decode)
	for _, l := range proc.Reports(fixed) {
		out = append(out, Learner{l.Name, l.Learner, l.Scale, l.Champion, l.Since, l.Suspended, l.Score,
			decisionOf(l.Decision, labels), l.Slices, l.Drift, l.Against})
	}
	return out
}

// printLearners has the challengers, and the promotions.
func (i *Inspection) printLearners(w io.Writer) {
	for n := range i.Learners {
		l := &i.Learners[n]
		if l.Champion {
			fmt.Fprintf(w, "champion\t%s\n", l.Name)
			continue
		}
		fmt.Fprintf(w, "challenger\t%s: %s, scale %s%s: accuracy %s of %d%s\n", l.Name, l.Learner, l.Scale,
			cli.When(l.Since > 0, fmt.Sprintf(", since seq %d", l.Since)), text(l.Score.Accuracy), l.Score.Examples,
			against(l.Against, l.Suspended))
	}
	for _, p := range i.Promotions {
		fmt.Fprintf(w, "promoted\t%s in place of %s from seq %d on, %s\n", p.To, p.From, p.Seq,
			time.UnixMilli(p.Time).UTC().Format("2006-01-02 15:04:05Z"))
	}
}

// against says how the champion compares with a challenger.
func against(a *model.Against, suspended string) string {
	of := "mistakes"
	if a.Costs {
		of = "cost"
	}
	verdict := "no difference is shown"
	switch challenger, champion := a.Better(); {
	case suspended != "":
		return "; it has stopped: " + suspended
	case !a.Known:
		return ""
	case challenger:
		verdict = "better"
	case champion:
		verdict = "worse"
	}
	return fmt.Sprintf("; %s: champion minus this one %+.4g %s per event (%.4g to %.4g)", verdict, a.Difference, of,
		a.Low, a.High)
}
