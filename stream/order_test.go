package stream_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
)

// plain is a setup without scaling, so that scores can be computed by hand.
func plain(t testing.TB) *streamtest.Setup {
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.ModelConfig.Learner.Scale = "none"
	return s
}

// TestPredictedBeforeLearned: the same example three times. Predicted first, the scores are 0, -2 (after one mistake: w
// = -1, b = -1) and -2. Learned first, the first score would be -2 already.
func TestPredictedBeforeLearned(t *testing.T) {
	t.Parallel()
	s := plain(t)
	e := `{"label":-1,"features":{"x":1}}`
	s.Cluster.Produce(t, s.Name, 0, e, e, e)
	s.MustRun(t)
	for i, want := range []float64{0, -2, -2} {
		if got := s.Audit(t).Predictions[i].Score; got != want {
			t.Errorf("prediction %d: score %v, want %v", i+1, got, want)
		}
	}
}

// TestPredictionText fixes the spelling of predictions.
func TestPredictionText(t *testing.T) {
	t.Parallel()
	s := plain(t)
	s.Cluster.Produce(t, s.Name, 0,
		`{"id":"e\u0031","label":0,"features":{"x":1.5}}`, `{"id":7,"features":{"x":1}}`,
		`{"label":1,"features":{"x":1}}`)
	s.MustRun(t)
	o := s.Audit(t)
	want := []string{
		`{"id":"e\u0031","prediction":1,"score":0,"label":0,"mistake":true,"updated":true,"partition":0,` +
			`"offset":0,"time":T,"seq":1,"model":"M@1"}`,
		`{"id":7,"prediction":0,"score":-2.5,"updated":false,"partition":0,"offset":1,"time":T,"seq":2,"model":"M@1"}`,
		`{"prediction":0,"score":-2.5,"label":1,"mistake":true,"updated":true,"partition":0,"offset":2,` +
			`"time":T,"seq":3,"model":"M@1"}`,
	}
	for i, w := range want {
		got := strings.Replace(string(o.Values[i]), s.Name, "M", 1)
		got = strings.Replace(got, fmt.Sprintf(`"time":%d,`, o.Input[0][i].Timestamp), `"time":T,`, 1)
		if got != w {
			t.Errorf("prediction %d:\n got %s\nwant %s", i+1, got, w)
		}
	}
}

// TestLabelFamilies: the first label decides how labels are spelled; another family is a bad label, before any later
// reason.
func TestLabelFamilies(t *testing.T) {
	t.Parallel()
	s := plain(t)
	s.Cluster.Produce(t, s.Name, 0,
		`{"label":1,"features":{"x":1}}`, `{"label":0,"features":{"x":1}}`, `{"label":-1,"features":{"x":1}}`,
		`{"label":true,"features":{}}`, `{"label":"UP","features":{"x":1}}`, `{}`)
	s.MustRun(t)
	o := s.Audit(t)
	if len(o.Predictions) != 2 {
		t.Errorf("%d predictions, want 2", len(o.Predictions))
	}
	want := []event.Reason{event.BadLabel, event.BadLabel, event.BadLabel, event.NoFeatures}
	for i, l := range o.DeadLetters {
		if l.Reason != want[i] {
			t.Errorf("dead letter %d: %s, want %s", i, l.Reason, want[i])
		}
	}
}

// TestRange: what is within 1e30 is learned and leaves finite weights, what is beyond is rejected (faults, row 36).
func TestRange(t *testing.T) {
	t.Parallel()
	s := plain(t)
	s.Config.ModelConfig.Decode.WeightField = "weight"
	for _, v := range []string{"1e29", "-0", "4e-324", "1e39", "1e400", "NaN", "1e30"} {
		s.Cluster.Produce(t, s.Name, 0, `{"label":-1,"weight":1e30,"features":{"x":`+v+`}}`)
	}
	task := s.MustRun(t)
	o := s.Audit(t)
	if r := task.Status().Counts.Rejected; len(o.Predictions) != 4 || r["out-of-range"] != 2 || r["syntax"] != 1 {
		t.Errorf("%d predictions, rejected %v", len(o.Predictions), r)
	}
	for _, w := range o.Proc.Top(model.Positive, 10) {
		if math.IsInf(w.Weight, 0) || math.IsNaN(w.Weight) {
			t.Errorf("weight of %s: %v", w.Name, w.Weight)
		}
	}
}

// TestNoLearn: predictions only, and the model stays as it is.
func TestNoLearn(t *testing.T) {
	t.Parallel()
	s := plain(t)
	s.Config.ModelConfig.NoLearn = true
	s.Config.Weights = &model.Weights{Bias: 0.5, Names: []string{"x"}, Value: map[string]float64{"x": -2}}
	e := `{"label":1,"features":{"x":1}}`
	s.Cluster.Produce(t, s.Name, 0, e, e)
	s.MustRun(t)
	for _, a := range s.Audit(t).Predictions {
		if a.Score != -1.5 {
			t.Errorf("seq %d: score %v, want -1.5", a.Seq, a.Score)
		}
	}
}
