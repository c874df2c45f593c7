package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"rosenblatt/learner"
)

// WeightsFile is the JSON of a linear model of two labels: what `inspect --weights` writes and `--weights` reads. The
// score of an event is bias + Σ w·(x - mean)/deviation over the features that it has; a feature without a scale is
// taken as it is.
type WeightsFile struct {
	Bias    float64              `json:"bias"`
	Weights map[string]float64   `json:"weights"`         // by name, as names are hashed
	Scale   map[string]ScaleFile `json:"scale,omitempty"` // of numbers

	// Examples is how many labelled examples the counts are among, where a feature that less than half of them had is
	// not centred.
	Examples float64 `json:"examples,omitempty"`
	Scaling  string  `json:"scaling,omitempty"` // the setting of the scale

	// Shared are those of Weights at whose slot other names were met, too. Unnamed is how many weights have no name
	// that is known, or one that is too long: they are not among Weights.
	Shared  []string `json:"shared,omitempty"`
	Unnamed int      `json:"unnamed,omitempty"`

	// With a calibration the log-odds of a score s are a·s + c. Decide is the rule of the cut, and Cut the score from
	// which on positive is predicted now; without it the rule is still the sign. Who reads them again begins anew.
	Calibration *OddsFile `json:"calibration,omitempty"`
	Decide      string    `json:"decide,omitempty"`
	Cut         *float64  `json:"cut,omitempty"`
}

// OddsFile is a calibration in a WeightsFile: decision.Platt, with a as it is used.
type OddsFile struct {
	A float64 `json:"a"`
	C float64 `json:"c"`

	// What it has learned from. Without these it begins at a and c, and moves as a new one does.
	H      [3]float64 `json:"h,omitzero"`
	Labels int64      `json:"labels,omitempty"`
	Mean   float64    `json:"mean,omitempty"`
	Square float64    `json:"square,omitempty"`
}

// ScaleFile is learner.Scaling in a WeightsFile.
type ScaleFile struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
	Count     float64 `json:"count,omitempty"`
	Centred   *bool   `json:"centred,omitempty"` // false: mean is 0, and deviation the root of the mean of the squares
	Average   float64 `json:"average,omitempty"` // of the values, where not centred
}

// WeightsFile returns the model's weights and scaling. The error says why it has none.
func (p *Processor) WeightsFile() (*WeightsFile, error) {
	m := p.Binary()
	if m == nil {
		return nil, errors.New("several classes have a set of weights each: only a model of two labels is written")
	}
	if spec := m.Spec(); spec.Kernel != "" && spec.Kernel != learner.KernelLinear {
		return nil, fmt.Errorf("%s has no weights by feature: its score comes from the examples that it keeps", spec)
	}
	f := &WeightsFile{Bias: m.Bias(), Weights: map[string]float64{}, Scaling: m.Spec().ScaleText(),
		Examples: m.ScaledExamples()}
	for _, w := range m.Top(math.MaxInt32 / 2) {
		if w.Name == fmt.Sprint("#", w.Slot) || len(w.Name) >= learner.MaxNameBytes-4 {
			f.Unnamed++
			continue
		}
		f.Weights[w.Name] = w.Weight
		if w.Shared {
			f.Shared = append(f.Shared, w.Name)
		}
		if s, scaled := m.ScalingOf(w.Slot); scaled {
			if f.Scale == nil {
				f.Scale = map[string]ScaleFile{}
			}
			entry := ScaleFile{Mean: s.Mean, Deviation: s.Deviation, Count: s.Count}
			if s.Sized {
				entry.Centred, entry.Average = new(bool), s.Average
			}
			f.Scale[w.Name] = entry
		}
	}
	slices.Sort(f.Shared)
	if d := p.Decision(); d != nil {
		f.Decide = d.Rule.String()
		if d.Calibration != CalibrateNone {
			p := &d.Platt
			f.Calibration = &OddsFile{d.Odds.Slope, d.Odds.Offset, p.H, p.Labels, p.Mean, p.Square}
		}
		if d.HasThreshold {
			f.Cut = &d.Threshold
		}
	}
	return f, nil
}
