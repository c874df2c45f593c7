// Package inspection is what `rosenblatt inspect` does, apart from its command line.
package inspection

import (
	"fmt"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// Inspection is what is shown of a checkpoint. Its JSON is the header's with some more fields.
type Inspection struct {
	model.Header
	File       string                `json:"file"`
	Bytes      int64                 `json:"bytes"`
	BuildsOn   []string              `json:"buildsOn,omitempty"` // files that hold the rest, the newest first
	Score      metrics.Report        `json:"score"`
	Bias       float64               `json:"bias"`
	Top        []learner.NamedWeight `json:"top"`
	Collisions int                   `json:"collisions"`

	Drift *model.DriftReport `json:"drift,omitempty"` // nil: drifts are not detected

	Decision *Decision `json:"decision,omitempty"` // of two labels; nil: the sign of the score decides

	// Of several classes, which have no Bias and Top.
	ByClass   []model.ClassWeights     `json:"byClass,omitempty"`
	Confusion []metrics.ConfusionCount `json:"confusion,omitempty"` // by the numbers of the classes, -1 for none
	Classes   []ClassFigures           `json:"classFigures,omitempty"`
	Slices    []metrics.SliceRow       `json:"slices,omitempty"` // of run --by

	Learners []Learner `json:"learners,omitempty"` // the champion first; absent without challengers

	sharing string               // what to do about slots that several names share; empty for few
	labels  string               // how labels are spelled
	names   [2]string            // of the two labels, as predictions spell them
	quality []string             // lines below the table of figures, of several classes
	weights []model.ClassWeights // as printed: ByClass, or one without a class
}

// ClassFigures are those of a class by the name of their scope.
type ClassFigures struct {
	Class   string                          `json:"class"`
	Figures map[string]metrics.ClassFigures `json:"figures"`
}

// New reads a checkpoint, with so many of its largest weights.
func New(file *checkpoint.File, top int) (*Inspection, error) {
	header, proc, err := model.Read(file)
	if err != nil {
		return nil, err
	}
	i := &Inspection{Header: header, File: file.Path, Bytes: file.Bytes, BuildsOn: file.BuildsOn,
		Score: proc.Report(), Collisions: proc.Collisions(), sharing: proc.Sharing(),
		Slices: proc.SliceRows(), Drift: proc.DriftReport(), Learners: learnersOf(proc, &header.Config),
		Decision: decisionOf(proc.Decision(), proc.Labels(&header.Config.Decode))}
	i.names = proc.Labels(&header.Config.Decode)
	i.describe(proc, top)
	return i, nil
}

func (i *Inspection) describe(proc *model.Processor, top int) {
	of := func(class int, name string) model.ClassWeights {
		largest := append([]learner.NamedWeight{}, proc.Top(class, top)...) // not null in JSON
		return model.ClassWeights{Class: name, Bias: proc.Bias(class), Top: largest}
	}
	classes := proc.Classes()
	if classes == nil {
		only := of(model.Positive, "")
		i.Bias, i.Top, i.weights = only.Bias, only.Top, []model.ClassWeights{only}
		i.labels = labelsText(i.Config.Decode, i.Family)
		return
	}
	for class, name := range classes {
		i.ByClass = append(i.ByClass, of(class, name))
	}
	for class, row := range proc.ByClass() {
		i.Classes = append(i.Classes, ClassFigures{classes[class], row.ByScope()})
	}
	i.Top, i.weights, i.Confusion = []learner.NamedWeight{}, i.ByClass, proc.Confusion()
	i.labels, i.quality = fmt.Sprintf("%d of at most %d classes", len(classes), i.Config.MaxClasses), i.confused()
}
