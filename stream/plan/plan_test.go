package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// world is a checkpoint, a configuration and a cluster that fit together: two partitions, of which the input is read
// to 40 and 50, the output to 60 and 70, and the dead letters to 5.
type world struct {
	header model.Header
	config state.Config
	top    topics.Topology
}

func newWorld() *world {
	fixed := model.Config{Hash: model.HashName, Decode: event.Defaults(event.JSON),
		Learner: learner.Spec{Learner: "perceptron", Bits: 18}.WithDefaults()}
	bounds := func(ends ...int64) (out []topics.Bounds) {
		for _, end := range ends {
			out = append(out, topics.Bounds{Start: 10, End: end, Stable: end})
		}
		return out
	}
	w := &world{config: state.Config{Model: "m", ModelConfig: fixed}, top: topics.Topology{Cluster: "c",
		Input:       topics.TopicState{Name: "in", ID: "1", Partitions: bounds(100, 100)},
		Output:      topics.TopicState{Name: "out", ID: "2", Partitions: bounds(80, 80)},
		DeadLetters: topics.TopicState{Name: "dlq", ID: "3", Partitions: bounds(20)}}}
	w.header = model.Header{Model: "m", Config: fixed, Cluster: "c", Seq: 110, Positions: []int64{40, 50},
		Started: []int64{0, 0},
		Input:   model.RefOf(w.top.Input), Output: model.RefOf(w.top.Output), Dead: model.RefOf(w.top.DeadLetters),
		Ends: topics.Ends{Output: []int64{60, 70}, DeadLetters: []int64{15}}}
	return w
}

// withLabels adds a topic of labels, which is read to 20, 30 and 40.
func (w *world) withLabels() {
	for range 3 {
		w.top.Labels.Partitions = append(w.top.Labels.Partitions, topics.Bounds{Start: 10, End: 100, Stable: 100})
	}
	w.top.Labels.Name, w.top.Labels.ID = "lb", "4"
	w.header.Labels = model.RefOf(w.top.Labels)
	w.header.LabelPositions, w.header.LabelStarted = []int64{20, 30, 40}, []int64{10, 10, 10}
}

// planText is the plan as the log prints it, without the message.
func planText(t *testing.T, p *Plan) string {
	t.Helper()
	var b bytes.Buffer
	logger := zerolog.New(&b)
	logger.Log().EmbedObject(p).Send()
	if !json.Valid(b.Bytes()) {
		t.Fatal(b.String())
	}
	return strings.TrimSpace(b.String())
}

// TestRecoveryPlan: each mode of recovery follows from one difference between checkpoint, configuration and cluster,
// and only when that is accepted.
func TestRecoveryPlan(t *testing.T) {
	t.Parallel()
	const usual = `{"seq":110,"positions":[40,50],"output":[60,70],"deadLetters":[15],"compared":true}`
	for name, row := range map[string]struct {
		change func(w *world)
		accept string
		want   string
	}{
		"as it was": {func(*world) {}, "", usual},
		"an input partition was added": {func(w *world) {
			w.top.Input.Partitions = append(w.top.Input.Partitions, topics.Bounds{Start: 3, End: 9})
			w.top.Output.Partitions = append(w.top.Output.Partitions, topics.Bounds{Start: 2, End: 2})
		}, "", `{"seq":110,"positions":[40,50,3],"output":[60,70,2],"deadLetters":[15],"compared":true}`},
		"another configuration": {func(w *world) { w.config.ModelConfig.NoLearn = true }, stops.ConfigDiffers,
			`{"seq":110,"positions":[40,50],"output":[60,70],"deadLetters":[15],"compared":true,"newConfig":true}`},
		"the input begins above the position": {func(w *world) { w.top.Input.Partitions[0].Start = 45 },
			stops.InputGone,
			`{"seq":110,"positions":[45,50],"output":[60,70],"deadLetters":[15],"compared":false}`},
		"the input ends below the position": {func(w *world) { w.top.Input.Partitions[1].End = 45 }, stops.BeyondEnd,
			`{"seq":110,"positions":[40,45],"output":[60,70],"deadLetters":[15],"compared":false,"truncated":[1]}`},
		"another input": {func(w *world) { w.top.Input.ID = "9" }, stops.TopicChanged,
			`{"seq":110,"positions":[10,10],"output":[60,70],"deadLetters":[15],"compared":false,` +
				`"inputReplaced":true}`},
		"another output": {func(w *world) { w.top.Output.ID = "9" }, stops.TopicChanged,
			`{"seq":110,"positions":[40,50],"output":[10,10],"deadLetters":[15],"compared":false}`},
		"another dead-letter topic": {func(w *world) { w.top.DeadLetters.Name = "other" }, stops.TopicChanged,
			`{"seq":110,"positions":[40,50],"output":[60,70],"deadLetters":[10],"compared":false}`},
		"another cluster": {func(w *world) { w.top.Cluster = "9" }, stops.TopicChanged,
			`{"seq":110,"positions":[10,10],"output":[10,10],"deadLetters":[10],"compared":false,` +
				`"inputReplaced":true}`},
		"the output ends below the saved end": {func(w *world) { w.top.Output.Partitions[1].End = 65 },
			stops.JournalGone,
			`{"seq":110,"positions":[40,50],"output":[60,65],"deadLetters":[15],"compared":false}`},
		"labels": {func(w *world) { w.withLabels() }, "",
			`{"seq":110,"positions":[40,50],"output":[60,70],"deadLetters":[15],"compared":true,"labels":[20,30,40]}`},
		"a partition of labels was added": {func(w *world) {
			w.withLabels()
			w.top.Labels.Partitions = append(w.top.Labels.Partitions, topics.Bounds{Start: 3, End: 9})
		}, "", `{"seq":110,"positions":[40,50],"output":[60,70],"deadLetters":[15],"compared":true,` +
			`"labels":[20,30,40,3]}`},
		"labels are new": {func(w *world) {
			w.withLabels()
			w.header.Labels, w.header.LabelPositions, w.header.LabelStarted = model.TopicRef{}, nil, nil
			w.top.Labels.Partitions[2].Stable = 90
		}, "", `{"seq":110,"positions":[40,50],"output":[60,70],"deadLetters":[15],"compared":true,` +
			`"labels":[100,100,90]}`},
		"labels are taken away": {func(w *world) {
			w.withLabels()
			w.top.Labels = topics.TopicState{}
		}, "", usual},
		"the labels begin above the position": {func(w *world) {
			w.withLabels()
			w.top.Labels.Partitions[1].Start = 35
		}, stops.InputGone, `{"seq":110,"positions":[40,50],"output":[60,70],"deadLetters":[15],"compared":false,` +
			`"labels":[20,35,40]}`},
		"the labels end below the position": {func(w *world) {
			w.withLabels()
			w.top.Labels.Partitions[2].End = 35
		}, stops.BeyondEnd, `{"seq":110,"positions":[40,50],"output":[60,70],"deadLetters":[15],"compared":false,` +
			`"labels":[20,30,35],"labelsTruncated":[2]}`},
		"another topic of labels": {func(w *world) {
			w.withLabels()
			w.top.Labels.ID = "9"
		}, stops.TopicChanged, `{"seq":110,"positions":[40,50],"output":[60,70],"deadLetters":[15],` +
			`"compared":false,"labels":[10,10,10],"labelsReplaced":true}`},
		"the dead letters begin above it": {func(w *world) { w.top.DeadLetters.Partitions[0].Start = 18 },
			stops.DeadLettersGone,
			`{"seq":110,"positions":[40,50],"output":[60,70],"deadLetters":[18],"compared":false}`},
	} {
		w := newWorld()
		row.change(w)
		if row.accept != "" {
			_, err := FromCheckpoint(&w.header, &w.config, &w.top, nil)
			if !stops.Is(err, row.accept) {
				t.Errorf("%s: %v, want the stop %s", name, err, row.accept)
				continue
			}
			stop, _ := errors.AsType[*stops.Error](err)
			w.config.Accept = []string{stop.Token()}
			if p, err := FromCheckpoint(&w.header, &w.config, &w.top, nil); err != nil || planText(t, p) != row.want {
				t.Errorf("%s, accepted by its token: %v", name, err)
			}
			w.config.Accept = []string{row.accept}
		}
		p, err := FromCheckpoint(&w.header, &w.config, &w.top, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := planText(t, p); got != row.want {
			t.Errorf("%s:\n%s, want\n%s", name, got, row.want)
		}
		if row.accept != "" && (len(p.Accepted) == 0 || p.Accepted[0].Name != row.accept) {
			t.Errorf("%s: accepted %v", name, p.Accepted)
		}
		if want := (row.accept == stops.ConfigDiffers); (p.Config != nil) != want {
			t.Errorf("%s: configuration %v", name, p.Config)
		}
	}
}

// TestAcceptedFormatHasItsOwnRules: what was a rule of the old format does not reach the new one, which may not know
// it.
func TestAcceptedFormatHasItsOwnRules(t *testing.T) {
	t.Parallel()
	table := event.Defaults(event.CSV)
	table.Columns = []string{"label", "x"}
	json := event.Defaults(event.JSON)
	formats := []event.Options{json, table, event.Defaults(event.VW)}
	for _, was := range formats {
		for _, is := range formats {
			w := newWorld()
			w.header.Config.Decode, w.config.ModelConfig.Decode = was, is
			w.config.Accept = []string{stops.ConfigDiffers}
			p, err := FromCheckpoint(&w.header, &w.config, &w.top, nil)
			if err != nil || was.Format != is.Format && !reflect.DeepEqual(p.Config.Decode, is) {
				t.Errorf("%s to %s: %v, %+v", was.Format, is.Format, err, p.Config)
			}
		}
	}
}

// TestParametersNotGiven: a model keeps the parameters of its learner that are not given, whatever their defaults are
// now; one that is given differs.
func TestParametersNotGiven(t *testing.T) {
	t.Parallel()
	w := newWorld()
	was, now := &w.header.Config, &w.config.ModelConfig
	give := func(text string) {
		now.LearnerText = text
		if err := learner.ParseLearner(text, &now.Learner); err != nil {
			t.Fatal(err)
		}
	}
	if err := learner.ParseLearner("logistic:rate=0.1,window=0,l2=0.01", &was.Learner); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"logistic", "logistic:l2=0.01", "logistic:rate=0.1", "logistic:window=0"} {
		give(text)
		if p, err := FromCheckpoint(&w.header, &w.config, &w.top, nil); err != nil || p.Config != nil {
			t.Errorf("%s: %v, %v", text, err, p)
		}
	}
	give("logistic:l2=0.02")
	_, err := FromCheckpoint(&w.header, &w.config, &w.top, nil)
	if !stops.Is(err, stops.ConfigDiffers) || !strings.Contains(err.Error(), "learner.l2 was 0.01, is 0.02") ||
		strings.Contains(err.Error(), "rate") {
		t.Error(err)
	}
	w.config.Accept = []string{stops.ConfigDiffers}
	p, err := FromCheckpoint(&w.header, &w.config, &w.top, nil)
	if err != nil || p.Config.Learner.Rate != 0.1 || p.Config.Learner.Window != 0 || p.Config.Learner.L2 != 0.02 {
		t.Errorf("%v, %+v", err, p)
	}
}

// TestPermanentConfigIsNotAccepted: what the tables are laid out by never changes, nor whether there is a bias: that of
// the state would stay in the scores for good.
func TestPermanentConfigIsNotAccepted(t *testing.T) {
	t.Parallel()
	for _, change := range []func(*model.Config){func(c *model.Config) { c.Learner.Bits = 17 },
		func(c *model.Config) { c.Learner.Bias = learner.BiasOff }} {
		w := newWorld()
		w.config.Accept = []string{stops.ConfigDiffers}
		change(&w.config.ModelConfig)
		if _, err := FromCheckpoint(&w.header, &w.config, &w.top, nil); !stops.Is(err, stops.ConfigDiffers) {
			t.Error(err)
		}
	}
}

// TestFreshPlan: without a checkpoint the journal begins at the ends; where old predictions are given up, at the
// markers.
func TestFreshPlan(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.config.Start, w.config.Skip = []int64{25}, []topics.SkipRange{{Partition: 0, From: 30, To: 31}}
	p := Fresh(&w.config, &w.top)
	p.BeginFresh(&w.top)
	const want = `{"seq":0,"positions":[25,10],"output":[80,80],"deadLetters":[20],"compared":true}`
	if got := planText(t, p); got != want || !slices.Equal(p.Skipped, w.config.Skip) ||
		!slices.Equal(p.Started, p.Positions) {
		t.Errorf("%s, want %s; %+v", got, want, p)
	}
	p.Accepted = append(p.Accepted, &stops.Error{Name: stops.StateMissing})
	p.BeginFresh(&w.top)
	const given = `{"seq":0,"positions":[25,10],"output":["from the marker","from the marker"],` +
		`"deadLetters":["from the marker"],"compared":false}`
	if got := planText(t, p); got != given {
		t.Errorf("%s, want %s", got, given)
	}
}

// TestPlanKeepsSkips: a range that was skipped once is skipped at every start.
func TestPlanKeepsSkips(t *testing.T) {
	t.Parallel()
	w := newWorld()
	a, b := topics.SkipRange{From: 1, To: 2}, topics.SkipRange{Partition: 1, From: 1, To: 2}
	w.header.Skipped, w.config.Skip = []topics.SkipRange{a}, []topics.SkipRange{b, a}
	p, err := FromCheckpoint(&w.header, &w.config, &w.top, nil)
	if err != nil || !slices.Equal(p.Skipped, []topics.SkipRange{a, b}) {
		t.Error(err, p.Skipped)
	}
	if topics.SkipTo(p.Skipped, 1, 1) != 3 || topics.Skips(p.Skipped, 2, 1) || topics.Skips(p.Skipped, 0, 3) {
		t.Error("ranges name one partition, both ends included")
	}
}

// TestOffsetList: of a thousand partitions the log shows some.
func TestOffsetList(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	logger := zerolog.New(&b)
	l := make(Offsets, 1000)
	l[1] = fromMarker
	logger.Log().Array("at", l).Send()
	want := `{"at":[0,"from the marker"` + strings.Repeat(",0", 14) + `,"and 984 more"]}`
	if got := strings.TrimSpace(b.String()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestAllRejectedSoFar: what was rejected is not read again, which the stop for other settings says.
func TestAllRejectedSoFar(t *testing.T) {
	for _, predictions := range []int64{0, 1} {
		w := newWorld()
		w.config.ModelConfig.NoLearn = true
		w.header.Counts = model.Counts{Read: 90, Predictions: predictions, Rejected: map[string]int64{"syntax": 90}}
		_, err := FromCheckpoint(&w.header, &w.config, &w.top, nil)
		if !stops.Is(err, stops.ConfigDiffers) ||
			strings.Contains(err.Error(), "another --model") != (predictions == 0) ||
			!strings.Contains(err.Error(), "--accept config") {
			t.Errorf("%d predictions: %v", predictions, err)
		}
	}
}
