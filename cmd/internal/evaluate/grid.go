package evaluate

import (
	"fmt"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/learner"
)

// mostLearners bounds the memory of a grid: each learner has weights and statistics of its own.
const mostLearners = 256

// readLearners lists the learners of --learner, those of a grid one by one.
func (p *plan) readLearners(f *cli.Faults) {
	for _, specs := range p.Learner {
		for _, text := range strings.Fields(specs) {
			all, err := expand(text)
			f.Check("learner", err)
			p.grid = p.grid || len(all) > 1
			p.specs = append(p.specs, all...)
		}
	}
	if len(p.specs) == 0 && p.FromModel == "" {
		p.specs = []string{learner.Perceptron}
	}
	if len(p.specs) > mostLearners {
		f.Addf("learner: %d learners: want %d or fewer", len(p.specs), mostLearners)
		return
	}
	for _, spec := range p.specs {
		if err := daemon.ParseLearner(spec, &learner.Spec{}, true); err != nil {
			*f = append(*f, err)
		}
	}
}

// expand lists the learners of a grid: "pa1:C={0.1,1}" is pa1:C=0.1 and pa1:C=1. Of several braces it lists every
// combination, the last brace varying fastest.
func expand(text string) (all []string, err error) {
	before, rest, grid := strings.Cut(text, "{")
	values, after, closed := strings.Cut(rest, "}")
	if strings.Contains(before, "}") || strings.Contains(values, "{") || grid && !closed {
		return nil, fmt.Errorf("%s: a grid is written as pa1:C={0.01,0.1,1}, without spaces", text)
	}
	if !grid {
		return []string{text}, nil
	}
	ends, err := expand(after)
	if err != nil {
		return nil, err
	}
	for value := range strings.SplitSeq(values, ",") {
		for _, end := range ends {
			if all = append(all, before+value+end); len(all) > mostLearners {
				return nil, fmt.Errorf("%s: the grid has more than %d learners", text, mostLearners)
			}
		}
	}
	return all, nil
}
