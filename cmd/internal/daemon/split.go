package daemon

import (
	"fmt"
	"path/filepath"

	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/stream/stops"
)

// What Topics.ModelPer may be.
const (
	perAll       = "all"
	perPartition = "partition"
)

// longestPartition has as many digits as any partition.
const longestPartition = 99999

// Split reports whether each partition of the input has a model of its own.
func (t *Topics) Split() bool { return t.ModelPer == perPartition }

// TaskModel is the name of the model of a partition, with Split.
func (t *Topics) TaskModel(partition int32) string { return fmt.Sprintf("%s.%d", t.Model, partition) }

// modelOf is the name of the model of a task of the group.
func (t *Topics) modelOf(task int32) string {
	if t.Split() {
		return t.TaskModel(task)
	}
	return t.Model
}

// Folder is that of the checkpoints of a model.
func (t *Topics) Folder(model string) string { return filepath.Join(t.State, model) }

// SameKind is the stop for a state folder that was begun with another --model-per.
func (t *Topics) SameKind() error {
	folder, was := t.Folder(t.Model), perAll
	if !t.Split() {
		folder, was = t.Folder(t.TaskModel(0)), perPartition
	}
	//mutation:same-kind
	if h := inspection.NewestHeader(folder); h == nil || (h.Partition != nil) == t.Split() {
		return nil
	}
	return &stops.Error{Name: stops.ConfigDiffers,
		What: fmt.Sprintf("%s holds checkpoints that were begun with --model-per %s", folder, was),
		Safe: "nothing was changed",
		Do:   fmt.Sprintf("start with --model-per %s again; or name another --model and --output", was)}
}
