package kafka

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

func TestTopology(t *testing.T) {
	t.Parallel()
	b := newBed(t, 0)
	b.create(b.name+"-in", 3, "retention.ms", "12345678", "cleanup.policy", "compact,delete",
		"max.message.bytes", "2000")
	b.create(b.name+"-out", 2, "retention.bytes", "-1", "retention.ms", "-1")
	b.create(b.name+"-dlq", 1)
	b.put(b.name+"-in", 2, recordbatch.None, numbered("v", 10)...)
	b.cut(b.name+"-in", 2, 4)
	x := b.client(func(o *Options) { o.TransactionalID = b.name })
	top, err := x.Topology(timeout(t, 30*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	in := top.Input
	if in.Name != b.name+"-in" || len(in.ID) != 32 || in.ID == strings.Repeat("0", 32) || top.Cluster == "" {
		t.Errorf("%+v", top)
	}
	led := in.Partitions[2].Led
	for p := range in.Partitions {
		in.Partitions[p].Led = topics.Reached{}
	}
	if !slices.Equal(in.Partitions, []topics.Bounds{{}, {}, {Start: 4, End: 10, Stable: 10}}) || led.Offset != 10 ||
		led.Leader < 0 {
		t.Errorf("%+v, led %+v", in.Partitions, led)
	}
	if !in.Compacted || in.RetentionMS != 12345678 || in.MaxMessageBytes != 2000 || in.RetentionBytes != -1 {
		t.Errorf("%+v", in)
	}
	if out := top.Output; out.Compacted || out.RetentionMS != -1 || out.MaxMessageBytes < 1000000 ||
		len(out.Partitions) != 2 {
		t.Errorf("%+v", out)
	}
	at, err := x.OffsetsAt(timeout(t, 30*time.Second), topics.Input, time.Now().Add(time.Hour).UnixMilli())
	if err != nil || !slices.Equal(at, []int64{-1, -1, -1}) {
		t.Error(at, err)
	}
	at, err = x.OffsetsAt(timeout(t, 30*time.Second), topics.Input, time.Now().Add(-time.Hour).UnixMilli())
	if err != nil || at[2] != 4 {
		t.Error(at, err)
	}
}

func TestEnsure(t *testing.T) {
	t.Parallel()
	b := newBed(t, 0)
	ctx := timeout(t, 60*time.Second)
	in, out, dlq := b.name+"-in", b.name+"-out", b.name+"-dlq"
	if _, err := b.client(nil).Ensure(ctx, true); err == nil || !strings.Contains(err.Error(), in+" does not exist") {
		t.Fatalf("without an input: %v", err)
	}
	b.create(in, 3)
	if _, err := b.client(nil).Ensure(ctx, false); err == nil || !strings.Contains(err.Error(), out) ||
		!strings.Contains(err.Error(), "--create-topics") || !strings.Contains(err.Error(), "--partitions 3") {
		t.Fatalf("without an output: %v", err)
	}
	if made, err := b.client(nil).Ensure(ctx, true); err != nil || !slices.Equal(made, []string{out, dlq}) {
		t.Fatal(made, err)
	}
	c := b.client(nil)
	if made, err := c.Ensure(ctx, false); err != nil || len(made) > 0 {
		t.Fatal(made, err)
	}
	if top, err := c.Topology(ctx); err != nil || len(top.Output.Partitions) != 3 ||
		len(top.DeadLetters.Partitions) != 3 ||
		top.Output.Compacted {
		t.Fatal(top, err)
	}
}

// TestEnsureWaitsForTopicsOfOthers: a topic that exists already was perhaps created a moment ago, by a process that was
// killed since, and brokers do not know it yet.
func TestEnsureWaitsForTopicsOfOthers(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 0)
	ctx := timeout(t, 60*time.Second)
	in, out, dlq := b.name+"-in", b.name+"-out", b.name+"-dlq"
	b.create(in, 1)
	refused := make(chan struct{}, 2)
	for range 2 {
		b.fake.ControlKey(int16(kmsg.CreateTopics), func(req kmsg.Request) (kmsg.Response, error, bool) {
			res := req.ResponseKind().(*kmsg.CreateTopicsResponse)
			for _, t := range req.(*kmsg.CreateTopicsRequest).Topics {
				res.Topics = append(res.Topics, kmsg.CreateTopicsResponseTopic{
					Topic: t.Topic, ErrorCode: kerr.TopicAlreadyExists.Code,
				})
			}
			refused <- struct{}{}
			return res, nil, true
		})
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-refused
		<-refused
		time.Sleep(200 * time.Millisecond) // until the brokers know them
		b.create(out, 1)
		b.create(dlq, 1)
	}()
	c := b.client(nil)
	if made, err := c.Ensure(ctx, true); err != nil || len(made) > 0 {
		t.Error(made, err)
	}
	if _, err := c.Topology(ctx); err != nil {
		t.Error(err)
	}
	<-done
}

func TestEnsureNarrowOutput(t *testing.T) {
	t.Parallel()
	b := newBed(t, 3) // an output of two
	ctx := timeout(t, 60*time.Second)
	c := b.client(nil)
	if _, err := c.Ensure(ctx, false); !stops.Is(err, stops.OutputTooNarrow) {
		t.Fatal(err)
	}
	if made, err := c.Ensure(ctx, true); err != nil || len(made) > 0 {
		t.Fatal(made, err)
	}
	if _, err := c.Ensure(ctx, false); err != nil {
		t.Fatal(err)
	}
	if f := takeover(t, c.Journal(), topics.NoProducer); len(f.Output) != 3 {
		t.Fatalf("fence over %d partitions", len(f.Output))
	}
}

func TestCommit(t *testing.T) {
	t.Parallel()
	b := newBed(t, 3)
	ctx := timeout(t, 60*time.Second)
	c := b.client(nil)
	want := func(want ...int64) {
		t.Helper()
		if got, err := c.Committed(ctx); err != nil || !slices.Equal(got, want) {
			t.Fatal(got, err)
		}
	}
	want(-1, -1, -1)
	for _, positions := range [][]int64{{5, -1, 7}, {-1, -1, -1}, {-1, 0, 8}} {
		if err := c.Commit(ctx, positions); err != nil {
			t.Fatal(err)
		}
	}
	want(5, 0, 8)
}

func TestCommitForbidden(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetCommit}, Err: kerr.GroupAuthorizationFailed})
	if err := b.client(nil).Commit(timeout(t, 10*time.Second), []int64{1}); !errors.Is(err,
		kerr.GroupAuthorizationFailed) {
		t.Fatal(err)
	}
}

func TestOldBrokerIsNamed(t *testing.T) {
	t.Parallel()
	b := &bed{t: t, name: "o"}
	if real() {
		t.Skip("on kfake only")
	}
	b.fakeCluster(kfake.NumBrokers(1), kfake.MaxVersions(kversion.V2_0_0()),
		kfake.SeedTopics(1, "o-in", "o-out", "o-dlq"))
	_, err := b.client(nil).Topology(timeout(t, 10*time.Second))
	if err == nil || !strings.Contains(err.Error(), "2.8 or later") {
		t.Fatal(err)
	}
}

func TestNoBrokerResponds(t *testing.T) {
	t.Parallel()
	b := &bed{t: t, name: "n", brokers: []string{"127.0.0.1:1"}}
	c := b.client(func(o *Options) { o.Patience = 300 * time.Millisecond })
	if _, err := c.Topology(timeout(t, 20*time.Second)); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Fatal(err)
	}
}

func TestNewRefusesInvalidOptions(t *testing.T) {
	t.Parallel()
	at := ClusterOptions{Brokers: []string{"b:1"}}
	for _, o := range []Options{
		{}, {ClusterOptions: at}, {ClusterOptions: at, Input: "a", Output: "a", DeadLetters: "c"},
		{Input: "a", Output: "b", DeadLetters: "c"},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
