package stream_test

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/learner/datasets"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// tableEvents makes JSON events of a csv file with a header; the last column is the label.
func tableEvents(t testing.TB, r io.Reader, positive string) (out []string) {
	t.Helper()
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head := rows[0]
	last := len(head) - 1
	for i, row := range rows[1:] {
		var b strings.Builder
		label := -1
		if row[last] == positive {
			label = 1
		}
		fmt.Fprintf(&b, `{"id":"e%d","label":%d,"features":{`, i, label)
		for j := range last {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "%q:%s", head[j], row[j])
		}
		out = append(out, b.String()+"}}")
	}
	return out
}

func elec2(t testing.TB) []string {
	t.Helper()
	f, err := os.Open(datasets.Path(t, "elec2/electricity.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return tableEvents(t, f, "UP")
}

func phishing(t testing.TB) []string {
	t.Helper()
	f, err := os.Open(datasets.Path(t, "phishing/phishing.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return tableEvents(t, z, "1")
}

// TestGolden reproduces golden numbers through the decoder of json and the processor. All rows, from files of their own
// formats, are in cmd/rosenblatt (TestReplayGolden).
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		set                          string
		events                       func(testing.TB) []string
		scale, learner               string
		mistakes, updates, tolerance int64
	}{
		{"elec2", elec2, "none", "perceptron", 6930, 6931, 2},
		{"elec2", elec2, "standard", "perceptron", 4073, 4074, 0},
		{"elec2", elec2, "standard:centre=always", "perceptron", 4041, 4042, 0},
		{"elec2", elec2, "standard:centre=always", "perceptron:threshold=1", 3955, 4654, 2},
		{"phishing", phishing, "none", "perceptron:update=mistake", 213, 213, 2},
		{"phishing", phishing, "standard", "perceptron", 176, 177, 2},
	} {
		t.Run(row.set+"/"+row.scale+"/"+row.learner, func(t *testing.T) {
			proc := feed(t, row.events(t), row.scale, row.learner)
			within(t, "mistakes", proc.Score.Mistakes(), row.mistakes, row.tolerance)
			within(t, "updates", proc.Score.Updates(), row.updates, row.tolerance)
		})
	}
}

func within(t *testing.T, what string, got, want, tolerance int64) {
	t.Helper()
	if got < want-tolerance || got > want+tolerance {
		t.Errorf("%s: %d, want %d within %d", what, got, want, tolerance)
	}
}

// feed predicts and learns events without any broker.
func feed(t testing.TB, events []string, scale, name string) *model.Processor {
	t.Helper()
	options := event.Defaults(event.JSON)
	spec := learner.Spec{Bits: options.Bits}
	if err := errors.Join(learner.ParseScale(scale, &spec), learner.ParseLearner(name, &spec)); err != nil {
		t.Fatal(err)
	}
	proc, err := model.NewProcessor(model.Config{Learner: spec.WithDefaults(), Decode: options})
	if err != nil {
		t.Fatal(err)
	}
	d, err := event.New(options)
	if err != nil {
		t.Fatal(err)
	}
	var arena []learner.Feature
	var e event.Example
	for i, v := range events {
		r := topics.Record{Offset: int64(i), Value: []byte(v)}
		arena = d.Decode(&r, arena[:0], &e)
		o, rejected := proc.Predict(&e, e.Features(arena))
		if rejected != nil {
			t.Fatalf("event %d: %v", i, rejected)
		}
		proc.Learn(&r, o)
	}
	return proc
}

// TestElec2ThroughKafka: the golden number through a broker, and the same predictions from one run and from a run cut
// in five.
func TestElec2ThroughKafka(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a quarter of a million records: not with -short")
	}
	all := elec2(t)
	c := streamtest.Start(t)
	var published [2][][]byte
	for run := range published {
		s := streamtest.New(t, c, 1)
		s.Config.ModelConfig.Learner.Bits, s.Config.ModelConfig.Decode.Bits = 18, 18
		cuts := 1 + 4*run
		for part := range slices.Chunk(all, (len(all)+cuts-1)/cuts) {
			s.Cluster.Produce(t, s.Name, 0, part...)
			s.MustRun(t)
		}
		o := s.Audit(t)
		if m := o.Proc.Score.Mistakes(); m != 4073 || o.Proc.Score.Examples() != 45312 {
			t.Errorf("%d mistakes of %d, want 4073 of 45312", m, o.Proc.Score.Examples())
		}
		published[run] = o.Values
	}
	for i := range published[0] {
		if a, b := scoreText(published[0][i]), scoreText(published[1][i]); a != b {
			t.Fatalf("prediction %d: %s in one run, %s in five", i+1, a, b)
		}
	}
}

// prediction cuts prediction and score out of its JSON.
func scoreText(prediction []byte) string {
	s := string(prediction)
	from, to := strings.Index(s, `"prediction"`), strings.Index(s, `,"partition"`)
	return s[from:to]
}
