package stream

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// goldenCheckpoint is a checkpoint as this format holds it. Set ROSENBLATT_UPDATE_GOLDEN to write it anew, which is
// right only together with a new format version or a new optional field.
var goldenCheckpoint = filepath.Join("testdata", "format-10", "checkpoint-3")

// olderCheckpoint is one of a development version before the first release.
var olderCheckpoint = filepath.Join("testdata", "format-4", "checkpoint-3")

func goldenState(t *testing.T) *state.State {
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
		o, rejected := st.Proc.Predict(&c.Examples[i], c.Features(i))
		if rejected != nil {
			t.Fatal(rejected)
		}
		st.Seq++
		st.Proc.Learn(&c.Records[i], o)
	}
	st.Epoch, st.Positions, st.Started = 2, []int64{3}, []int64{0}
	st.Counts = model.Counts{Read: 3, Predictions: 3, Rejected: map[string]int64{}}
	st.Topology = &topics.Topology{Cluster: "cluster",
		Input:  topics.TopicState{Name: "in", ID: "01", Partitions: []topics.Bounds{{End: 3}}},
		Output: topics.TopicState{Name: "out", ID: "02"}, DeadLetters: topics.TopicState{Name: "dlq", ID: "03"}}
	st.Fence.Producer = topics.Producer{ID: 1000, Epoch: 7}
	return st
}

// TestGoldenCheckpoint: this version writes the same bytes as when its format was new, and reads them (faults, row 51).
func TestGoldenCheckpoint(t *testing.T) {
	t.Parallel()
	st := goldenState(t)
	store := &checkpoint.Store{Dir: t.TempDir()}
	ends := topics.Ends{Output: []int64{5}, DeadLetters: []int64{1}}
	if _, err := saveNow(st, store, &state.Config{Model: "golden", Build: "1"}, ends, topics.EndEpochs{}); err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(filepath.Join(store.Dir, "checkpoint-3"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ROSENBLATT_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(goldenCheckpoint, now, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	was, err := os.ReadFile(goldenCheckpoint)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(was, now) {
		t.Errorf("this version writes other bytes:\n%.1200q\nthe golden file is\n%.1200q", now, was)
	}
	f, err := checkpoint.Open(nil, goldenCheckpoint)
	if err != nil {
		t.Fatal(err)
	}
	h, proc, err := model.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if h.Seq != 3 || h.Producer.Epoch != 7 || proc.Score.Examples() != 3 ||
		proc.Score.Mistakes() != st.Proc.Score.Mistakes() ||
		proc.Bias(model.Positive) != st.Proc.Bias(model.Positive) {
		t.Errorf("read back: %+v", h)
	}
}

// TestOlderCheckpoint: a checkpoint of an earlier format is refused by name, and nothing in its folder is changed.
func TestOlderCheckpoint(t *testing.T) {
	t.Parallel()
	was, err := os.ReadFile(olderCheckpoint)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	copied := filepath.Join(dir, "checkpoint-3")
	if err := os.WriteFile(copied, was, 0o600); err != nil {
		t.Fatal(err)
	}
	_, aside, err := (&checkpoint.Store{Dir: dir}).Newest()
	stop := stateStop(dir, err)
	if stop.Name != stops.StateUnreadable || len(aside) > 0 ||
		!strings.Contains(stop.What, fmt.Sprintf("format version 4, this program reads %d", checkpoint.Version)) ||
		!strings.Contains(stop.Do, "start the program that wrote it") {
		t.Errorf("%+v, %v", stop, aside)
	}
	if now, err := os.ReadFile(copied); err != nil || !bytes.Equal(now, was) {
		t.Errorf("%s is another file now, %v", copied, err)
	}
}
