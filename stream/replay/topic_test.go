package replay_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// events makes json events, some broken, some without a label, some that only the learner refuses.
func events(seed uint64, n int) []string {
	r := rand.New(rand.NewPCG(seed, 2))
	out := make([]string, n)
	for i := range out {
		x, y := r.NormFloat64(), r.NormFloat64()
		label := map[bool]string{true: "1", false: "-1"}[x-2*y+r.NormFloat64() > 0]
		switch {
		case i%20 == 7:
			label = "null"
		case i%50 == 13:
			label = "7"
		}
		out[i] = fmt.Sprintf(`{"id":"e%d","label":%s,"features":{"x":%g,"y":%g,"m":"m%d"}}`, i, label, x, y, i%5)
	}
	return out
}

func parts(bounds []topics.Bounds) (out []topics.Part) {
	for p, b := range bounds {
		out = append(out, topics.Part{Partition: int32(p), From: b.Start, To: b.Stable})
	}
	return out
}

func fixed(t *testing.T, s *streamtest.Setup, name string) *model.Processor {
	t.Helper()
	f := s.Config.ModelConfig
	if err := learner.ParseLearner(name, &f.Learner); err != nil {
		t.Fatal(err)
	}
	p, err := model.NewProcessor(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// worked is a daemon that a topic is given to.
type worked struct {
	partitions int
	learner    string
	scheme     string // empty: two labels
	other      string // learner that runs beside in the replay
}

// work runs a daemon on a topic, twice, and returns its setup and how many predictions there should be.
func (w *worked) work(t *testing.T, cluster *streamtest.Cluster) (s *streamtest.Setup, predicted int) {
	t.Helper()
	s = streamtest.New(t, cluster, w.partitions)
	f := &s.Config.ModelConfig
	if err := learner.ParseLearner(w.learner, &f.Learner); err != nil {
		t.Fatal(err)
	}
	each := 1470
	if w.scheme != "" {
		f.Decode.Task, f.Multiclass = event.Multiclass, w.scheme
		each = 1500 // there a label 7 is a class
	}
	for run := range 2 {
		for p := range w.partitions {
			predicted += each
			s.Cluster.Produce(t, s.Name, p, events(uint64(10*run+p), 1500)...)
		}
		s.MustRun(t)
	}
	return s, predicted
}

// The topic a daemon has worked through, replayed in the order of its journal, repeats every prediction as it was
// published, bit for bit, with two labels and with several classes, though the daemon was stopped and started in
// between and another learner runs beside.
func TestJournalGivesThePublishedScores(t *testing.T) {
	t.Parallel()
	for _, c := range []worked{
		{1, "perceptron", "", "perceptron:update=mistake"}, {3, "perceptron", "", "perceptron:update=mistake"},
		{2, "logistic", "", "pa"},
		{3, "perceptron", learner.Direct, "pa1:C=1"}, {2, "logistic", learner.OVA, "perceptron"},
		{1, "averaged", learner.OVO, "arow"},
	} {
		t.Run(fmt.Sprintf("%d-%s-%s", c.partitions, c.learner, c.scheme), func(t *testing.T) {
			s, predicted := c.work(t, streamtest.Start(t))
			published := s.Audit(t)
			client := s.Client(t)
			top, err := client.Topology(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var predictions []string
			proc := fixed(t, s, c.learner)
			own := replay.Learner{Name: "own", Processor: proc, Watch: func(b *replay.Block, i int, o model.Outcome) {
				prediction := proc.AppendPrediction(nil, &s.Config.ModelConfig.Decode, &o)
				predictions = append(predictions, fmt.Sprintf("%d:%d %x %x %s", b.Partitions[i], b.Records[i].Offset,
					math.Float64bits(o.Score), math.Float64bits(o.Probability), prediction))
			}}
			other := replay.Learner{Name: "other", Processor: fixed(t, s, c.other)}
			source := replay.FromJournal(s.Name, client,
				replay.JournalParts{Input: parts(top.Input.Partitions), Output: parts(top.Output.Partitions)})
			result, err := replay.Run(t.Context(), source,
				replay.Config{Decode: s.Config.ModelConfig.Decode, Learners: []replay.Learner{other, own}})
			if err != nil {
				t.Fatal(err)
			}
			if len(predictions) != predicted {
				t.Fatalf("%d predictions, want %d", len(predictions), predicted)
			}
			comparePublished(t, predictions, published.Values)
			if got := result.Learners[1].Processor; !reflect.DeepEqual(got.Score, published.Proc.Score) {
				t.Errorf("score %+v, the daemon's %+v", got.Report().Row, published.Proc.Report().Row)
			}
			if done, total := source.Done(); done != total || total == 0 {
				t.Errorf("the source ended at %d of %d", done, total)
			}
		})
	}
}

// comparePublished compares predictions with those of a journal.
func comparePublished(t *testing.T, predictions []string, published [][]byte) {
	t.Helper()
	if len(predictions) != len(published) {
		t.Fatalf("%d predictions, %d were published", len(predictions), len(published))
	}
	for i, raw := range published {
		var a struct {
			Prediction         json.RawMessage
			Partition          int
			Score, Probability float64
			Offset             int64
		}
		if err := json.Unmarshal(raw, &a); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%d:%d %x %x %s", a.Partition, a.Offset, math.Float64bits(a.Score),
			math.Float64bits(a.Probability), a.Prediction); predictions[i] != want {
			t.Fatalf("prediction %d is %s, published was %s", i+1, predictions[i], want)
		}
	}
}

// Several partitions are merged by time, partition and offset, within the stretches asked for.
func TestPartitionsMergeByTime(t *testing.T) {
	t.Parallel()
	c := streamtest.Start(t)
	s := streamtest.New(t, c, 3)
	type place struct {
		time      int64
		partition int32
		offset    int64
	}
	var want []place
	r := rand.New(rand.NewPCG(3, 3))
	for p := range 3 {
		at := int64(1_700_000_000_000)
		var records []kafka.Record
		for i := range 400 {
			at += int64(r.IntN(3))
			records = append(records, kafka.Record{Time: time.UnixMilli(at),
				Value: kafka.NewBytes([]byte(events(1, 1)[0]))})
			if i >= 10 && i < 390 && p != 1 {
				want = append(want, place{at, int32(p), int64(i)})
			}
		}
		c.ProduceRecords(t, s.Name, p, records...)
	}
	slices.SortFunc(want, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.partition, b.partition),
			cmp.Compare(a.offset, b.offset))
	})
	var got []place
	l := replay.Learner{Name: "perceptron", Processor: fixed(t, s, "perceptron"),
		Watch: func(b *replay.Block, i int, _ model.Outcome) {
			got = append(got, place{b.Records[i].Timestamp, b.Partitions[i], b.Records[i].Offset})
		}}
	source := replay.FromTopic(s.Name, s.Client(t),
		[]topics.Part{{Partition: 0, From: 10, To: 390}, {Partition: 2, From: 10, To: 390},
			{Partition: 1, From: 5, To: 5}})
	if _, err := replay.Run(t.Context(), source,
		replay.Config{Decode: s.Config.ModelConfig.Decode, Learners: []replay.Learner{l}}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d predictions in another order than the %d wanted", len(got), len(want))
	}
}

// What is no journal, or does not fit the input, is named.
func TestJournalErrors(t *testing.T) {
	t.Parallel()
	prediction := func(seq, partition, offset int) string {
		return fmt.Sprintf(`{"prediction":1,"score":0,"updated":false,"partition":%d,"offset":%d,"time":0,`+
			`"seq":%d,"model":"m@1"}`, partition, offset, seq)
	}
	c := streamtest.Start(t)
	for name, row := range map[string]struct {
		predictions []string
		want        string
	}{
		"no prediction": {[]string{prediction(1, 0, 0), `{"x":1}`}, "journal partition 0 offset 1: not a prediction"},
		"hole":          {[]string{prediction(1, 0, 0), prediction(3, 0, 1)}, "offset 1: seq 3 follows seq 1"},
		"repeat":        {[]string{prediction(1, 0, 0), prediction(1, 0, 1)}, "offset 1: seq 1 follows seq 1"},
		"partition":     {[]string{prediction(1, 4, 0)}, "it is of partition 4 of"},
		"going back": {[]string{prediction(1, 0, 1), prediction(2, 0, 0)},
			"offset 1: it is of partition 0 offset 0 of"},
		"behind its end": {[]string{prediction(1, 0, 99)}, "it is of partition 0 offset 99 of"},
	} {
		t.Run(name, func(t *testing.T) {
			s := streamtest.New(t, c, 1)
			c.Produce(t, s.Name, 0, events(1, 3)...)
			c.Produce(t, s.Output(), 0, row.predictions...)
			client := s.Client(t)
			top, err := client.Topology(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			source := replay.FromJournal(s.Name, client,
				replay.JournalParts{Input: parts(top.Input.Partitions), Output: parts(top.Output.Partitions)})
			_, err = replay.Run(t.Context(), source,
				replay.Config{Decode: s.Config.ModelConfig.Decode,
					Learners: []replay.Learner{{Name: "a", Processor: fixed(t, s, "perceptron")}}})
			var j *replay.JournalError
			if !errors.As(err, &j) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, want %s", err, row.want)
			}
		})
	}
}

// A rejected record of a topic is named by partition and offset.
func TestRejectedRecordOfATopic(t *testing.T) {
	t.Parallel()
	c := streamtest.Start(t)
	s := streamtest.New(t, c, 2)
	c.Produce(t, s.Name, 1, `{"label":1,"x":1}`, `{"label":1,"x":}`)
	source := replay.FromTopic(s.Name, s.Client(t), []topics.Part{{Partition: 0, To: 0}, {Partition: 1, To: 2}})
	_, err := replay.Run(t.Context(), source,
		replay.Config{Decode: s.Config.ModelConfig.Decode, Strict: true,
			Learners: []replay.Learner{{Name: "a", Processor: fixed(t, s, "perceptron")}}})
	var x *replay.Rejected
	if !errors.As(err, &x) || x.Reason != event.Syntax ||
		!strings.HasPrefix(err.Error(), "topic "+s.Name+" partition 1 offset 1:16: syntax: ") {
		t.Error(err)
	}
}
