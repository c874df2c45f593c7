package training

import (
	"strconv"

	"rosenblatt/learner/batch"
)

// Source says what was trained on, and how, in a JSON result.
type Source struct {
	Source    string `json:"source"`
	Algorithm string `json:"algorithm"`
	Order     string `json:"order"`
	Seed      uint64 `json:"seed"`
}

// Counts counts the events of the source, in a JSON result.
type Counts struct {
	Read       int64            `json:"read"`
	Unlabelled int64            `json:"unlabelled"`
	Rejected   map[string]int64 `json:"rejected"`
}

// Machine describes one machine, in a JSON result.
type Machine struct {
	Examples    int         `json:"examples"` // trained on
	Passes      int         `json:"passes"`
	Mistakes    int         `json:"mistakes"` // of the weights below
	Updates     int64       `json:"updates"`
	Separated   bool        `json:"separated"`
	Stopped     string      `json:"stopped"`
	R           float64     `json:"R"`
	Margin      *float64    `json:"margin"`                // null unless separated
	Bound       *float64    `json:"bound"`                 // (R/margin)², null unless separated
	UpdateBound *float64    `json:"updateBound,omitempty"` // two labels only, as Least and Counts
	Maximal     *Maximal    `json:"maximalMargin,omitempty"`
	Loss        float64     `json:"loss"`
	Least       *Least      `json:"least,omitempty"`
	Validation  *Validation `json:"validation,omitempty"`
	*Counts
	Bias    float64            `json:"bias"`
	Weights map[string]float64 `json:"weights"`
}

// Maximal bounds the maximal margin.
type Maximal struct {
	Lower  float64 `json:"lower"` // 0: no separator is known
	Upper  float64 `json:"upper"`
	Solved bool    `json:"solved"`
}

// Validation is the error on the examples held out.
type Validation struct {
	Examples int     `json:"examples"`
	Mistakes int     `json:"mistakes"`
	Error    float64 `json:"error"`
}

// Result is the JSON of training on two labels.
type Result struct {
	Source
	Machine
	Support []Support `json:"support,omitempty"`
}

// Least is the lowest number of mistakes, and where it was met.
type Least struct {
	Mistakes int   `json:"mistakes"`
	Pass     int   `json:"pass"`
	Updates  int64 `json:"updates"`
}

// Support is an example of a kernel's score.
type Support struct {
	Line  int     `json:"line"`
	Label int8    `json:"label"`
	Count int64   `json:"count"`
	Alpha float64 `json:"alpha"` // rate times count
}

// ClassesResult is the JSON of training on several classes.
type ClassesResult struct {
	Source
	Multiclass string   `json:"multiclass"`
	Classes    []string `json:"classes"`
	Examples   int      `json:"examples"`
	Mistakes   int      `json:"mistakes"`  // of the model that the machines make
	Updates    int64    `json:"updates"`   // of all machines
	Separated  bool     `json:"separated"` // every machine is
	*Counts
	Machines []ClassMachine `json:"machines"`
}

// ClassMachine is a machine of several classes.
type ClassMachine struct {
	Class   string  `json:"class"`
	Against *string `json:"against"` // null: all others
	Machine
}

func (p *plan) source() Source {
	return Source{Source: p.File, Algorithm: p.Algorithm, Order: p.Order, Seed: p.Seed}
}

func (s *set) machineJSON(r *batch.Result) Machine {
	out := Machine{
		Examples: r.Trained, Passes: r.Passes, Mistakes: r.Mistakes, Updates: r.Updates, Separated: r.Separated,
		Stopped: r.Stopped, R: r.R, Loss: r.Loss, Bias: r.Bias, Weights: s.named(r),
	}
	if r.Separated {
		out.Margin, out.Bound = &r.Margin, &r.Bound
	}
	if r.Maximal.Tried {
		out.Maximal = &Maximal{r.Maximal.Lower, r.Maximal.Upper, r.Maximal.Solved}
	}
	if r.HeldOut > 0 {
		out.Validation = &Validation{r.HeldOut, r.HeldOutMistakes, float64(r.HeldOutMistakes) / float64(r.HeldOut)}
	}
	return out
}

// named returns the weights by name. If two slots have one name, as truncated names may, the second goes by its slot.
func (s *set) named(r *batch.Result) map[string]float64 {
	weights := map[string]float64{}
	names := s.proc.Names(s.slots)
	for i, w := range r.Weights {
		name := names[i]
		if _, taken := weights[name]; taken {
			name = "#" + strconv.FormatUint(uint64(s.slots[i]), 10)
		}
		weights[name] = w
	}
	return weights
}

func (r *report) json() any {
	if r.several() {
		return r.classesJSON()
	}
	of := r.machines[0].Result
	out := &Result{Source: r.plan.source(), Machine: r.set.machineJSON(of)}
	out.Least = &Least{of.Pocket.Mistakes, of.Pocket.Pass, of.Pocket.Updates}
	out.Counts = &r.set.counts
	if of.Separated && of.UpdateBound != of.Bound {
		out.UpdateBound = &of.UpdateBound
	}
	if of.Weights == nil {
		for i, k := range of.Counts {
			if k > 0 {
				label, alpha := r.set.examples[i].Label, r.plan.Rate*float64(k)
				out.Support = append(out.Support, Support{r.set.lines[i], label, k, alpha})
			}
		}
	}
	return out
}

func (r *report) classesJSON() *ClassesResult {
	out := &ClassesResult{
		Source: r.plan.source(), Counts: &r.set.counts, Multiclass: r.plan.scheme, Classes: r.set.proc.Classes(),
		Examples: len(r.set.examples),
		Mistakes: r.set.mistakes, Updates: r.updates(), Separated: separated(r.machines),
	}
	for i := range r.machines {
		of := &r.machines[i]
		row := ClassMachine{Class: of.class, Machine: r.set.machineJSON(of.Result)}
		if of.against != "" {
			row.Against = &of.against
		}
		out.Machines = append(out.Machines, row)
	}
	return out
}
