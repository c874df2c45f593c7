package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/produce"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// appendOne writes one batch.
func appendOne(
	ctx context.Context, j *produce.Journal, topic topics.Topic, partition int32, b *recordbatch.Builder,
) (end int64, err error) {
	batches := []topics.Batch{{Topic: topic, Partition: partition, Records: b}}
	err = j.Append(ctx, batches)
	return batches[0].End, err
}

// output reads the whole output partition 0.
func (b *bed) output(end int64) []string {
	b.t.Helper()
	values, _ := read(b.t, b.client(nil).Open(topics.Output, 0, 0), end)
	return values
}

// Without the sequence in a resend, or with a new one, the lost batches would be written twice.
func TestLostAcknowledgement(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.client(func(o *Options) { o.Dial = loseLater(kmsg.Produce, 1, 3).dial }).Journal()
	takeover(t, j, topics.NoProducer)
	var want []string
	var end int64
	for n := range 5 {
		v := numbered(fmt.Sprint("b", n, "-"), 3)
		want = append(want, v...)
		end = appendAll(t, j, topics.Output, 0, v...)
	}
	if got := b.output(end); !slices.Equal(got, want) {
		t.Fatalf("the log holds %q, want %q", got, want)
	}
}

func TestBlackHole(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.client(func(o *Options) {
		o.Dial, o.ResponseTimeout = swallow(kmsg.Produce, 2).dial, 300*time.Millisecond
	}).Journal()
	takeover(t, j, topics.NoProducer)
	began, late := time.Now(), timeout(t, 20*time.Second)
	end := appendAll(t, j, topics.Output, 0, "x")
	if got := b.output(end); !slices.Equal(got, []string{"x"}) {
		t.Fatalf("the log holds %q", got)
	}
	if d := time.Since(began); d < 600*time.Millisecond || late.Err() != nil {
		t.Fatalf("two swallowed requests took %v", d)
	}
}

func TestRetriableCodesAreResent(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	j := b.client(nil).Journal()
	takeover(t, j, topics.NoProducer)
	var want []string
	var end int64
	for n, e := range []*kerr.Error{kerr.RequestTimedOut, kerr.NotEnoughReplicasAfterAppend, kerr.NotLeaderForPartition,
		kerr.NotEnoughReplicas, kerr.KafkaStorageError, kerr.CorruptMessage, kerr.UnknownServerError} {
		b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: e, Count: 2})
		v := fmt.Sprint("v", n)
		want = append(want, v)
		end = appendAll(t, j, topics.Output, 0, v)
	}
	if got := b.output(end); !slices.Equal(got, want) {
		t.Fatalf("the log holds %q, want %q", got, want)
	}
}

func TestIndeterminateIsNotResent(t *testing.T) {
	t.Parallel()
	for _, e := range []*kerr.Error{kerr.OutOfOrderSequenceNumber, kerr.DuplicateSequenceNumber, kerr.InvalidTxnState,
		kerr.UnknownProducerID} {
		t.Run(e.Message, func(t *testing.T) {
			b := fakeBed(t, 1)
			j := b.client(nil).Journal()
			f := takeover(t, j, topics.NoProducer)
			h := b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: e})
			for range 2 { // the second one is not even sent
				if _, err := appendOne(timeout(t, 30*time.Second), j, topics.Output, 0, build("x")); !errors.Is(err,
					topics.ErrIndeterminate) {
					t.Fatal(err)
				}
			}
			if h.Hits() != 1 {
				t.Fatalf("%d batches were sent", h.Hits())
			}
			g := takeover(t, j, f.Producer)
			if end := appendAll(t, j, topics.Output, 0, "y"); end != g.Output[0]+2 {
				t.Fatalf("end %d after a marker at %d", end, g.Output[0])
			}
		})
	}
}

func TestUnreadableAcknowledgementIsIndeterminate(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	j := b.client(nil).Journal()
	takeover(t, j, topics.NoProducer)
	b.fake.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
		return req.ResponseKind(), nil, true // without a word of the partition
	})
	if _, err := appendOne(timeout(t, 30*time.Second), j, topics.Output, 0, build("x")); !errors.Is(err,
		topics.ErrIndeterminate) {
		t.Fatal(err)
	}
}

func TestOldFenceIsNotResentUnder(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	j := b.client(func(o *Options) { o.RenewEvery = 300 * time.Millisecond }).Journal()
	takeover(t, j, topics.NoProducer)
	b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.RequestTimedOut, Count: -1})
	if _, err := appendOne(timeout(t, 30*time.Second), j, topics.Output, 0, build("x")); !errors.Is(err,
		topics.ErrIndeterminate) {
		t.Fatal(err)
	}
}

func TestAppendFencedAndForbidden(t *testing.T) {
	t.Parallel()
	for e, want := range map[*kerr.Error]string{
		kerr.InvalidProducerEpoch: stops.Fenced, kerr.InvalidProducerIDMapping: stops.Fenced,
		kerr.ProducerFenced: stops.Fenced, kerr.TopicAuthorizationFailed: stops.NotAllowed,
		kerr.InvalidRequest: stops.KafkaError,
	} {
		t.Run(e.Message, func(t *testing.T) {
			b := fakeBed(t, 1)
			j := b.client(nil).Journal()
			takeover(t, j, topics.NoProducer)
			b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: e})
			_, err := appendOne(timeout(t, 30*time.Second), j, topics.Output, 0, build("x"))
			if !stops.Is(err, want) {
				t.Fatal(err)
			}
		})
	}
}

// narrowOutput is a bed whose output takes batches up to a size.
func narrowOutput(t *testing.T, bytes int) *bed {
	b := newBed(t, 0)
	b.create(b.name+"-in", 1)
	b.create(b.name+"-out", 1, "max.message.bytes", fmt.Sprint(bytes))
	b.create(b.name+"-dlq", 1)
	return b
}

func TestSplit(t *testing.T) {
	t.Parallel()
	b := narrowOutput(t, 1000)
	j := b.client(nil).Journal()
	takeover(t, j, topics.NoProducer)
	long := strings.Repeat("x", 200)
	var want []string
	var end int64
	for n := range 3 {
		v := numbered(fmt.Sprint(n, long), 21)
		want = append(want, v...)
		end = appendAll(t, j, topics.Output, 0, v...)
	}
	if got := b.output(end); !slices.Equal(got, want) {
		t.Fatalf("the log holds %d records, want %d", len(got), len(want))
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	b := narrowOutput(t, 1000)
	j := b.client(nil).Journal()
	f := takeover(t, j, topics.NoProducer)
	v := numbered("v", 11)
	v[6] = strings.Repeat("x", 2000)
	batches := []topics.Batch{{Topic: topics.Output, Records: build(v...)}}
	err := j.Append(timeout(t, 30*time.Second), batches)
	end := batches[0].End
	var r *topics.Refused
	if !errors.As(err, &r) || r.Index != 6 || !errors.Is(err, kerr.MessageTooLarge) {
		t.Fatal(err)
	}
	if end != f.Output[0]+7 {
		t.Fatalf("end %d after a marker at %d and six records", end, f.Output[0])
	}
	end = appendAll(t, j, topics.Output, 0, v[7:]...) // the journal goes on
	if got := b.output(end); !slices.Equal(got, slices.Concat(v[:6], v[7:])) {
		t.Fatalf("the log holds %q", got)
	}
}

func TestGap(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	c := b.client(nil)
	j := c.Journal()
	f := takeover(t, j, topics.NoProducer)
	ctx := timeout(t, 30*time.Second)
	b.emptyTransaction(c, f.Producer) // a late copy of our own
	if end := appendAll(t, j, topics.Output, 0, "x"); end != f.Output[0]+3 {
		t.Fatalf("end %d, want one marker between %d and our record", end, f.Output[0])
	}
	appendAll(t, j, topics.DeadLetters, 0, "x") // others may write there
	b.put(b.name+"-dlq", 0, recordbatch.None, "another model's")
	appendAll(t, j, topics.DeadLetters, 0, "y")

	at := b.put(b.name+"-out", 0, recordbatch.None, "foreign")
	_, err := appendOne(ctx, j, topics.Output, 0, build("y"))
	if !stops.Is(err, stops.OtherWriter) || !strings.Contains(err.Error(), fmt.Sprintf("offset %d ", at)) {
		t.Fatal(err)
	}
}

func TestOtherWriterBelow(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	j := b.client(nil).Journal()
	takeover(t, j, topics.NoProducer)
	b.fake.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
		res := req.ResponseKind().(*kmsg.ProduceResponse) // acknowledged at offset 0
		for _, topic := range req.(*kmsg.ProduceRequest).Topics {
			at := kmsg.NewProduceResponseTopicPartition()
			at.Partition = topic.Partitions[0].Partition
			res.Topics = append(res.Topics, kmsg.ProduceResponseTopic{Topic: topic.Topic,
				Partitions: []kmsg.ProduceResponseTopicPartition{at}})
		}
		return res, nil, true
	})
	_, err := appendOne(timeout(t, 30*time.Second), j, topics.Output, 0, build("y"))
	if !stops.Is(err, stops.OtherWriter) {
		t.Fatal(err)
	}
}

// TestSequenceWraps: a broker takes 0 for the sequence after 2147483647, in the middle of a batch too.
func TestSequenceWraps(t *testing.T) {
	t.Parallel()
	b := realBed(t, 1)           // kfake refuses a first batch that does not begin at 0
	pid := time.Now().UnixNano() // a producer id never handed out may begin anywhere
	for n, sequence := range []int32{2147483646, 1, 4} {
		data, err := build(numbered(fmt.Sprint(n), 3)...).Seal(pid, 0, sequence, recordbatch.None)
		if err != nil {
			t.Fatal(err)
		}
		if at := b.putRaw(b.name+"-out", 0, data); at != int64(3*n) {
			t.Fatalf("batch %d, sequence %d, was written at %d", n, sequence, at)
		}
	}
}
