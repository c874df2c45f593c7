package kafka

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/internal/check"
	"rosenblatt/stream/kafka/produce"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// aheadOf makes the bed's output refuse timestamps more than a second ahead, and returns a batch and the clock that it
// is stamped by: an hour ahead of the broker's until it is set.
func aheadOf(t *testing.T, values ...string) (batch *recordbatch.Builder, now func() time.Time, set func()) {
	t.Helper()
	var ahead atomic.Int64
	ahead.Store(int64(time.Hour))
	now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	batch = &recordbatch.Builder{}
	for i, v := range values {
		batch.Append(now().UnixMilli()+int64(i), nil, []byte(v))
	}
	return batch, now, func() { ahead.Store(0) }
}

func clockBed(t *testing.T) *bed {
	b := newBed(t, 0)
	b.create(b.name+"-in", 1)
	b.create(b.name+"-out", 1, "message.timestamp.after.max.ms", "1000")
	b.create(b.name+"-dlq", 1)
	if b.fake != nil { // kfake takes any timestamp
		b.fake.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
			b.fake.KeepControl()
			r := req.(*kmsg.ProduceRequest)
			batch, _, err := recordbatch.Next(r.Topics[0].Partitions[0].Records)
			if err != nil || batch.MaxTimestamp < time.Now().Add(time.Second).UnixMilli() {
				return nil, nil, false
			}
			return refusedProduce(r, kerr.InvalidTimestamp.Code), nil, true
		})
	}
	return b
}

func refusedProduce(r *kmsg.ProduceRequest, code int16) *kmsg.ProduceResponse {
	res := r.ResponseKind().(*kmsg.ProduceResponse)
	topic, partition := kmsg.NewProduceResponseTopic(), kmsg.NewProduceResponseTopicPartition()
	topic.Topic, partition.Partition = r.Topics[0].Topic, r.Topics[0].Partitions[0].Partition
	partition.ErrorCode, partition.BaseOffset = code, -1
	topic.Partitions = append(topic.Partitions, partition)
	res.Topics = append(res.Topics, topic)
	return res
}

// TestClockAhead: a batch that the broker refuses for the time of our clock waits for the clock, under a name.
func TestClockAhead(t *testing.T) {
	t.Parallel()
	b := clockBed(t)
	batch, now, set := aheadOf(t, numbered("v", 5)...)
	c := b.client(func(o *Options) { o.Now = now })
	j := c.Journal()
	takeover(t, j, topics.NoProducer)
	var end int64
	done := make(chan error, 1)
	go func() {
		var err error
		end, err = appendOne(timeout(t, 30*time.Second), j, topics.Output, 0, batch)
		done <- err
	}()
	for text := ""; !strings.Contains(text, "clock-ahead"); text, _ = c.Outage() {
		select {
		case err := <-done:
			t.Fatalf("it did not wait: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	set()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if text, _ := c.Outage(); text != "" {
		t.Error(text)
	}
	if got := b.output(end); !slices.Equal(got, numbered("v", 5)) {
		t.Fatal(got)
	}
	end = appendAll(t, j, topics.Output, 0, "next") // the sequence is the expected one
	if got := b.output(end); got[5] != "next" {
		t.Fatal(got)
	}
}

// A batch of which an earlier request may have been written keeps its bytes: with another timestamp it would be another
// batch of the same sequence.
func TestClockAheadAfterALostAcknowledgement(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	j := b.client(func(o *Options) { o.Dial = loseResponses(kmsg.Produce, 1).dial }).Journal()
	takeover(t, j, topics.NoProducer)
	var mu sync.Mutex
	var batches [][]byte
	b.fake.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		mu.Lock()
		defer mu.Unlock()
		r := req.(*kmsg.ProduceRequest)
		batches = append(batches, slices.Clone(r.Topics[0].Partitions[0].Records))
		if len(batches) == 2 {
			return refusedProduce(r, kerr.InvalidTimestamp.Code), nil, true
		}
		return nil, nil, false
	})
	end := appendAll(t, j, topics.Output, 0, "x")
	if got := b.output(end); !slices.Equal(got, []string{"x"}) {
		t.Fatal(got)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(batches) != 3 || !slices.Equal(batches[0], batches[1]) || !slices.Equal(batches[0], batches[2]) {
		t.Errorf("%d requests, not all of the same bytes", len(batches))
	}
}

// A Sender's timestamps are the records' own.
func TestTimestampOfASendersRecord(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	s, err := produce.NewSender(timeout(t, 10*time.Second), produce.SenderOptions{Options: b.admin.opt.ClusterOptions,
		Topic: b.name + "-in"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.InvalidTimestamp})
	_, err = s.Send(timeout(t, 10*time.Second), 0, build("x"))
	if verdict.Judge(err, verdict.OnSend) != verdict.Refused {
		t.Fatal(err)
	}
}

// A record that the broker calls invalid is sound: we made it. It is a stop, not a dead letter.
func TestInvalidRecordIsAStop(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	j := b.client(nil).Journal()
	takeover(t, j, topics.NoProducer)
	b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.InvalidRecord, Count: -1})
	_, err := appendOne(timeout(t, 30*time.Second), j, topics.Output, 0, build("x", "y"))
	check.Stop(t, err, stops.KafkaError)
}
