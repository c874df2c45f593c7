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

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// append writes one batch.
func (j *Journal) append(
	ctx context.Context, topic topics.Topic, partition int32, b *recordbatch.Builder,
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
	j := b.client(func(o *Options) { o.Dial = loseResponses(kmsg.Produce, 3).dial }).Journal()
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
				if _, err := j.append(timeout(t, 30*time.Second), topics.Output, 0, build("x")); !errors.Is(err,
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
	if _, err := j.append(timeout(t, 30*time.Second), topics.Output, 0, build("x")); !errors.Is(err,
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
	if _, err := j.append(timeout(t, 30*time.Second), topics.Output, 0, build("x")); !errors.Is(err,
		topics.ErrIndeterminate) {
		t.Fatal(err)
	}
}

func TestAppendFencedAndForbidden(t *testing.T) {
	t.Parallel()
	for _, e := range []*kerr.Error{kerr.InvalidProducerEpoch, kerr.InvalidProducerIDMapping, kerr.ProducerFenced,
		kerr.TopicAuthorizationFailed, kerr.InvalidRequest} {
		t.Run(e.Message, func(t *testing.T) {
			b := fakeBed(t, 1)
			j := b.client(nil).Journal()
			takeover(t, j, topics.NoProducer)
			b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: e})
			_, err := j.append(timeout(t, 30*time.Second), topics.Output, 0, build("x"))
			want := stops.KafkaError
			switch {
			case classOf(e) == fenced:
				want = stops.Fenced
			case slices.Contains(rightsErrors, e):
				want = stops.NotAllowed
			}
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
	from, err := c.highWatermarks(ctx)
	if err == nil {
		_, err = c.writeMarkers(ctx, f.Producer, from, nil) // a late copy of our own empty transaction
	}
	if err != nil {
		t.Fatal(err)
	}
	if end := appendAll(t, j, topics.Output, 0, "x"); end != f.Output[0]+3 {
		t.Fatalf("end %d, want one marker between %d and our record", end, f.Output[0])
	}
	appendAll(t, j, topics.DeadLetters, 0, "x") // others may write there
	b.put(b.name+"-dlq", 0, recordbatch.None, "another model's")
	appendAll(t, j, topics.DeadLetters, 0, "y")

	at := b.put(b.name+"-out", 0, recordbatch.None, "foreign")
	_, err = j.append(ctx, topics.Output, 0, build("y"))
	if !stops.Is(err, stops.OtherWriter) || !strings.Contains(err.Error(), fmt.Sprintf("offset %d ", at)) {
		t.Fatal(err)
	}
}

func TestOtherWriterBelow(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.client(nil).Journal()
	takeover(t, j, topics.NoProducer)
	j.partitions[topics.Output][0].end += 5
	if _, err := j.append(timeout(t, 30*time.Second), topics.Output, 0, build("y")); !stops.Is(err, stops.OtherWriter) {
		t.Fatal(err)
	}
}

func TestSequenceWraps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sequence int32
		records  int
		want     int32
	}{{0, 3, 3}, {2147483646, 1, 2147483647}, {2147483647, 1, 0}, {2147483646, 5, 3}} {
		if got := advance(c.sequence, c.records); got != c.want {
			t.Errorf("%d after %d records: %d, want %d", c.sequence, c.records, got, c.want)
		}
	}
	if !real() {
		return // kfake refuses a first batch that does not begin at 0
	}
	b := newBed(t, 1)
	pid := time.Now().UnixNano() // a producer id never handed out may begin anywhere
	sequence := int32(2147483646)
	for n := range 3 {
		data, err := build(numbered(fmt.Sprint(n), 3)...).Seal(pid, 0, sequence, recordbatch.None)
		if err != nil {
			t.Fatal(err)
		}
		if at := b.putRaw(b.name+"-out", 0, data); at != int64(3*n) {
			t.Fatalf("batch %d, sequence %d, was written at %d", n, sequence, at)
		}
		sequence = advance(sequence, 3)
	}
}
