package stream_test

import (
	"context"
	"strings"
	"testing"

	"rosenblatt/stream"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// backLog's input readers deliver their second chunk from the log's start again.
type backLog struct{ topics.Log }

type backReader struct {
	topics.Reader
	log  topics.Log
	back bool
}

func (l backLog) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := l.Log.Open(topic, partition, from)
	if topic == topics.Input {
		return &backReader{Reader: r, log: l.Log}
	}
	return r
}

func (r *backReader) Read(ctx context.Context, c *topics.Run, max int) error {
	err := r.Reader.Read(ctx, c, 10)
	if len(c.Records) > 0 && !r.back {
		r.back, r.Reader = true, r.log.Open(topics.Input, c.Partition, 0)
	}
	return err
}

// A reader that returns an offset again ends the run: no record is predicted twice.
func TestReaderThatGoesBack(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(20)...)
	s.Wrap = func(l topics.Log) topics.Log { return backLog{l} }
	if _, err := s.Run(t); err == nil || !strings.Contains(err.Error(), "returned an offset below") {
		t.Errorf("run: %v", err)
	}
	s.Wrap = nil
	s.MustRun(t)
	s.Audit(t)
}

// heldJournal notes the producer that each takeover holds.
type heldJournal struct {
	topics.Journal
	named  []topics.Producer
	handed []topics.Producer
	doubt  bool
}

func (j *heldJournal) Takeover(ctx context.Context, held topics.Producer) (*topics.Fence, error) {
	f, err := j.Journal.Takeover(ctx, held)
	if err == nil {
		j.named, j.handed = append(j.named, held), append(j.handed, f.Producer)
		j.doubt = len(j.named) < 3 // the first two sessions end with an indeterminate write
	}
	return f, err
}

func (j *heldJournal) Append(ctx context.Context, batches []topics.Batch) error {
	if j.doubt {
		return topics.ErrIndeterminate
	}
	return j.Journal.Append(ctx, batches)
}

// Only a starting process takes over from any writer. A recovery in process names what it holds, so that Kafka
// can refuse it when another process took over meanwhile (kfake does not; TestSleeperIsFenced shows it on Kafka).
func TestRecoveryOffersWhatItHolds(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(20)...)
	var j *heldJournal
	s.Adjust = func(task *stream.Task) {
		j = &heldJournal{Journal: task.Journal}
		task.Journal = j
	}
	s.MustRun(t)
	want := []topics.Producer{topics.NoProducer, j.handed[0], j.handed[1]}
	for i, held := range j.named {
		if held != want[i] {
			t.Errorf("takeover %d named %v, want %v", i+1, held, want[i])
		}
	}
	if len(j.named) != 3 {
		t.Errorf("%d takeovers, want 3", len(j.named))
	}
	s.Audit(t)
}
