package model

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/topics"
)

// WriteFile writes a model that was trained elsewhere than in a topic as a checkpoint, in one step and durably, replacing a file
// at path: what --from-model starts from and Read reads. It names no cluster, topic or position, its seq is 0, and its
// score is empty: what the model answers is yet to be seen. The returned size is in bytes. The file's name must not be one that a
// model's folder gives to checkpoints, for those say their seq. A weight that is not finite is an error, as any of the disk.
func WriteFile(path, build string, fixed Config, proc *Processor) (size int64, err error) {
	name := filepath.Base(path)
	if strings.HasPrefix(name, "checkpoint-") {
		return 0, fmt.Errorf("%s: that is the name of a running model's checkpoint: want another", path)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s is not a file: want the name of one, or of none", path)
	}
	fixed.Hash = HashName
	header := Header{
		Model: name, Build: build, Config: fixed, Family: proc.Family,
		Positions: []int64{}, Started: []int64{}, Ends: topics.Ends{Output: []int64{}, DeadLetters: []int64{}}, Counts: Counts{Rejected: map[string]int64{}},
	}
	header.Hold(proc)
	// A store saves under a name of its own: in a folder beside path it does, and from there the file is moved into its place.
	dir, err := os.MkdirTemp(filepath.Dir(path), "."+name+"-*")
	if err != nil {
		return 0, fmt.Errorf("model: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	size, err = Save(&checkpoint.Store{Dir: dir}, &header, proc.Unscored())
	if err != nil {
		return 0, fmt.Errorf("model: %w", err)
	}
	made, err := (&checkpoint.Store{Dir: dir}).Files()
	if err != nil {
		return 0, fmt.Errorf("model: %w", err)
	}
	if err := os.Rename(made[0], path); err != nil {
		return 0, fmt.Errorf("model: %w", err)
	}
	if err := (checkpoint.OS{}).SyncDir(filepath.Dir(path)); err != nil {
		return 0, fmt.Errorf("making the model durable: %w", err)
	}
	return size, nil
}
