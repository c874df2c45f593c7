package journal

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Prediction is what recovery, replay and verify read of a prediction. PredictionEncoder writes it.
type Prediction struct {
	Score     float64  `json:"score"`
	Threshold *float64 `json:"threshold"` // from which score on positive was predicted; nil where there is none
	Untrained bool     `json:"untrained"`
	Partition int32    `json:"partition"` // of the input record, as is Offset
	Offset    int64    `json:"offset"`
	Seq       int64    `json:"seq"`
	Model     string   `json:"model"` // name@epoch
}

// ParsePrediction reads the value of a record of the output topic.
func ParsePrediction(value []byte) (Prediction, error) {
	v := struct {
		Prediction
		Outcome json.RawMessage `json:"outcome"`
	}{Prediction: Prediction{Partition: -1, Offset: -1}}
	if err := json.Unmarshal(value, &v); err != nil {
		return v.Prediction, fmt.Errorf("not a prediction: %w", err)
	}
	p := v.Prediction
	if v.Outcome != nil {
		return p, fmt.Errorf("not a prediction: an outcome, %s", v.Outcome)
	}
	if p.Seq < 1 || p.Partition < 0 || p.Offset < 0 || !strings.Contains(p.Model, "@") {
		return p, fmt.Errorf("not a prediction: seq %d, partition %d, offset %d, model %q",
			p.Seq, p.Partition, p.Offset, p.Model)
	}
	return p, nil
}
