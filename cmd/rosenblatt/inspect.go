package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// inspectCommand shows a checkpoint. It changes nothing and may be used beside a running daemon.
type inspectCommand struct {
	Path string `arg:"" placeholder:"CHECKPOINT|FOLDER" help:"A checkpoint, or a model's folder: then its newest valid one."`
	Top  int    `default:"20" placeholder:"N" help:"How many of the largest weights to show (default: ${default})."`
	JSON bool   `name:"json" help:"Print JSON: the header, with the score, the top weights and the collisions."`
}

// inspection is what is shown of a checkpoint; its JSON is the header's with some fields more.
type inspection struct {
	model.Header
	File       string                `json:"file"`
	Bytes      int64                 `json:"bytes"`
	Score      metrics.Report        `json:"score"`
	Bias       float64               `json:"bias"`
	Top        []learner.NamedWeight `json:"top"`
	Collisions int                   `json:"collisions"`

	// Of a task of several classes, where Bias and Top are not used.
	ByClass   []classWeights           `json:"byClass,omitempty"`
	Confusion []metrics.ConfusionCount `json:"confusion,omitempty"` // by the numbers of the classes, -1 for none
}

// classWeights is what one class is known by.
type classWeights struct {
	Class string                `json:"class"`
	Bias  float64               `json:"bias"`
	Top   []learner.NamedWeight `json:"top"`
}

// Run is called by kong.
func (c *inspectCommand) Run(p *cli.Program) error {
	if c.Top < 0 {
		return cli.Usagef("--top %d: want 0 or more", c.Top)
	}
	file, err := openCheckpoint(c.Path, p.Stderr)
	if err != nil {
		return err
	}
	header, proc, err := model.Read(file)
	if err != nil {
		return err
	}
	i := &inspection{Header: header, File: file.Path, Bytes: file.Bytes, Score: proc.Report(), Collisions: proc.Collisions()}
	i.weights(proc, c.Top)
	if c.JSON {
		return cli.WriteJSON(p.Stdout, i)
	}
	return i.print(p.Stdout)
}

// weights adds the weights of the positive label, or of each class.
func (i *inspection) weights(proc *model.Processor, top int) {
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
		i.ByClass = append(i.ByClass, classWeights{Class: name, Bias: proc.Bias(c), Top: largest(c)})
	}
}

// openCheckpoint opens a checkpoint, or the newest valid one in a folder. Invalid ones are named on notes and left as they are.
func openCheckpoint(path string, notes io.Writer) (*checkpoint.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return checkpoint.Open(nil, path)
	}
	files, err := (&checkpoint.Store{Dir: path}).Files()
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		f, err := checkpoint.Open(nil, name)
		var invalid *checkpoint.Invalid
		switch {
		case err == nil:
			return f, nil
		case errors.As(err, &invalid):
			fmt.Fprintf(notes, "rosenblatt: %v\n", invalid)
		case !errors.Is(err, fs.ErrNotExist): // a running daemon may have removed it since
			return nil, err
		}
	}
	if len(files) > 0 {
		return nil, fmt.Errorf("%s: none of its %d checkpoints is valid", path, len(files))
	}
	return nil, noCheckpoint(path)
}

// noCheckpoint says where checkpoints are, if they are one folder below.
func noCheckpoint(path string) error {
	below, err := filepath.Glob(filepath.Join(path, "*", "checkpoint-*"))
	if err != nil || len(below) == 0 {
		return fmt.Errorf("%s holds no checkpoint", path)
	}
	var models []string
	for _, file := range below {
		if dir := filepath.Dir(file); len(models) == 0 || models[len(models)-1] != dir {
			models = append(models, dir)
		}
	}
	return fmt.Errorf("%s holds no checkpoint itself: want one of its models, %s", path, strings.Join(models, " or "))
}
