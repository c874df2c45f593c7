package model

import (
	"fmt"
	"strings"

	"rosenblatt/checkpoint"
)

// StartFrom copies weights, statistics and names from a checkpoint file to an untrained model. Learner, scaling, bits
// and seed must be equal; rates and thresholds may differ.
func (p *Processor) StartFrom(fixed Config, path string) error {
	file, err := checkpoint.Open(nil, path)
	if err != nil {
		return fmt.Errorf("from-model: %w", err)
	}
	h, from, err := Read(file)
	if err != nil {
		return fmt.Errorf("from-model: %w", err)
	}
	diff, err := h.Config.Diff(fixed)
	if err != nil {
		return err
	}
	var lines []string
	for _, d := range diff {
		if d.Name == "learner.scale" || d.Permanent() {
			lines = append(lines, fmt.Sprintf("%s is %s there and %s here", d.Name, d.Was, d.Now))
		}
	}
	if len(lines) > 0 {
		return fmt.Errorf("from-model: %s holds another kind of model: %s; give the file's settings", path,
			strings.Join(lines, "; "))
	}
	return p.inheritModel(from)
}
