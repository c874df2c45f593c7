package model

import (
	"fmt"
	"strings"

	"rosenblatt/checkpoint"
)

// StartFrom copies weights, statistics and names to an untrained model from a checkpoint, or from the newest valid one
// in a folder, and returns the file. Learner, bias=0, scaling, bits and seed must be equal; rates and thresholds may
// differ.
func (p *Processor) StartFrom(fixed Config, path string) (from string, err error) {
	file, err := checkpoint.OpenNewest(path, nil)
	if err != nil {
		return "", fmt.Errorf("from-model: %w", err)
	}
	h, other, err := Read(file)
	if err != nil {
		return "", fmt.Errorf("from-model: %w", err)
	}
	fixed = fixed.Of(OwnName)
	fixed.LearnerText = "" // the new model has the defaults of what is not given, not the file's
	was := h.Config.Of(h.Champion)
	diff, err := was.Diff(fixed)
	if err != nil {
		return "", err
	}
	var lines []string
	//mutation:other-kinds
	sameKinds := fixed.Decode.SameKinds(&h.Config.Decode)
	for _, d := range diff {
		kinds := d.Name == "decode.categorical" || d.Name == "decode.numeric" && h.Config.Decode.HasObjects()
		//mutation:other-logs
		scale := d.Name == "learner.scale" || d.Name == "decode.log"
		if scale || d.Permanent() || kinds && !sameKinds {
			lines = append(lines, fmt.Sprintf("%s is %s there and %s here", d.Title(), d.Was, d.Now))
		}
	}
	if len(lines) > 0 {
		return "", fmt.Errorf("from-model: %s holds another kind of model: %s; give the file's settings", file.Path,
			strings.Join(lines, "; "))
	}
	return file.Path, p.inheritModel(other)
}
