package stream_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"rosenblatt/learner"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
)

// TestStatusShowsWhatHappened: the samples are the last records rejected and predicted wrongly, as they are in the
// topics, the summary is that of the model at its last checkpoint, and every batch, fetch and save was timed.
func TestStatusShowsWhatHappened(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	input := events(1, 3000)
	s.Cluster.Produce(t, s.Name, 0, input...)
	st := s.MustRun(t).Status()
	o := s.Audit(t)

	rejected := st.Recent.Rejected["syntax"]
	if len(st.Recent.Rejected) != 1 || len(rejected) != 3 {
		t.Fatalf("rejects %+v", st.Recent.Rejected)
	}
	for i, x := range rejected {
		if x.Offset != int64(2963-50*i) || string(x.Value) != input[x.Offset] || x.Size != len(x.Value) ||
			x.Error == "" || x.Null {
			t.Errorf("reject %d: %+v", i, x)
		}
	}
	var wrong []publishedPrediction
	for _, raw := range o.Values {
		var a publishedPrediction
		if err := json.Unmarshal(raw, &a); err != nil {
			t.Fatal(err)
		}
		if a.Mistake {
			wrong = append(wrong, a)
		}
	}
	if len(st.Recent.Mistakes) != 8 || len(wrong) < 20 {
		t.Fatalf("%d mistakes of %d", len(st.Recent.Mistakes), len(wrong))
	}
	for i, x := range st.Recent.Mistakes {
		a := wrong[len(wrong)-1-i]
		if x.Offset != a.Offset || x.Score != a.Score || x.Prediction != fmt.Sprint(a.Prediction) ||
			x.Label != fmt.Sprint(a.Label) || string(x.Value) != input[x.Offset] {
			t.Errorf("mistake %d: %+v, the prediction was %+v", i, x, a)
		}
	}
	p := st.Summary
	if p.Seq != st.Seq || p.Matrix != nil || len(p.Weights) != 1 || !p.Weights[0].All || len(p.Weights[0].Top) < 5 ||
		p.Weights[0].Top[0].Name != "d" {
		t.Errorf("summary %+v", p)
	}
	if st.Labels != [2]string{"-1", "1"} || st.Config.Learner.Learner != learner.Perceptron {
		t.Errorf("labels %v, config %+v", st.Labels, st.Config)
	}
	read := func(h prometheus.Histogram) *dto.Histogram {
		var m dto.Metric
		if err := h.Write(&m); err != nil {
			t.Fatal(err)
		}
		return m.GetHistogram()
	}
	latency, processing, batches := read(st.Timings.Latency), read(st.Timings.Processing), read(st.Timings.Batch)
	if n := batches.GetSampleCount(); n == 0 || batches.GetSampleSum() != float64(st.Seq) ||
		processing.GetSampleCount() != n || processing.GetSampleSum() <= 0 || latency.GetSampleCount() != n {
		t.Errorf("batches %v, processing %v, latency %v", batches, processing, latency)
	}
	fetches, saves := read(st.Timings.Fetch), read(st.Timings.Save)
	if fetches.GetSampleCount() == 0 || saves.GetSampleCount() != uint64(st.Checkpoints) {
		t.Errorf("fetches %v, saves %v", fetches, saves)
	}
}

type publishedPrediction struct {
	Offset            int64
	Score             float64
	Prediction, Label int
	Mistake           bool
}

func TestPortraitOfClasses(t *testing.T) {
	t.Parallel()
	for _, scheme := range schemes {
		s := streamtest.New(t, streamtest.Start(t), 1)
		multiclass(s, scheme)
		s.Cluster.Produce(t, s.Name, 0, classEvents(1, 400)...)
		st := s.MustRun(t).Status()
		m := st.Summary.Matrix
		var sum, right float64
		for i, row := range m.Cells {
			for j, n := range row {
				sum += n
				if i == j && i < len(m.Classes) {
					right += n
				}
			}
		}
		if int64(sum) != st.Score.Examples || int64(sum-right) != st.Score.Mistakes || len(m.Classes) != 4 ||
			len(st.Summary.Weights) != 4 {
			t.Errorf("%s: matrix %+v of %d examples, %d mistakes", scheme, m, st.Score.Examples, st.Score.Mistakes)
		}
		for i, w := range st.Summary.Weights {
			if w.Class != m.Classes[i] || len(w.Top) != 4 || !json.Valid([]byte(w.Class)) {
				t.Errorf("%s: %+v", scheme, w)
			}
		}
		if x := st.Recent.Mistakes[0]; !json.Valid([]byte(x.Prediction)) || !json.Valid([]byte(x.Label)) ||
			x.Prediction == x.Label {
			t.Errorf("%s: %+v", scheme, x)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	var f model.Config
	f.Learner.Learner = learner.PA1
	all, err := f.Settings()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for i, x := range all {
		values[x.Name] = string(x.Value)
		if i > 0 && x.Name <= all[i-1].Name || !json.Valid(x.Value) {
			t.Errorf("setting %d is %+v", i, x)
		}
	}
	if values["learner.learner"] != `"pa1"` || values["hash"] != `"xxhash64"` {
		t.Errorf("%v", values)
	}
}
