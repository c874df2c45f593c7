// Package inspection is what `rosenblatt inspect` does, apart from its command line: it reads a checkpoint and presents it.
package inspection

import (
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
	Score      metrics.Report        `json:"score"`
	Bias       float64               `json:"bias"`
	Top        []learner.NamedWeight `json:"top"`
	Collisions int                   `json:"collisions"`

	// Of a task of several classes, where Bias and Top are not used.
	ByClass   []ClassWeights           `json:"byClass,omitempty"`
	Confusion []metrics.ConfusionCount `json:"confusion,omitempty"` // by the numbers of the classes, -1 for none
}

// ClassWeights are the largest weights of a class.
type ClassWeights struct {
	Class string                `json:"class"`
	Bias  float64               `json:"bias"`
	Top   []learner.NamedWeight `json:"top"`
}

// New reads a checkpoint, with so many of its largest weights.
func New(file *checkpoint.File, top int) (*Inspection, error) {
	header, proc, err := model.Read(file)
	if err != nil {
		return nil, err
	}
	i := &Inspection{Header: header, File: file.Path, Bytes: file.Bytes, Score: proc.Report(), Collisions: proc.Collisions()}
	i.weights(proc, top)
	return i, nil
}

// weights adds the weights of the positive label, or of each class.
func (i *Inspection) weights(proc *model.Processor, top int) {
	largest := func(class int) []learner.NamedWeight {
		return append([]learner.NamedWeight{}, proc.Top(class, top)...) // in JSON a list, even an empty one
	}
	classes := proc.Classes()
	if classes == nil {
		i.Bias, i.Top = proc.Bias(model.Positive), largest(model.Positive)
		return
	}
	i.Top, i.Confusion = []learner.NamedWeight{}, proc.Confusion()
	for c, name := range classes {
		i.ByClass = append(i.ByClass, ClassWeights{Class: name, Bias: proc.Bias(c), Top: largest(c)})
	}
}
