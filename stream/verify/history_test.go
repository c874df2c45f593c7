package verify_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

var errKilled = errors.New("killed by the test")

// mortal is a journal that dies with its nth batch, which stands in the topic.
type mortal struct {
	topics.Journal
	left int
}

func (m *mortal) Append(ctx context.Context, batches []topics.Batch) error {
	err := m.Journal.Append(ctx, batches)
	if m.left--; err == nil && m.left <= 0 {
		return errKilled
	}
	return err
}

// killed runs a task, kills it after so many batches, and reports whether it came that far.
func killed(t *testing.T, s *streamtest.Setup, batches int) bool {
	t.Helper()
	s.Adjust = func(task *stream.Task) { task.Journal = &mortal{task.Journal, batches} }
	defer func() { s.Adjust = nil }()
	_, err := s.Run(t)
	if err != nil && !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	return err != nil
}

// mixed are events of which some are rejected: by themselves, or because of the labels that came before.
func mixed(seed uint64, n int) (out []string) {
	r := rand.New(rand.NewPCG(seed, 7))
	for i := range n {
		label := []string{"-1", "1", "1", "-1", "null"}[r.IntN(5)]
		switch i % 9 {
		case 3:
			out = append(out, `{"id":"broken"`)
			continue
		case 5:
			label = []string{`"perhaps"`, "0", "true"}[r.IntN(3)]
		}
		out = append(out, fmt.Sprintf(`{"id":"e%d-%d","label":%s,"features":{"x":%g,"y":%g}}`, seed, i, label,
			r.NormFloat64(), r.NormFloat64()))
	}
	return out
}

// transaction produces events in a transaction.
func transaction(t *testing.T, s *streamtest.Setup, partition int32, how kgo.TransactionEndTry, events []string) {
	t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(s.Cluster.Brokers...), kgo.TransactionalID(s.Name),
		kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if err := cl.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		cl.Produce(t.Context(), &kgo.Record{Topic: s.Name, Partition: partition, Value: []byte(e)}, nil)
	}
	if err := cl.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := cl.EndTransaction(t.Context(), how); err != nil {
		t.Fatal(err)
	}
}

// history is what a model with crashes behind it has left: three partitions, transactions, dead letters.
type history struct {
	*streamtest.Setup
	*recorded
	floor *verify.Floor
}

func newHistory(t *testing.T) *history {
	t.Helper()
	return newHistoryOf(t, learner.Perceptron, model.CalibratePlatt, "recall=0.8")
}

// newHistoryOf makes a history of predictions by a rule.
func newHistoryOf(t *testing.T, name, calibrate, rule string) *history {
	t.Helper()
	s := streamtest.New(t, streamtest.Start(t), 3)
	s.Config.BatchRecords, s.Config.CheckpointInterval = 5, time.Hour
	s.Config.ModelConfig.Learner = learner.Spec{Learner: name, Scale: learner.ScaleStandard, Bits: 12}.WithDefaults()
	if err := s.Config.ModelConfig.SetDecisions(calibrate, rule); err != nil {
		t.Fatal(err)
	}
	for round := range 4 {
		for p := range 3 {
			seed := uint64(10*round + p)
			s.Cluster.Produce(t, s.Name, p, mixed(seed, 10)...)
			if round%2 == p%2 {
				transaction(t, s, int32(p), kgo.TryAbort, mixed(seed, 3))
				transaction(t, s, int32(p), kgo.TryCommit, mixed(seed+100, 4))
			}
		}
		killed(t, s, 3)
		s.MustRun(t)
	}
	h := &history{s, record(t, s), floor(t, s)}
	if h.floor.Epoch < 6 || len(h.records[topics.DeadLetters][0]) < 20 {
		t.Errorf("epoch %d, %d dead letters", h.floor.Epoch, len(h.records[topics.DeadLetters][0]))
	}
	return h
}

// floor reads the newest checkpoint, as verify does beside a running daemon; nil where there is none yet.
func floor(t *testing.T, s *streamtest.Setup) *verify.Floor {
	t.Helper()
	files, err := (&checkpoint.Store{Dir: filepath.Join(s.Dir, s.Name)}).Files()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := checkpoint.Open(nil, name)
		if err != nil {
			continue // a running daemon has removed it
		}
		h, _, err := model.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		return verify.FloorOf(&h)
	}
	return nil
}

// audited audits a log from nothing.
func audited(t *testing.T, s *streamtest.Setup, log topics.Log, change func(*verify.Audit)) (*verify.Result, error) {
	t.Helper()
	p, err := s.Config.NewProcessor()
	if err != nil {
		t.Fatal(err)
	}
	a := verify.Audit{Log: log, Model: s.Name, From: verify.Start{Processor: p, Config: s.Config.ModelConfig}}
	if change != nil {
		change(&a)
	}
	return a.Run(t.Context())
}

// adds checks that the figures add up to the input.
func adds(t *testing.T, r *verify.Result) {
	t.Helper()
	sum := r.Predictions + r.DeadLetters + r.Unkept + r.Nulls + r.Skipped + r.Gaps + r.Pending
	if r.OK() && sum != r.Offsets {
		t.Errorf("the figures add up to %d, not to %d: %+v", sum, r.Offsets, r)
	}
}
