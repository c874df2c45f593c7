package stream_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/stream/schema"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// ySchema is of events with a label, a number y and a word, under a name.
func ySchema(name string) *schema.Schema {
	return &schema.Schema{Type: schema.Avro, Text: `{"type":"record","name":"` + name +
		`","fields":[{"name":"label","type":"int"},{"name":"y","type":"double"},{"name":"w","type":"string"}]}`}
}

// yEvents are events of ySchema under an id.
func yEvents(id uint32, from, n int) (all []string) {
	for i := from; i < from+n; i++ {
		y, label := math.Sin(float64(i)), int64(-1)
		if y < 0 {
			label = 1
		}
		b := binary.AppendVarint(binary.BigEndian.AppendUint32([]byte{0}, id), label)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(y))
		b = append(binary.AppendVarint(b, 2), "ab"...)
		all = append(all, string(b))
	}
	return all
}

// auditNamed is Audit with what the folder knows of schemas.
func auditNamed(t *testing.T, s *streamtest.Setup) *streamtest.Outcome {
	t.Helper()
	known, err := schema.Beside(filepath.Join(s.Dir, s.Name))
	if err != nil {
		t.Fatal(err)
	}
	audited := *s
	audited.Config.ModelConfig.Use(known)
	return audited.Audit(t)
}

// TestSchemaChanged: another schema under a known id is a stop. Accepted, records from the positions on have it, those
// before the former one: in the same process, in recoveries, from the checkpoint topic on another machine without a
// registry, and from the journal alone.
func TestSchemaChanged(t *testing.T) {
	t.Parallel()
	r := registryOf(1, 2)
	s := avroSetup(t, 2, r)
	s.State = s.Name + ".checkpoints"
	s.Cluster.Topic(t, s.State, 1, "cleanup.policy", "compact")
	for p := range 2 {
		s.Cluster.Produce(t, s.Name, p, append(avroEvents(1, 0, 40), avroEvents(2, 40, 10)...)...)
	}
	s.MustRun(t)
	r.set(map[uint32]*schema.Schema{1: ySchema("other"), 2: xSchema("e2")})
	s.Cluster.Produce(t, s.Name, 0, yEvents(1, 0, 30)...)
	s.Config.UntilEnd = false
	_, err := s.Run(t)
	const differs = "schema 1 was e1 and is other, without the fields x and with the fields y, w"
	if !stops.Is(err, stops.SchemaChanged) || !strings.Contains(err.Error(), differs) ||
		strings.Contains(err.Error(), "schema 2") {
		t.Fatal(err)
	}
	s.Config.UntilEnd = true
	s.Cluster.Produce(t, s.Name, 1, yEvents(1, 30, 30)...)
	s.Config.Accept = []string{stops.SchemaChanged}
	st := s.MustRun(t).Status()
	rejected := auditNamed(t, s).DeadLetters // of events that were read before the stop
	if n := int64(160 - len(rejected)); st.Counts.Predictions != n || len(st.Accepted) != 1 {
		t.Fatalf("%+v, want %d", st.Counts, n)
	}
	s.Config.Accept = nil
	auditNamed(t, s)
	r.leave()
	for _, dir := range []string{s.Dir, t.TempDir()} {
		s.Dir = dir
		s.Cluster.Produce(t, s.Name, 0, append(yEvents(1, 60, 5), avroEvents(2, 60, 5)...)...)
		if st := s.MustRun(t).Status(); len(st.Accepted) != 1 {
			t.Errorf("%+v", st.Accepted)
		}
		auditNamed(t, s)
	}
	fromNothing := s.Dir
	for _, pattern := range []string{"checkpoint-*", "kept-*"} {
		names, err := filepath.Glob(filepath.Join(fromNothing, s.Name, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.State, s.Config.Accept = "", []string{stops.StateMissing}
	before := st.Counts.Predictions
	if st := s.MustRun(t).Status(); st.Counts.Predictions != before+20 {
		t.Errorf("%+v after %d", st.Counts, before)
	}
}

// TestSameSchemaAgain: what the registry says otherwise and means the same is no stop, nor that it knows nothing any
// more, and nobody waits for its answer.
func TestSameSchemaAgain(t *testing.T) {
	t.Parallel()
	r := registryOf(1, 2)
	s := avroSetup(t, 1, r)
	s.Cluster.Produce(t, s.Name, 0, append(avroEvents(1, 0, 10), avroEvents(2, 10, 10)...)...)
	s.MustRun(t)
	same := xSchema("e1")
	same.Text = strings.NewReplacer(`"type":"double"`, ` "type" : {"type":"double","doc":"d"}`,
		`"name":"e1"`, `"doc":"what", "name":"e1"`).Replace(same.Text)
	back := r.leave()
	s.Config.UntilEnd = false
	task := s.Task(t)
	stop, ended := streamtest.Background(t, task.Run)
	compared := func(n int) func() bool {
		return func() bool {
			r.mu.Lock()
			defer r.mu.Unlock()
			return len(r.compared) >= n || len(ended) > 0
		}
	}
	s.Cluster.Produce(t, s.Name, 0, avroEvents(1, 20, 10)...)
	streamtest.Await(t, "predictions without an answer", func() bool { return task.Status().Counts.Predictions == 30 })
	streamtest.Await(t, "two requests", compared(2))
	r.set(map[uint32]*schema.Schema{1: same})
	r.mu.Lock()
	n := len(r.compared)
	r.mu.Unlock()
	back()
	streamtest.Await(t, "two answers", compared(n+2))
	select {
	case err := <-ended:
		t.Error(err)
	default:
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// TestDoubtedSchema: a value that does not fit its schema has the registry asked again, once.
func TestDoubtedSchema(t *testing.T) {
	t.Parallel()
	r := registryOf(1)
	s := avroSetup(t, 1, r)
	s.Config.UntilEnd = false
	s.Cluster.Produce(t, s.Name, 0, avroEvents(1, 0, 10)...)
	task := s.Task(t)
	stop, ended := streamtest.Background(t, task.Run)
	streamtest.Await(t, "the first events", func() bool { return task.Status().Counts.Predictions == 10 })
	cut := func(n int) {
		s.Cluster.Produce(t, s.Name, 0, avroEvents(1, 0, 1)[0][:9])
		streamtest.Await(t, "a dead letter", func() bool { return task.Status().Counts.Rejected["syntax"] == int64(n) })
	}
	requests := func() int {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.compared)
	}
	cut(1)
	streamtest.Await(t, "a request", func() bool { return requests() == 1 })
	cut(2)
	cut(3)
	if n := requests(); n != 1 {
		t.Errorf("%d requests within a minute", n)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	r.set(map[uint32]*schema.Schema{1: ySchema("other")})
	_ = ended
	_, err := s.Run(t)
	if !stops.Is(err, stops.SchemaChanged) {
		t.Error(err)
	}
}

// TestFolderAgainstTopic: what a folder says otherwise than the checkpoint topic of schemas was never published with.
func TestFolderAgainstTopic(t *testing.T) {
	t.Parallel()
	r := registryOf(1, 2)
	s := avroSetup(t, 1, r)
	s.State = s.Name + ".checkpoints"
	s.Cluster.Topic(t, s.State, 1, "cleanup.policy", "compact")
	s.Cluster.Produce(t, s.Name, 0, avroEvents(1, 0, 20)...)
	s.MustRun(t)
	for i, entry := range []schema.Entry{
		{ID: schema.ID{Number: 1}, Schema: ySchema("never")},
		{ID: schema.ID{Number: 1}, Schema: ySchema("never"), From: &schema.From{Number: 1, Positions: []int64{15}}},
		{ID: schema.ID{Number: 2}, Schema: ySchema("never")},
	} {
		f, err := schema.OpenFile(filepath.Join(s.Dir, s.Name))
		if err == nil {
			err = f.Append([]schema.Entry{entry})
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Cluster.Produce(t, s.Name, 0, avroEvents(entry.ID.Number, 20*(i+1), 20)...)
		if st := s.MustRun(t).Status(); st.Counts.Predictions != int64(20*(i+2)) || len(st.Counts.Rejected) != 0 {
			t.Errorf("entry %d: %+v", i, st.Counts)
		}
		auditNamed(t, s)
	}
}

// TestFirstRecordOfASchema: the log says what becomes of the events of a schema, and which field with a role it lacks.
func TestFirstRecordOfASchema(t *testing.T) {
	t.Parallel()
	r := registryOf(1)
	s := avroSetup(t, 1, r)
	var log bytes.Buffer
	s.Log = zerolog.New(zerolog.SyncWriter(&log))
	s.Config.ModelConfig.Decode.LabelField = "y"
	s.Cluster.Produce(t, s.Name, 0, avroEvents(1, 0, 10)...)
	s.MustRun(t)
	line := ""
	for l := range strings.Lines(log.String()) {
		if strings.Contains(l, "the first record of a schema") {
			line += l
		}
	}
	for _, part := range []string{`"level":"warn"`, `"schema":"1"`, `"type":"AVRO"`, `"name":"e1"`,
		`"use":"2 fields can make features"`, `it has no field \"y\" (--label-field NAME`} {
		if strings.Count(line, part) != 1 {
			t.Errorf("%s is not once in %s", part, line)
		}
	}
}
