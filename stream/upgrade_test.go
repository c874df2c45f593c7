package stream

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// goldenCheckpoints are the same checkpoint as each format version wrote it, the last as this one does: of version 2
// before and since the perceptron's loss is in the score. Set ROSENBLATT_UPDATE_GOLDEN to write the last anew, which is
// right only together with a new format version or a new optional field.
var goldenCheckpoints = []string{
	filepath.Join("testdata", "checkpoint-3"), filepath.Join("testdata", "format-2", "checkpoint-3"),
	filepath.Join("testdata", "format-2-loss", "checkpoint-3"),
}

// sinceLoss is what the score has since the perceptron's loss is in it.
var sinceLoss = regexp.MustCompile(`,"perceptronLoss":\{[^}]*\}`)

func goldenState(t *testing.T) *state {
	t.Helper()
	options := event.Defaults(event.JSON)
	options.Bits = 4
	st := benchState(t, model.Config{Hash: model.HashName,
		Learner: learner.Spec{Learner: "perceptron", Scale: "standard", Bits: 4}.WithDefaults(), Decode: options})
	d, err := event.New(options)
	if err != nil {
		t.Fatal(err)
	}
	c := &chunk{}
	for i, v := range []string{`{"label":1,"x":1.5,"market":"vic"}`, `{"label":-1,"x":-2,"market":"nsw"}`,
		`{"label":-1,"x":0.25}`} {
		c.Records = append(c.Records, topics.Record{Offset: int64(i), Value: []byte(v)})
	}
	c.Decode(d, c.Records)
	for i := range c.Records {
		o, rejected := st.proc.Predict(&c.Examples[i], c.Features(i))
		if rejected != nil {
			t.Fatal(rejected)
		}
		st.seq++
		st.proc.Learn(&c.Records[i], o)
	}
	st.epoch, st.positions, st.started = 2, []int64{3}, []int64{0}
	st.counts = model.Counts{Read: 3, Predictions: 3, Rejected: map[string]int64{}}
	st.topology = &topics.Topology{Cluster: "cluster",
		Input:  topics.TopicState{Name: "in", ID: "01", Partitions: []topics.Bounds{{End: 3}}},
		Output: topics.TopicState{Name: "out", ID: "02"}, DeadLetters: topics.TopicState{Name: "dlq", ID: "03"}}
	st.fence.Producer = topics.Producer{ID: 1000, Epoch: 7}
	return st
}

// TestGoldenCheckpoint: what earlier versions wrote is read by this one, and this one writes the same bytes as when its
// format was new (faults, row 51).
func TestGoldenCheckpoint(t *testing.T) {
	t.Parallel()
	st := goldenState(t)
	store := &checkpoint.Store{Dir: t.TempDir()}
	ends := topics.Ends{Output: []int64{5}, DeadLetters: []int64{1}}
	if _, err := st.saveNow(store, &Config{Model: "golden", Build: "1"}, ends, topics.EndEpochs{}); err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(filepath.Join(store.Dir, "checkpoint-3"))
	if err != nil {
		t.Fatal(err)
	}
	golden := goldenCheckpoints[len(goldenCheckpoints)-1]
	if os.Getenv("ROSENBLATT_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, now, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	was, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(was, now) {
		t.Errorf("this version writes other bytes:\n%.1200q\nthe golden file is\n%.1200q", now, was)
	}
	first, err := checkpoint.Open(nil, goldenCheckpoints[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range goldenCheckpoints {
		f, err := checkpoint.Open(nil, path)
		if err != nil {
			t.Fatal(err)
		}
		h, proc, err := model.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		if h.Seq != 3 || h.Producer.Epoch != 7 || proc.Score.Examples() != 3 ||
			proc.Score.Mistakes() != st.proc.Score.Mistakes() ||
			proc.Bias(model.Positive) != st.proc.Bias(model.Positive) {
			t.Errorf("%s: read back: %+v", path, h)
		}
		for _, section := range f.Sections {
			if section.Name == "scoreBins" {
				continue // since it is counted by score
			}
			data, ok := first.Section(section.Name)
			if !ok || !bytes.Equal(data, sinceLoss.ReplaceAll(section.Data, nil)) {
				t.Errorf("%s: section %s differs from the first version's", path, section.Name)
			}
		}
	}
}

// TestRenamedReason: records counted under a reason's earlier name are counted under its name of today.
func TestRenamedReason(t *testing.T) {
	t.Parallel()
	st := goldenState(t)
	st.counts.Rejected = map[string]int64{"answer-too-large": 2, "prediction-too-large": 1, "syntax": 4}
	store := &checkpoint.Store{Dir: t.TempDir()}
	ends := topics.Ends{Output: []int64{5}, DeadLetters: []int64{1}}
	if _, err := st.saveNow(store, &Config{Model: "renamed", Build: "1"}, ends, topics.EndEpochs{}); err != nil {
		t.Fatal(err)
	}
	f, _, err := store.Newest()
	if err != nil {
		t.Fatal(err)
	}
	h, _, err := model.Read(f)
	want := map[string]int64{"prediction-too-large": 3, "syntax": 4}
	if err != nil || !maps.Equal(h.Counts.Rejected, want) {
		t.Errorf("%v, %v, want %v", err, h.Counts.Rejected, want)
	}
}
