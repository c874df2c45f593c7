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
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// sender opens a Sender on the bed's input; change alters its options.
func (b *bed) sender(change func(*produce.SenderOptions)) *produce.Sender {
	b.t.Helper()
	opt := produce.SenderOptions{Options: ClusterOptions{Brokers: b.brokers, ClientID: "test"}, Topic: b.name + "-in"}
	if change != nil {
		change(&opt)
	}
	s, err := produce.NewSender(timeout(b.t, 30*time.Second), opt)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(s.Close)
	return s
}

func (b *bed) input(partition int32, end int64) []string {
	b.t.Helper()
	values, _ := read(b.t, b.client(nil).Open(topics.Input, partition, 0), end)
	return values
}

func (b *bed) inputEnd(partition int32) int64 {
	b.t.Helper()
	var end int64
	err := b.admin.cluster.Retry(timeout(b.t, 10*time.Second), "end", 0, func(ctx context.Context) (err error) {
		_, end, err = b.admin.cluster.Extent(ctx, b.name+"-in", partition)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return end
}

// TestSenderSendsOnce: acknowledgements are lost, and every record is in its partition once, in order.
func TestSenderSendsOnce(t *testing.T) {
	t.Parallel()
	b := newBed(t, 2)
	s := b.sender(func(o *produce.SenderOptions) { o.Dial = loseLater(kmsg.Produce, 1, 5).dial })
	if s.Partitions() != 2 {
		t.Fatalf("%d partitions, want 2", s.Partitions())
	}
	want := make([][]string, 2)
	for n := range 6 {
		p := int32(n % 2)
		v := numbered(fmt.Sprint("b", n, "-"), 3)
		want[p] = append(want[p], v...)
		if got, err := s.Send(timeout(t, 30*time.Second), p, build(v...)); err != nil || got != 3 {
			t.Fatalf("%d acknowledged, %v", got, err)
		}
	}
	for p := range want {
		if got := b.input(int32(p), b.inputEnd(int32(p))); !slices.Equal(got, want[p]) {
			t.Errorf("partition %d holds %q, want %q", p, got, want[p])
		}
	}
}

// TestSenderSplits what is too large as a whole, and names the record that is too large by itself.
func TestSenderSplits(t *testing.T) {
	t.Parallel()
	b := newBed(t, 0)
	b.create(b.name+"-in", 1, "max.message.bytes", "2000")
	s := b.sender(nil)
	long := strings.Repeat("x", 500)
	batch := &recordbatch.Builder{}
	for _, v := range []string{"a" + long, "b" + long, "c" + long, "d" + long, "e" + long, strings.Repeat("y", 4000),
		"never"} {
		batch.Append(1, nil, []byte(v))
	}
	n, err := s.Send(timeout(t, 30*time.Second), 0, batch)
	var r *topics.Refused
	if !errors.As(err, &r) || r.Index != 5 || n != 5 {
		t.Fatalf("%d acknowledged, %v: want 5, and record 5 refused", n, err)
	}
	got := b.input(0, b.inputEnd(0))
	for i, first := range []string{"a", "b", "c", "d", "e"} {
		if i >= len(got) || !strings.HasPrefix(got[i], first) || len(got) != 5 {
			t.Fatalf("%d records, want a to e", len(got))
		}
	}
}

// TestSenderEnds: what no patience helps against ends it, and so does the context.
func TestSenderEnds(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	s := b.sender(nil)
	b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.TopicAuthorizationFailed, Count: 1})
	if n, err := s.Send(timeout(t, 30*time.Second), 0, build("x")); n != 0 || err == nil ||
		!strings.Contains(err.Error(), "produce to "+b.name+"-in/0") {
		t.Errorf("%d, %v", n, err)
	}
	s = b.sender(func(o *produce.SenderOptions) { o.Patience = 50 * time.Millisecond })
	b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: 1000})
	if _, err := s.Send(timeout(t, 30*time.Second), 0, build("x")); err == nil || !strings.Contains(err.Error(),
		"given up after") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if _, err := b.sender(nil).Send(ctx, 0, build("x")); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("%v", err)
	}
	at := ClusterOptions{Brokers: b.brokers}
	if _, err := produce.NewSender(timeout(t, 10*time.Second), produce.SenderOptions{Options: at,
		Topic: "nowhere"}); !verdict.IsMissing(err) {
		t.Errorf("%v, want that the topic is missing", err)
	}
	if _, err := produce.NewSender(t.Context(), produce.SenderOptions{Options: at}); err == nil {
		t.Error("a sender without a topic")
	}
	if _, err := produce.NewSender(t.Context(), produce.SenderOptions{Topic: "x"}); err == nil {
		t.Error("a sender without brokers")
	}
}

// TestSenderCreatesItsTopic when asked to, and waits for its leaders.
func TestSenderCreatesItsTopic(t *testing.T) {
	t.Parallel()
	b := newBed(t, 0)
	b.t.Cleanup(func() { b.remove(b.name + "-new") })
	s := b.sender(func(o *produce.SenderOptions) { o.Topic, o.Create = b.name+"-new", 3 })
	if s.Partitions() != 3 {
		t.Fatalf("%d partitions, want 3", s.Partitions())
	}
	if n, err := s.Send(timeout(t, 30*time.Second), 2, build("x")); err != nil || n != 1 {
		t.Fatal(n, err)
	}
}
