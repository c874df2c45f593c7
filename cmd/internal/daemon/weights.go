package daemon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"rosenblatt/learner"
	"rosenblatt/learner/decision"
	"rosenblatt/stream/model"
)

const biasName = "bias"

// readWeights reads a file of initial weights: a JSON object, name: number, where "bias" is the bias; or one with
// "weights", as inspect writes it (model.WeightsFile). Weights are set in the order of their names, so the same file
// always makes the same model. A duplicate name is an error.
func readWeights(path string) (*model.Weights, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	w, err := parseWeights(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, nil
}

func parseWeights(raw []byte) (*model.Weights, error) {
	var whole struct{ Weights json.RawMessage }
	if json.Unmarshal(raw, &whole) == nil && bytes.HasPrefix(whole.Weights, []byte("{")) {
		return parseScaled(raw, whole.Weights)
	}
	return parseFlat(raw)
}

// parseScaled reads what inspect writes. What is said of names in it, as which share a slot, is for people.
func parseScaled(raw, weights []byte) (*model.Weights, error) {
	var f model.WeightsFile
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, err
	}
	w, err := parseFlat(weights)
	switch {
	case err != nil:
		return nil, fmt.Errorf("weights: %w", err)
	case w.Bias != 0:
		return nil, fmt.Errorf("weights: %q: the bias is beside them", biasName)
	case math.Abs(f.Bias) > learner.MaxValue:
		return nil, fmt.Errorf("%q: %v: want at most %v in magnitude", biasName, f.Bias, learner.MaxValue)
	case f.Examples < 0:
		return nil, fmt.Errorf("examples: %v: want 0 or more", f.Examples)
	}
	w.Bias, w.Examples = f.Bias, f.Examples
	for name, s := range f.Scale {
		if _, weighs := w.Value[name]; !weighs {
			continue // its weight is 0
		}
		if w.Scale == nil {
			w.Scale = map[string]learner.Scaling{}
		}
		w.Scale[name] = learner.Scaling{Mean: s.Mean, Deviation: s.Deviation, Count: s.Count,
			Sized: s.Centred != nil && !*s.Centred, Average: s.Average}
	}
	return w, readDecisions(&f, w)
}

// readDecisions reads what scores mean, and from which one on positive is predicted.
func readDecisions(f *model.WeightsFile, w *model.Weights) (err error) {
	if c := f.Calibration; c != nil {
		w.Calibration = &decision.Platt{A: c.A, C: c.C, H: c.H, Labels: c.Labels, Mean: c.Mean, Square: c.Square}
		if !w.Calibration.Valid() || c.A < 0 {
			return errors.New("calibration: a number in it is out of range: want a and labels of 0 or more")
		}
	}
	if w.Rule, err = decision.ParseRule(f.Decide); err != nil {
		return fmt.Errorf("decide: %w", err)
	}
	if w.Cut = f.Cut; f.Cut != nil && w.Rule.Kind == decision.Sign {
		return errors.New("cut: want decide beside it, the rule whose cut it is")
	}
	return nil
}

// parseFlat reads an object of numbers.
func parseFlat(raw []byte) (*model.Weights, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New(`want a JSON object, {"name": number, ...}`)
	}
	w := &model.Weights{Value: map[string]float64{}}
	seen := map[string]bool{}
	for d.More() {
		name, v, err := parseWeight(d)
		switch {
		case err != nil:
			return nil, err
		case seen[name]:
			return nil, fmt.Errorf("%q: duplicate", name)
		}
		seen[name] = true
		if name == biasName {
			w.Bias = v
			continue
		}
		w.Names, w.Value[name] = append(w.Names, name), v
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return nil, fmt.Errorf("the object does not end: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the object")
	}
	slices.Sort(w.Names)
	return w, nil
}

func parseWeight(d *json.Decoder) (name string, v float64, err error) {
	t, err := d.Token()
	if err != nil {
		return "", 0, err
	}
	name = t.(string) // the decoder returns a name here, or an error
	var number *float64
	if err := d.Decode(&number); err != nil || number == nil {
		return "", 0, fmt.Errorf("%q: want a number", name)
	}
	if math.Abs(*number) > learner.MaxValue {
		return "", 0, fmt.Errorf("%q: %v: want at most %v in magnitude", name, *number, learner.MaxValue)
	}
	return name, *number, nil
}
