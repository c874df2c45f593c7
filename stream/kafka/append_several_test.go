package kafka

import (
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
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// severalBed has six output partitions on three brokers.
func severalBed(t *testing.T) (b *bed, j *produce.Journal, f *topics.Fence) {
	t.Helper()
	b = fakeBed(t, 0, kfake.NumBrokers(3))
	b.create(b.name+"-in", 6)
	b.create(b.name+"-out", 6)
	b.create(b.name+"-dlq", 1)
	j = b.client(nil).Journal()
	return b, j, takeover(t, j, topics.NoProducer)
}

// flightOf has three records for each of six partitions.
func flightOf(what string) (out []topics.Batch) {
	for p := range int32(6) {
		out = append(out, topics.Batch{Topic: topics.Output, Partition: p, Records: build(numbered(what, 3)...)})
	}
	return out
}

// TestAppendAtOnce: batches of several partitions go out in one request to each broker, and each is judged by itself:
// one that is lost or refused is sent again with the same bytes, the others are not.
func TestAppendAtOnce(t *testing.T) {
	t.Parallel()
	b, j, f := severalBed(t)
	all := b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Observe: true, Count: -1})
	some := b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Partitions: []int32{2, 5},
		Err: kerr.NotEnoughReplicasAfterAppend, Count: 2})
	batches := flightOf("a")
	if err := j.Append(timeout(t, 30*time.Second), batches); err != nil {
		t.Fatal(err)
	}
	for p, x := range batches {
		if x.End != f.Output[p]+4 {
			t.Errorf("partition %d: end %d after a marker at %d", p, x.End, f.Output[p])
		}
		if got, _ := read(t, b.client(nil).Open(topics.Output, int32(p), 0), x.End); !slices.Equal(got,
			numbered("a", 3)) {
			t.Errorf("partition %d holds %q", p, got)
		}
	}
	if some.Hits() == 0 || all.Hits() > 3+2*2 {
		t.Errorf("%d requests, %d of them with faults", all.Hits(), some.Hits())
	}
	before := all.Hits()
	if err := j.Append(timeout(t, 30*time.Second), flightOf("b")); err != nil || all.Hits() > before+3 {
		t.Errorf("%v, %d requests", err, all.Hits()-before)
	}
}

// TestAppendWithMovingLeaders: a partition whose leader moves is followed, whatever the others do.
func TestAppendWithMovingLeaders(t *testing.T) {
	t.Parallel()
	b, j, _ := severalBed(t)
	var want []string
	var last []topics.Batch
	for n := range 6 {
		for p := range int32(3) {
			if err := b.fake.MoveTopicPartition(b.name+"-out", p, int32(n)%3); err != nil {
				t.Fatal(err)
			}
		}
		last = flightOf(fmt.Sprint(n))
		want = append(want, numbered(fmt.Sprint(n), 3)...)
		if err := j.Append(timeout(t, 30*time.Second), last); err != nil {
			t.Fatal(err)
		}
	}
	for p, x := range last {
		if got, _ := read(t, b.client(nil).Open(topics.Output, int32(p), 0), x.End); !slices.Equal(got, want) {
			t.Errorf("partition %d holds %q", p, got)
		}
	}
}

// TestOneBatchInDoubt: an error of one batch that is not retriable ends the whole flight, and nothing follows it.
func TestOneBatchInDoubt(t *testing.T) {
	t.Parallel()
	for err, want := range map[*kerr.Error]func(error) bool{
		kerr.OutOfOrderSequenceNumber: func(err error) bool { return errors.Is(err, topics.ErrIndeterminate) },
		kerr.TopicAuthorizationFailed: func(err error) bool { return stops.Is(err, stops.NotAllowed) },
	} {
		b, j, _ := severalBed(t)
		b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Partitions: []int32{4}, Err: err})
		for range 2 {
			if err := j.Append(timeout(t, 30*time.Second), flightOf("a")); !want(err) {
				t.Error(err)
			}
		}
	}
}

// TestShortForm: one record that is refused alone goes out in its short form, in its place; one batch is refused and
// split, the others are not concerned.
func TestShortForm(t *testing.T) {
	t.Parallel()
	b := narrowOutput(t, 1000)
	j := b.client(nil).Journal()
	f := takeover(t, j, topics.NoProducer)
	v := numbered("v", 11)
	v[2], v[6] = strings.Repeat("x", 2000), strings.Repeat("y", 2000)
	batches := []topics.Batch{{Topic: topics.Output, Records: build(v...),
		Short: func(r *topics.Record) { r.Key, r.Value = nil, r.Value[:7] }}}
	if err := j.Append(timeout(t, 30*time.Second), batches); err != nil {
		t.Fatal(err)
	}
	v[2], v[6] = v[2][:7], v[6][:7]
	if got := b.output(batches[0].End); !slices.Equal(got, v) || batches[0].End != f.Output[0]+12 {
		t.Fatalf("the log holds %q", got)
	}
}
