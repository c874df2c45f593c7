package inspection

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/statetopic"
)

// Topic is a partition of a checkpoint topic.
type Topic struct {
	Name      string
	Partition int32
	Log       statetopic.Log
}

func (t *Topic) String() string { return fmt.Sprintf("%s/%d", t.Name, t.Partition) }

// ErrNone is the error for a topic without a checkpoint of the output.
var ErrNone = errors.New("no whole checkpoint")

// OpenTopic opens the newest whole checkpoint of an output in a checkpoint topic; of the only one if output is empty.
// What is wrong with another one is named on notes. A running daemon is not disturbed. What the topic has of schemas is
// known to the checkpoint.
func OpenTopic(ctx context.Context, t *Topic, output string, notes io.Writer) (*checkpoint.File, *schema.Known, error) {
	if output == "" {
		var err error
		if output, err = t.only(ctx); err != nil {
			return nil, nil, err
		}
	}
	held, known := statetopic.NewCopy(t.Log, output), &schema.Known{}
	if err := held.ReadNow(ctx); err != nil {
		return nil, nil, err
	}
	whole, faults := held.Whole()
	for _, fault := range faults {
		fmt.Fprintf(notes, "rosenblatt: %v: %v\n", t, fault)
	}
	if err := statetopic.Other(faults); err != nil {
		return nil, nil, err
	}
	if len(whole) == 0 {
		return nil, nil, fmt.Errorf("%v holds %w of the output %s", t, ErrNone, output)
	}
	if err := known.Load(held.Schemas()); err != nil {
		return nil, nil, err
	}
	file, err := t.restore(held, whole[0])
	return file, known, err
}

// only returns the output of which the topic holds checkpoints.
func (t *Topic) only(ctx context.Context) (string, error) {
	outputs, err := statetopic.Outputs(ctx, t.Log)
	switch {
	case err != nil:
		return "", err
	case len(outputs) == 0:
		return "", fmt.Errorf("%v holds no checkpoint", t)
	case len(outputs) > 1:
		return "", fmt.Errorf("%v holds checkpoints of several outputs: want --output %s", t,
			strings.Join(outputs, " or --output "))
	}
	return outputs[0], nil
}

// restore reads the files of a manifest by way of a folder, which is removed.
func (t *Topic) restore(held *statetopic.Copy, m *statetopic.Manifest) (file *checkpoint.File, err error) {
	dir, err := os.MkdirTemp("", "rosenblatt-inspect-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := held.Restore(m, &checkpoint.Store{Dir: dir}); err != nil {
		return nil, err
	}
	if file, err = checkpoint.Open(nil, filepath.Join(dir, fmt.Sprintf("checkpoint-%d", m.Seq))); err != nil {
		return nil, err
	}
	place := func(path string) string { return fmt.Sprintf("%v, manifest %d, %s", t, m.Number, filepath.Base(path)) }
	file.Path = place(file.Path)
	for i, path := range file.BuildsOn {
		file.BuildsOn[i] = place(path)
	}
	return file, nil
}
