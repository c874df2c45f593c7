package model

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/topics"
)

// WriteFile writes a model for --from-model as a checkpoint, atomically and durably, and replaces a file at path. It
// names no cluster, topic or position, its seq is 0 and its score is empty. Its name must not be that of a checkpoint
// in a model's folder, which contains a seq. A weight that is not finite is an error. The size is in bytes.
func WriteFile(path, build string, fixed Config, proc *Processor) (size int64, err error) {
	if err := CheckPath(path); err != nil {
		return 0, err
	}
	fixed = fixed.Of(proc.Champion())
	fixed.Hash = HashName
	header := Header{
		Model: filepath.Base(path), Build: build, Config: fixed, Family: proc.Family,
		Positions: []int64{}, Started: []int64{}, Ends: topics.Ends{Output: []int64{}, DeadLetters: []int64{}},
		Counts: Counts{Rejected: map[string]int64{}},
	}
	alone := proc.Unscored()
	header.SetModelState(alone)
	encoded, sections, err := encode(&header, alone)
	if err != nil {
		return 0, err
	}
	if size, err = checkpoint.WriteFile(nil, path, encoded, sections); err != nil {
		return 0, fmt.Errorf("model: %w", err)
	}
	return size, nil
}

// CheckPath returns the error that WriteFile will have for the path, as far as that can be known before.
func CheckPath(path string) error {
	if strings.HasPrefix(filepath.Base(path), "checkpoint-") {
		return fmt.Errorf("%s: that is the name of a running model's checkpoint: want another", path)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file: want the name of one, or of none", path)
	}
	_, err := os.Stat(filepath.Dir(path))
	return err
}
