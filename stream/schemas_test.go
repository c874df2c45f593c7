package stream_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// fakeRegistry is a registry in the test's process, as a Client has one.
type fakeRegistry struct {
	mu      sync.Mutex
	known   map[uint32]*schema.Schema
	away    chan struct{} // not nil: there is no answer until it is closed
	asked   []uint32
	waiting int

	compared []uint32 // ids that were known
}

func (r *fakeRegistry) Get(ctx context.Context, id schema.ID) (*schema.Schema, error) {
	r.mu.Lock()
	r.asked = append(r.asked, id.Number)
	away := r.away
	if away != nil {
		r.waiting++
	}
	r.mu.Unlock()
	if away != nil {
		defer func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.waiting--
		}()
		select {
		case <-away:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known[id.Number], nil
}

// Ask is for what is known already: it gives no answer while the registry is away.
func (r *fakeRegistry) Ask(ctx context.Context, id schema.ID) (*schema.Schema, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.compared = append(r.compared, id.Number)
	if r.away != nil {
		return nil, errors.New("away")
	}
	return r.known[id.Number], ctx.Err()
}

func (r *fakeRegistry) set(known map[uint32]*schema.Schema) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known = known
}

func (r *fakeRegistry) leave() (back func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	away := make(chan struct{})
	r.away = away
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.away = nil
		close(away)
	}
}

func (r *fakeRegistry) waits() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting > 0
}

func (r *fakeRegistry) requests() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.asked)
}

// xSchema is of events with a number x and a label, under a name.
func xSchema(name string) *schema.Schema {
	return &schema.Schema{Type: schema.Avro, Text: `{"type":"record","name":"` + name +
		`","fields":[{"name":"x","type":"double"},{"name":"label","type":"int"}]}`}
}

// avroEvents are events of xSchema under an id.
func avroEvents(id uint32, from, n int) (all []string) {
	for i := from; i < from+n; i++ {
		x, label := math.Sin(float64(i)), int64(1)
		if x < 0 {
			label = -1
		}
		b := binary.BigEndian.AppendUint32([]byte{0}, id)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		all = append(all, string(binary.AppendVarint(b, label)))
	}
	return all
}

// avroSetup is one of events that name their schemas.
func avroSetup(t *testing.T, partitions int, r *fakeRegistry) *streamtest.Setup {
	t.Helper()
	s := streamtest.New(t, streamtest.Start(t), partitions)
	o := event.Defaults(event.Avro)
	o.Bits = s.Config.ModelConfig.Decode.Bits
	s.Config.ModelConfig.Decode = o
	s.Adjust = func(task *stream.Task) { task.Registry = r }
	return s
}

func registryOf(ids ...uint32) *fakeRegistry {
	r := &fakeRegistry{known: map[uint32]*schema.Schema{}}
	for _, id := range ids {
		r.known[id] = xSchema(fmt.Sprintf("e%d", id))
	}
	return r
}

// TestSchemasAreState: what the registry said is saved. A start, a recovery of the whole journal and a start without a
// checkpoint need no registry for it.
func TestSchemasAreState(t *testing.T) {
	t.Parallel()
	r := registryOf(1, 2)
	s := avroSetup(t, 2, r)
	for p := range 2 {
		s.Cluster.Produce(t, s.Name, p, avroEvents(1, 0, 50)...)
		s.Cluster.Produce(t, s.Name, p, avroEvents(2, 50, 50)...)
	}
	task := s.MustRun(t)
	if st := task.Status(); st.Counts.Predictions != 200 || len(st.Counts.Rejected) != 0 || r.requests() < 2 {
		t.Fatalf("%+v, %d requests", st.Counts, r.requests())
	}
	text, err := os.ReadFile(filepath.Join(s.Dir, s.Name, schema.FileName))
	if err != nil || strings.Count(string(text), "\n") != 3 {
		t.Errorf("%s, %v", text, err)
	}
	asked := r.requests()
	r.set(nil)
	for p := range 2 {
		s.Cluster.Produce(t, s.Name, p, avroEvents(2, 100, 50)...)
	}
	if st := s.MustRun(t).Status(); st.Counts.Predictions != 300 || r.requests() != asked {
		t.Errorf("%+v, %d requests", st.Counts, r.requests()-asked)
	}
	names, err := filepath.Glob(filepath.Join(s.Dir, s.Name, "checkpoint-*"))
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	for _, name := range names { // the journal is all that is left
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	s.Config.Accept = []string{stops.StateMissing}
	s.MustRun(t)
	if r.requests() != asked {
		t.Errorf("%d requests", r.requests()-asked)
	}
}

// TestRegistryAway: the partition that needs a schema waits, others do not, and nothing is rejected. The status tells.
func TestRegistryAway(t *testing.T) {
	t.Parallel()
	r := registryOf(1, 2)
	s := avroSetup(t, 6, r)
	s.Config.UntilEnd = false
	for p := range 6 {
		s.Cluster.Produce(t, s.Name, p, avroEvents(1, 0, 1)...)
	}
	task := s.Task(t)
	stop, _ := streamtest.Background(t, task.Run)
	predicted := func(n int64) func() bool {
		return func() bool { return task.Status().Counts.Predictions == n }
	}
	streamtest.Await(t, "the first events", predicted(6))
	back := r.leave()
	for p := range 5 { // more than may pass results of several chunks on at a time
		s.Cluster.Produce(t, s.Name, p, append(avroEvents(1, 1, 600), avroEvents(2, 601, 600)...)...)
	}
	streamtest.Await(t, "five partitions that wait", func() bool { return len(task.Status().Waiting) == 5 })
	s.Cluster.Produce(t, s.Name, 5, avroEvents(1, 1, 2000)...)
	streamtest.Await(t, "the other partition", func() bool {
		return task.Status().Partitions[5].Position >= 2001
	})
	if st := task.Status(); len(st.Counts.Rejected) != 0 || len(st.Waiting) != 5 || st.Waiting[0].ID.Number != 2 {
		t.Errorf("%+v", st)
	}
	back()
	streamtest.Await(t, "all events", predicted(6+5*1200+2000))
	if st := task.Status(); len(st.Counts.Rejected) != 0 || len(st.Waiting) != 0 {
		t.Errorf("%+v", st.Counts)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	known, err := schema.Beside(filepath.Join(s.Dir, s.Name))
	if err != nil {
		t.Fatal(err)
	}
	s.Config.ModelConfig.Decode.Schemas = known
	s.Audit(t)
}

// TestUnknownSchemas: an id that the registry does not know is a dead letter, and stays one when it is known later.
func TestUnknownSchemas(t *testing.T) {
	t.Parallel()
	r := registryOf(1)
	s := avroSetup(t, 1, r)
	s.Cluster.Produce(t, s.Name, 0, avroEvents(1, 0, 10)...)
	s.Cluster.Produce(t, s.Name, 0, avroEvents(5, 10, 10)...)
	s.Cluster.Produce(t, s.Name, 0, avroEvents(1, 20, 10)...)
	st := s.MustRun(t).Status()
	if st.Counts.Predictions != 20 || st.Counts.Rejected["unknown-schema"] != 10 {
		t.Fatalf("%+v", st.Counts)
	}
}

// TestSchemasInTopic: another machine, without the folder and with the registry gone, goes on with what the checkpoint
// topic has of schemas.
func TestSchemasInTopic(t *testing.T) {
	t.Parallel()
	r := registryOf(1, 2)
	s := avroSetup(t, 1, r)
	s.State = s.Name + ".checkpoints"
	s.Cluster.Topic(t, s.State, 1, "cleanup.policy", "compact")
	s.Cluster.Produce(t, s.Name, 0, avroEvents(1, 0, 10)...)
	s.MustRun(t)
	s.Cluster.Produce(t, s.Name, 0, avroEvents(2, 10, 10)...)
	s.MustRun(t)
	r.set(nil)
	r.leave()
	s.Dir = t.TempDir()
	s.Cluster.Produce(t, s.Name, 0, append(avroEvents(2, 20, 10), avroEvents(1, 30, 10)...)...)
	task := s.Task(t)
	_, ended := streamtest.Background(t, task.Run)
	streamtest.Await(t, "its end", func() bool { return len(ended) > 0 || r.waits() })
	if st := task.Status(); st.Counts.Predictions != 40 || len(st.Counts.Rejected) != 0 || r.waits() {
		t.Errorf("%+v", st.Counts)
	}
}

// TestTooManySchemas: one schema more than the limit is a stop before its record is handled.
func TestTooManySchemas(t *testing.T) {
	t.Parallel()
	s := avroSetup(t, 1, registryOf(1, 2, 3))
	s.Config.MaxSchemas = 2
	for id := range uint32(3) {
		s.Cluster.Produce(t, s.Name, 0, avroEvents(id+1, 0, 10)...)
	}
	_, err := s.Run(t)
	if !stops.Is(err, stops.TooManySchemas) || !strings.Contains(err.Error(), "--max-schemas") {
		t.Fatal(err)
	}
	s.Config.MaxSchemas = 3
	if st := s.MustRun(t).Status(); st.Counts.Predictions != 30 {
		t.Errorf("%+v", st.Counts)
	}
}

// TestRecoveryAwaitsSchema: a record that the journal says was predicted, whose schema is neither in the state nor in
// the registry, is waited for, and not rejected. Nobody asks for the schema of a record that is a dead letter.
func TestRecoveryAwaitsSchema(t *testing.T) {
	t.Parallel()
	r := registryOf(1, 2)
	s := avroSetup(t, 1, r)
	s.Cluster.Produce(t, s.Name, 0, avroEvents(1, 0, 10)...)
	s.MustRun(t)
	old := t.TempDir()
	if err := os.CopyFS(old, os.DirFS(s.Dir)); err != nil {
		t.Fatal(err)
	}
	s.Cluster.Produce(t, s.Name, 0, avroEvents(9, 10, 5)...) // unknown
	s.Cluster.Produce(t, s.Name, 0, avroEvents(2, 15, 10)...)
	s.MustRun(t)
	s.Dir = old
	task := recoveredWhenBack(t, s, r, 2)
	if st := task.Status(); st.Counts.Predictions != 20 || st.Counts.Rejected["unknown-schema"] != 5 {
		t.Errorf("%+v", st.Counts)
	}
}

// recoveredWhenBack runs the setup's task while the registry is away: recovery waits until that is back, and asks for
// one schema only.
func recoveredWhenBack(t *testing.T, s *streamtest.Setup, r *fakeRegistry, only uint32) *stream.Task {
	t.Helper()
	back := r.leave()
	asked := r.requests()
	task := s.Task(t)
	stop, ended := streamtest.Background(t, task.Run)
	streamtest.Await(t, "recovery that waits", func() bool { return r.waits() || len(ended) > 0 })
	if st := task.Status(); st.State != board.Recovering || len(st.Waiting) != 1 {
		t.Errorf("%+v", st)
	}
	back()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-streamtest.Timeout(t, time.Minute).Done():
		t.Fatal(errors.Join(errors.New("not at its end"), stop()))
	}
	for _, id := range r.asked[asked:] {
		if id != only {
			t.Errorf("schema %d was asked for", id)
		}
	}
	return task
}
