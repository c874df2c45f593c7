package stream_test

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/late"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// withOutcomes makes a setup with an outcomes topic.
func withOutcomes(t testing.TB, partitions, outcomes int, opts ...kfake.Opt) *streamtest.Setup {
	t.Helper()
	s := streamtest.New(t, streamtest.Start(t, opts...), partitions)
	s.Kafka.Outcomes = s.Name + ".outcomes"
	s.Cluster.Topic(t, s.Kafka.Outcomes, outcomes)
	return s
}

// settle makes the outcomes of a setup's tasks, each with decisions of its own.
func settle(t testing.TB, s *streamtest.Setup, task *stream.Task, seed uint64) {
	task.NewPending = func(from *checkpoint.File) (late.Pending, error) {
		seed += 1000
		return streamtest.NewPending(s.Config.ModelConfig.Decode, rand.New(rand.NewPCG(seed, 5)), from)
	}
}

// entriesOf reads the journal, in the order of seq, and the input.
func entriesOf(t testing.TB, s *streamtest.Setup) (entries []journal.Entry, input []map[int64]topics.Record) {
	t.Helper()
	c := s.Client(t)
	top, err := c.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for p, b := range top.Input.Partitions {
		input = append(input, map[int64]topics.Record{})
		for _, r := range streamtest.Read(t, c, topics.Input, int32(p), b) {
			input[p][r.Offset] = r
		}
	}
	for _, topic := range top.Journal() {
		for p, b := range top.Of(topic).Partitions {
			for _, r := range streamtest.Read(t, c, topic, int32(p), b) {
				e := journal.Parse(topic, int32(p), &r, s.Name)
				if e.Kind != journal.Foreign {
					entries = append(entries, e)
				}
			}
		}
	}
	slices.SortStableFunc(entries, func(a, b journal.Entry) int { return cmp.Compare(a.Seq, b.Seq) })
	return entries, input
}

// auditOutcomes makes the whole journal of a setup again, in the order of seq, and compares. It returns how many
// entries of each kind there are.
func auditOutcomes(t *testing.T, s *streamtest.Setup) map[journal.Kind]int {
	t.Helper()
	entries, input := entriesOf(t, s)
	proc, err := s.Config.NewProcessor()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[journal.Kind]int{}
	x, err := streamtest.NewPending(s.Config.ModelConfig.Decode, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := event.New(s.Config.ModelConfig.Decode)
	if err != nil {
		t.Fatal(err)
	}
	next := make([]int64, len(input))
	for i := range entries {
		e := &entries[i]
		if e.Seq != int64(i+1) {
			t.Fatalf("seq %d where %d is due", e.Seq, i+1)
		}
		kinds[e.Kind]++
		if e.Outcome == nil {
			if e.Offset < next[e.Partition] {
				t.Fatalf("seq %d: offset %d after %d", e.Seq, e.Offset, next[e.Partition])
			}
			next[e.Partition] = e.Offset + 1
			predictAgain(t, x, d, proc, e, input[e.Partition][e.Offset])
			continue
		}
		o := x.Make(e.Kind, e.Outcome.Run().Partition, proc)
		if o == nil {
			t.Fatalf("seq %d: no prediction waits for the outcome %v", e.Seq, e.Kind)
		}
		want := journal.NewOutcomeEncoder(s.Name, e.Epoch).Append(nil, o, e.Seq)
		if !bytes.Equal(e.Record.Value, want) || !bytes.Equal(e.Record.Key, o.Key) {
			t.Fatalf("seq %d is\n%s, made again\n%s", e.Seq, e.Record.Value, want)
		}
		x.Learn(o, proc)
	}
	return kinds
}

func predictAgain(t *testing.T, x *streamtest.Pending, d *event.Decoder, proc *model.Processor, e *journal.Entry,
	r topics.Record) {
	t.Helper()
	var ex event.Example
	arena := d.Decode(&r, nil, &ex)
	o, rejected := proc.Predict(&ex, ex.Features(arena))
	if rejected != nil || o.Score != e.Score {
		t.Fatalf("seq %d: score %v, computed again %v, %v", e.Seq, e.Score, o.Score, rejected)
	}
	x.Predicted(&late.Predicted{Seq: e.Seq, Partition: e.Partition, Record: &r, Example: &ex, Outcome: o})
	proc.Learn(&r, o)
}

// allPredicted checks that every record of the input is predicted or dead-lettered.
func allPredicted(t *testing.T, s *streamtest.Setup, kinds map[journal.Kind]int) {
	t.Helper()
	_, input := entriesOf(t, s)
	records := 0
	for _, p := range input {
		records += len(p)
	}
	if got := kinds[journal.Predicted] + len(rawDeadLetters(t, s)); got != records {
		t.Errorf("%d of %d records are predicted or dead-lettered", got, records)
	}
	for k := journal.DuplicateID; k <= journal.Evicted; k++ {
		if kinds[k] == 0 {
			t.Errorf("no outcome is %v", k)
		}
	}
}
