package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/produce"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

func TestFenceRoundTrip(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.client(nil).Journal()
	f := takeover(t, j, topics.NoProducer)
	if len(f.Output) != 2 || len(f.DeadLetters) != 1 {
		t.Fatalf("fence over %d and %d partitions", len(f.Output), len(f.DeadLetters))
	}
	for p := range int32(2) {
		for n := range 3 {
			end := appendAll(t, j, topics.Output, p, numbered("a", n+1)...)
			if want := f.Output[p] + 1 + int64((n+1)*(n+2)/2); end != want {
				t.Fatalf("partition %d ends at %d, want %d", p, end, want)
			}
		}
	}
	appendAll(t, j, topics.DeadLetters, 0, "l0", "l1")
	c := b.client(nil)
	values, _ := read(t, c.Open(topics.Output, 1, 0), f.Output[1]+7)
	if want := []string{"a0", "a0", "a1", "a0", "a1", "a2"}; !slices.Equal(values, want) {
		t.Fatalf("read %q", values)
	}
	values, _ = read(t, c.Open(topics.DeadLetters, 0, 0), f.DeadLetters[0]+3)
	if !slices.Equal(values, []string{"l0", "l1"}) {
		t.Fatalf("read %q", values)
	}
	g := takeover(t, j, f.Producer) // the holder again: sequences start at 0 in the next epoch
	if g.Producer.ID != f.Producer.ID || g.Producer.Epoch <= f.Producer.Epoch {
		t.Fatalf("took over with %v after %v", g.Producer, f.Producer)
	}
	if end := appendAll(t, j, topics.Output, 0, "b"); end != g.Output[0]+2 {
		t.Fatalf("end %d behind a marker at %d", end, g.Output[0])
	}
}

func TestNothingBeforeTakeover(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.client(nil).Journal()
	if _, err := appendOne(t.Context(), j, topics.Output, 0, build("x")); err == nil {
		t.Fatal("written before a takeover")
	}
	if _, err := j.Renew(t.Context(), false); err == nil {
		t.Fatal("renewed before a takeover")
	}
	takeover(t, j, topics.NoProducer)
	if _, err := appendOne(t.Context(), j, topics.Output, 2, build("x")); err == nil {
		t.Fatal("written to a partition that is not fenced")
	}
	if _, err := appendOne(t.Context(), j, topics.Input, 0, build("x")); err == nil {
		t.Fatal("written to the input")
	}
}

func TestZombieIsFenced(t *testing.T) {
	t.Parallel()
	b := realBed(t, 1)
	var old *produce.Journal
	var f *topics.Fence
	ctx := timeout(t, 30*time.Second)
	for _, p := range []int32{0, 1} { // also where it never wrote
		old = b.client(nil).Journal()
		f = takeover(t, old, topics.NoProducer)
		appendAll(t, old, topics.Output, 0, "x")
		takeover(t, b.client(nil).Journal(), topics.NoProducer)
		if _, err := appendOne(ctx, old, topics.Output, p, build("zombie")); !stops.Is(err, stops.Fenced) {
			t.Fatalf("a zombie's batch to partition %d: %v", p, err)
		}
	}
	sleeper := b.client(func(o *Options) { o.RenewEvery = time.Nanosecond }).Journal()
	takeover(t, sleeper, topics.NoProducer)
	takeover(t, b.client(nil).Journal(), topics.NoProducer)
	if _, err := appendOne(ctx, old, topics.DeadLetters, 0, build("zombie")); !stops.Is(err, stops.Fenced) {
		t.Fatalf("after a stop: %v", err)
	}
	if _, err := old.Takeover(ctx, f.Producer); !stops.Is(err, stops.Fenced) {
		t.Fatalf("a zombie's takeover with what it held: %v", err)
	}
	if _, err := sleeper.Renew(ctx, false); !stops.Is(err, stops.Fenced) {
		t.Fatalf("a zombie's renewal: %v", err)
	}
}

// TestFencedInATakeover: a starting process may have been fenced by a late copy of its own request, a running one by
// its coordinator. For the latter InitProducerID decides.
func TestFencedInATakeover(t *testing.T) {
	t.Parallel()
	const maxTakeovers = 5 // retries of a starting process
	for _, test := range []struct {
		key   kmsg.Key
		times int
		held  bool
		stops bool
	}{
		{kmsg.AddPartitionsToTxn, 2, false, false}, {kmsg.AddPartitionsToTxn, maxTakeovers + 1, false, true},
		{kmsg.AddPartitionsToTxn, maxTakeovers + 1, true, false}, {kmsg.InitProducerID, 1, true, true},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			b := fakeBed(t, 1)
			j := b.client(nil).Journal()
			held := topics.NoProducer
			if test.held {
				held = takeover(t, j, held).Producer
			}
			b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{test.key}, Err: kerr.ProducerFenced, Count: test.times})
			_, err := j.Takeover(timeout(t, 30*time.Second), held)
			if stops.Is(err, stops.Fenced) != test.stops || !test.stops && err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestFenceRetriesTransientCodes(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	b.fake.Fault(
		kfake.Fault{Keys: []kmsg.Key{kmsg.InitProducerID}, Err: kerr.CoordinatorLoadInProgress, Count: 2},
		kfake.Fault{Keys: []kmsg.Key{kmsg.InitProducerID}, Err: kerr.ConcurrentTransactions, Count: 2},
		kfake.Fault{Keys: []kmsg.Key{kmsg.AddPartitionsToTxn}, Err: kerr.ConcurrentTransactions, Count: 2},
		kfake.Fault{Keys: []kmsg.Key{kmsg.EndTxn}, Err: kerr.NotCoordinator, Count: 2},
		kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Err: kerr.NotLeaderForPartition, Count: 2},
	)
	takeover(t, b.client(nil).Journal(), topics.NoProducer)
}

func TestFenceOverLostResponses(t *testing.T) {
	t.Parallel()
	for _, key := range []kmsg.Key{kmsg.InitProducerID, kmsg.AddPartitionsToTxn, kmsg.EndTxn} {
		t.Run(key.Name(), func(t *testing.T) {
			b := newBed(t, 1)
			j := b.client(func(o *Options) { o.Dial = loseResponses(key, 1).dial }).Journal()
			f := takeover(t, j, topics.NoProducer)
			appendAll(t, j, topics.Output, 0, "x")
			j = b.client(func(o *Options) { o.Dial = loseResponses(key, 1).dial }).Journal()
			takeover(t, j, f.Producer) // with what is held
			appendAll(t, j, topics.Output, 0, "y")
		})
	}
}

func TestFenceFailed(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Err: kerr.LeaderNotAvailable, Count: -1})
	j := b.client(func(o *Options) { o.Patience = time.Second }).Journal()
	_, err := j.Takeover(timeout(t, 30*time.Second), topics.NoProducer)
	if !stops.Is(err, stops.FenceFailed) {
		t.Fatal(err)
	}
	if _, err := appendOne(t.Context(), j, topics.Output, 0, build("x")); err == nil {
		t.Fatal("written without markers")
	}
}

func TestForbiddenTransactionalID(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.InitProducerID}, Err: kerr.TransactionalIDAuthorizationFailed})
	_, err := b.client(nil).Journal().Takeover(timeout(t, 30*time.Second), topics.NoProducer)
	if !errors.Is(err, kerr.TransactionalIDAuthorizationFailed) || !strings.Contains(err.Error(), "rights") {
		t.Fatal(err)
	}
}

func TestRenew(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.client(func(o *Options) { o.RenewEvery = time.Nanosecond }).Journal()
	f := takeover(t, j, topics.NoProducer)
	for n := range 3 {
		g, err := j.Renew(timeout(t, 30*time.Second), false)
		if err != nil {
			t.Fatal(err)
		}
		if g.Producer != f.Producer || g.Output[0] <= f.Output[0] || g.DeadLetters[0] <= f.DeadLetters[0] {
			t.Fatalf("renewal %d: %v after %v", n, g, f)
		}
		// Append renews once more, since the fence is older than a nanosecond.
		if end := appendAll(t, j, topics.Output, 0, "x"); end <= g.Output[0]+2 {
			t.Fatalf("end %d: no marker behind that at %d", end, g.Output[0])
		}
		f = g
	}
	young := b.client(nil).Journal()
	f = takeover(t, young, topics.NoProducer)
	if g, err := young.Renew(t.Context(), false); err != nil || g.Output[0] != f.Output[0] {
		t.Fatalf("a young fence was renewed: %v, %v", g, err)
	}
}

func TestRenewSeesOtherWriter(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.client(func(o *Options) { o.RenewEvery = time.Nanosecond }).Journal()
	takeover(t, j, topics.NoProducer)
	at := b.put(b.name+"-out", 1, 0, "foreign")
	_, err := j.Renew(timeout(t, 30*time.Second), false)
	if !stops.Is(err, stops.OtherWriter) || !strings.Contains(err.Error(), fmt.Sprintf("offset %d ", at)) {
		t.Fatal(err)
	}
}

func TestCloseEndsWaiting(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	sent := make(chan struct{})
	var once sync.Once
	x := &tap{onWrite: func(_ *tapped, p []byte) error {
		if isRequest(p, kmsg.Fetch) {
			once.Do(func() { close(sent) })
		}
		return nil
	}}
	c := b.client(func(o *Options) { o.fetchWait, o.Dial = 20*time.Second, x.dial })
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		var run topics.Run
		done <- c.Open(topics.Input, 0, 0).Read(ctx, &run, 1)
	}()
	<-sent
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	c.Close() // also the connection on which the fetch waits
	if open := x.dials.Load() - x.closed.Load(); open != 0 {
		t.Fatalf("%d connections are open after Close", open)
	}
}

// TestMarkersAtOnce: a takeover of many partitions finds its markers with a request to each broker.
func TestMarkersAtOnce(t *testing.T) {
	t.Parallel()
	const partitions = 200
	if real() && testing.Short() {
		t.Skip("takes ten seconds on real Kafka, most of it to create the topics")
	}
	b := newBed(t, 0, kfake.NumBrokers(3))
	for name, n := range map[string]int32{"-in": partitions, "-out": partitions, "-dlq": partitions} {
		b.create(b.name+name, n)
	}
	x, fetches := countFetches()
	f := takeover(t, b.client(func(o *Options) { o.Dial = x.dial }).Journal(), topics.NoProducer)
	if len(f.Output) != partitions || len(f.DeadLetters) != partitions {
		t.Fatalf("markers in %d and %d partitions", len(f.Output), len(f.DeadLetters))
	}
	if n := fetches.Load(); n > 40 { // six, and more where markers are written after a request
		t.Errorf("%d fetches", n)
	}
}
