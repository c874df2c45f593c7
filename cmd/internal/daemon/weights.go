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
	"rosenblatt/stream/model"
)

const biasName = "bias"

// readWeights reads a file of initial weights: a JSON object, name: number, where "bias" is the bias. Weights are set
// in the order of their names, so the same file always makes the same model. A duplicate name is an error.
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
