package stream_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/streamtest"
)

// labelSetup is one of events in json, with labels in avro that name their schemas.
func labelSetup(t *testing.T, labelPartitions int, r *fakeRegistry) *streamtest.Setup {
	t.Helper()
	s := lateSetup(t, 1, labelPartitions, 1)
	o := &s.Config.ModelConfig.Late.Decode
	o.Format, o.Framed, o.WeightField = event.Avro, false, ""
	s.Config.Labels.Wait = (48 * time.Hour).Milliseconds()
	s.Adjust = func(task *stream.Task) { task.Registry = r }
	return s
}

func labelRegistry(ids ...uint32) *fakeRegistry {
	r := &fakeRegistry{known: map[uint32]*schema.Schema{}}
	for _, id := range ids {
		r.known[id] = &schema.Schema{Type: schema.Avro, Text: fmt.Sprintf(`{"type":"record","name":"l%d","fields":[`+
			`{"name":"id","type":"string"},{"name":"label","type":"int"}]}`, id)}
	}
	return r
}

// avroLabels are labels of events under an id of a schema.
func avroLabels(schema uint32, events ...int) (all []string) {
	for _, i := range events {
		id := fmt.Sprintf("e%d", i)
		b := binary.BigEndian.AppendUint32([]byte{0}, schema)
		b = append(binary.AppendVarint(b, int64(len(id))), id...)
		all = append(all, string(binary.AppendVarint(b, int64(1-2*(i%2)))))
	}
	return all
}

func numbers(from, to int) (all []int) {
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

func labelled(task *stream.Task) int64 {
	st := task.Status()
	if st.Late == nil {
		return 0
	}
	return st.Counts.Labels.Outcomes["labelled"]
}

// TestRecoveryAwaitsLabelSchema: a label record that the journal says made an outcome, whose schema is neither in the
// state nor in the registry, is waited for. Nobody asks for the schema of one that is a dead letter.
func TestRecoveryAwaitsLabelSchema(t *testing.T) {
	t.Parallel()
	r := labelRegistry(1, 2)
	s, begin := labelSetup(t, 1, r), time.Now().Add(-24*time.Hour)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 30)...)...)
	send := func(values []string) {
		begin = begin.Add(time.Minute)
		s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin, values...)...)
	}
	send(avroLabels(1, numbers(0, 10)...))
	if got := labelled(s.MustRun(t)); got != 10 {
		t.Fatalf("%d labels are used", got)
	}
	old := t.TempDir()
	if err := os.CopyFS(old, os.DirFS(s.Dir)); err != nil {
		t.Fatal(err)
	}
	send(avroLabels(9, 20, 21, 22)) // unknown
	send(avroLabels(2, numbers(10, 20)...))
	send(avroLabels(2, 10, 11)) // repeats
	send(avroLabels(2, 23))
	before := s.MustRun(t)
	if got := before.Status().Counts.Labels; got.Outcomes["labelled"] != 21 || got.Rejected["unknown-schema"] != 3 {
		t.Fatalf("%+v", got)
	}
	s.Dir = old
	task := recoveredWhenBack(t, s, r, 2)
	if got, want := task.Status().Counts.Labels, before.Status().Counts.Labels; got.Outcomes["labelled"] != 21 ||
		got.Rejected["unknown-schema"] != 3 || got.Repeats != want.Repeats {
		t.Errorf("%+v, before %+v", got, want)
	}
}

// TestFollowedLabelSchemas: a follower has the schemas of labels from the checkpoint topic, without asking, and goes on
// with them when it takes over while the registry is away.
func TestFollowedLabelSchemas(t *testing.T) {
	t.Parallel()
	r, away := labelRegistry(1, 2), labelRegistry()
	s, begin := labelSetup(t, 2, r), time.Now().Add(-24*time.Hour)
	s.State = s.Name + ".checkpoints"
	s.Cluster.Topic(t, s.State, 1, "cleanup.policy", "compact")
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 60)...)...)
	one := member(t, s, t.TempDir())
	one.rounds <- 1
	away.leave()
	s.Adjust = func(task *stream.Task) { task.Registry = away }
	two := member(t, s, t.TempDir())
	for i, id := range []uint32{1, 2, 2} {
		from := 15 * i
		values := at(begin.Add(time.Duration(i+1)*time.Minute), avroLabels(id, numbers(from, from+15)...)...)
		s.Cluster.ProduceRecords(t, s.Kafka.Labels, i%2, values...)
		if i == 2 {
			one.stop()
			<-one.ended
			two.rounds <- 2
		}
		for _, m := range []*standby{one, two}[max(0, i-1):] {
			streamtest.Await(t, fmt.Sprintf("the labels of round %d", i), func() bool {
				return labelled(m.Task) == int64(from+15)
			})
		}
	}
	if got := away.requests(); got != 0 {
		t.Errorf("%d requests", got)
	}
}
