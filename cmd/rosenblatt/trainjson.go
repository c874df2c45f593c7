package main

import (
	"strconv"

	"rosenblatt/learner/batch"
)

// trainResult is the result as JSON.
type trainResult struct {
	Source      string             `json:"source"`
	Algorithm   string             `json:"algorithm"`
	Order       string             `json:"order"`
	Seed        uint64             `json:"seed"`
	Examples    int                `json:"examples"` // trained on
	Passes      int                `json:"passes"`
	Mistakes    int                `json:"mistakes"` // of the weights below
	Updates     int64              `json:"updates"`
	Separated   bool               `json:"separated"`
	Stopped     string             `json:"stopped"`
	R           float64            `json:"R"`
	Margin      *float64           `json:"margin"` // null unless separated
	Bound       *float64           `json:"bound"`  // (R/margin)², null unless separated
	UpdateBound *float64           `json:"updateBound,omitempty"`
	Maximal     *trainMargin       `json:"maximalMargin,omitempty"`
	Loss        float64            `json:"loss"`
	Least       trainLeast         `json:"least"`
	Validation  *trainValidation   `json:"validation,omitempty"`
	Read        int64              `json:"read"`
	Unlabelled  int64              `json:"unlabelled"`
	Rejected    map[string]int64   `json:"rejected"`
	Bias        float64            `json:"bias"`
	Weights     map[string]float64 `json:"weights"`
	Support     []trainSupport     `json:"support,omitempty"`
}

type trainMargin struct {
	Lower  float64 `json:"lower"` // 0: no separator is known
	Upper  float64 `json:"upper"`
	Solved bool    `json:"solved"`
}

type trainLeast struct {
	Mistakes int   `json:"mistakes"`
	Pass     int   `json:"pass"`
	Updates  int64 `json:"updates"`
}

type trainValidation struct {
	Examples int     `json:"examples"`
	Mistakes int     `json:"mistakes"`
	Error    float64 `json:"error"`
}

// trainSupport is an example that a kernel's score is made of.
type trainSupport struct {
	Line  int     `json:"line"`
	Label int8    `json:"label"`
	Count int64   `json:"count"`
	Alpha float64 `json:"alpha"` // rate times count
}

// result puts the result into the shape of the JSON.
func (c *trainCommand) result(set *trainSet, r *batch.Result) *trainResult {
	out := &trainResult{
		Source: c.File, Algorithm: c.Algorithm, Order: c.Order, Seed: c.Seed, Examples: r.Trained, Passes: r.Passes,
		Mistakes: r.Mistakes, Updates: r.Updates, Separated: r.Separated, Stopped: r.Stopped, R: r.R, Loss: r.Loss,
		Least: trainLeast{r.Least.Mistakes, r.Least.Pass, r.Least.Updates}, Read: set.read, Unlabelled: set.unlabelled,
		Rejected: set.rejected, Bias: r.Bias, Weights: set.named(r),
	}
	if r.Separated {
		out.Margin, out.Bound = &r.Margin, &r.Bound
		if r.UpdateBound != r.Bound {
			out.UpdateBound = &r.UpdateBound
		}
	}
	if r.Maximal.Tried {
		out.Maximal = &trainMargin{r.Maximal.Lower, r.Maximal.Upper, r.Maximal.Solved}
	}
	if r.HeldOut > 0 {
		out.Validation = &trainValidation{r.HeldOut, r.HeldOutMistakes, float64(r.HeldOutMistakes) / float64(r.HeldOut)}
	}
	if r.Weights == nil {
		for i, k := range r.Counts {
			if k > 0 {
				out.Support = append(out.Support, trainSupport{set.lines[i], set.examples[i].Label, k, c.Rate * float64(k)})
			}
		}
	}
	return out
}

// names are those of the slots.
func (s *trainSet) names() []string {
	return s.proc.Names(s.slots)
}

// named are the weights by name. Where two slots have one name, which happens to names that were cut, the second goes by its slot.
func (s *trainSet) named(r *batch.Result) map[string]float64 {
	weights := map[string]float64{}
	names := s.names()
	for i, w := range r.Weights {
		name := names[i]
		if _, taken := weights[name]; taken {
			name = "#" + strconv.FormatUint(uint64(s.slots[i]), 10)
		}
		weights[name] = w
	}
	return weights
}
