package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// outcomeValue is the value of a record of the outcomes topic.
type outcomeValue struct {
	ID             json.RawMessage `json:"id"`
	Outcome        string          `json:"outcome"`
	Label          json.RawMessage `json:"label"`
	Prediction     json.RawMessage `json:"prediction"`
	Score          float64         `json:"score"`
	Untrained      bool            `json:"untrained"`
	Mistake        *bool           `json:"mistake"`
	Updated        bool            `json:"updated"`
	ScoreNow       *float64        `json:"scoreNow"`
	Delay          *int64          `json:"delay"`
	Partition      int32           `json:"partition"`
	Offset         int64           `json:"offset"`
	Time           int64           `json:"time"`
	Of             int64           `json:"of"`
	LabelPartition *int32          `json:"labelPartition"`
	LabelOffset    *int64          `json:"labelOffset"`
	Seq            int64           `json:"seq"`
	Model          string          `json:"model"`
}

// ParseOutcome reads the value of a record of the outcomes topic.
func ParseOutcome(value []byte) (*Outcome, error) {
	v := outcomeValue{Partition: -1, Offset: -1}
	if err := json.Unmarshal(value, &v); err != nil {
		return nil, fmt.Errorf("not an outcome: %w", err)
	}
	kind, known := ParseKind(v.Outcome)
	if !known {
		return nil, fmt.Errorf("not an outcome: its kind is %q", v.Outcome)
	}
	if err := v.check(kind); err != nil {
		return nil, fmt.Errorf("not an outcome: %v: %w", kind, err)
	}
	o := &Outcome{Kind: kind, ID: v.ID, Of: v.Of, Prediction: v.Prediction, Score: v.Score,
		Untrained: v.Untrained, Label: v.Label,
		Updated: v.Updated, Partition: v.Partition, Offset: v.Offset, Time: v.Time, Seq: v.Seq, Model: v.Model}
	if v.ScoreNow != nil {
		o.Scored, o.Mistake, o.ScoreNow = true, *v.Mistake, *v.ScoreNow
	}
	if kind.ByLabel() {
		o.LabelPartition, o.LabelOffset, o.Delay = *v.LabelPartition, *v.LabelOffset, *v.Delay
	}
	return o, nil
}

// check says which fields do not fit each other or the kind.
func (v *outcomeValue) check(kind Kind) error {
	scored, byLabel := v.ScoreNow != nil, v.LabelPartition != nil
	switch {
	case v.Seq < 1, v.Of < 1, v.Of >= v.Seq, v.Partition < 0, v.Offset < 0, !strings.Contains(v.Model, "@"):
		return fmt.Errorf("seq %d, of %d, partition %d, offset %d, model %q", v.Seq, v.Of, v.Partition, v.Offset,
			v.Model)
	case v.Prediction == nil:
		return errors.New("it has no prediction")
	case kind == DuplicateID && v.Of != v.Seq-1:
		return fmt.Errorf("seq %d is not directly behind %d", v.Seq, v.Of)
	case (v.Mistake != nil) != scored, scored && kind != Labelled && kind != Assumed:
		return errors.New("mistake and scoreNow do not fit")
	case (v.Label != nil) != (kind.ByLabel() || kind == Assumed):
		return fmt.Errorf("its label is %q", v.Label)
	case byLabel != kind.ByLabel(), (v.LabelOffset != nil) != byLabel, (v.Delay != nil) != byLabel,
		byLabel && (*v.LabelPartition < 0 || *v.LabelOffset < 0):
		return errors.New("labelPartition, labelOffset and delay do not fit")
	}
	return nil
}
