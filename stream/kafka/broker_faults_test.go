package kafka

import (
	"os"
	"testing"
	"time"

	"rosenblatt/stream/kafka/internal/check"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// envVersion names the version of the brokers, as for kafka-up. Some versions have faults where our fence stands; the
// tests of these say what is seen on them.
const envVersion = "KAFKA_VERSION"

// TestRenewedAtOnce (KAFKA-18464: an EndTxn behind another one was taken for that of a fenced producer while the first
// was being completed; no release with transactions of version 2 has it): a fence that is renewed again at once is not
// fenced by its own transaction of before.
func TestRenewedAtOnce(t *testing.T) {
	t.Parallel()
	b := realBed(t, 1)
	j := b.client(nil).Journal()
	p := takeover(t, j, topics.NoProducer).Producer
	ctx := timeout(t, time.Minute)
	for n := range 100 {
		f, err := j.Renew(ctx, true)
		if err != nil || f.Producer != p {
			t.Fatalf("renewal %d: %v, %v", n, f, err)
		}
	}
	appendAll(t, j, topics.Output, 0, "x")
}

// TestInterruptedTakeover (KAFKA-19367: an InitProducerID that interrupts a transaction raises the epoch by one more
// than it should; 4.0.0 has it, 4.0.1 and 4.1.0 have not): a process that dies within the transaction of its takeover
// is fenced by the next one as any other, whatever the epoch.
func TestInterruptedTakeover(t *testing.T) {
	t.Parallel()
	b := realBed(t, 1)
	first := b.client(nil).Journal()
	takeover(t, first, topics.NoProducer)
	appendAll(t, first, topics.Output, 0, "x")
	c := b.client(nil)
	ctx := timeout(t, time.Minute)
	open, err := c.initProducer(ctx, topics.NoProducer)
	if err == nil {
		err = c.beginTransaction(ctx, open, map[string][]int32{c.opt.Output: {0, 1}, c.opt.DeadLetters: {0}})
	}
	if err != nil {
		t.Fatal(err)
	}
	next := b.client(nil).Journal()
	f := takeover(t, next, topics.NoProducer)
	grew := f.Producer.Epoch - open.Epoch
	t.Logf("from epoch %d to %d", open.Epoch, f.Producer.Epoch)
	// One fences what has the transaction, one is for whoever interrupted it.
	if v := os.Getenv(envVersion); f.Producer.ID != open.ID || v == "4.0.0" && grew != 3 || v != "4.0.0" && grew != 2 {
		t.Errorf("%v after %v", f.Producer, open)
	}
	_, err = appendOne(timeout(t, 30*time.Second), first, topics.Output, 0, build("late"))
	check.Stop(t, err, stops.Fenced)
	appendAll(t, next, topics.Output, 0, "y")
	takeover(t, next, f.Producer)
	appendAll(t, next, topics.Output, 0, "z")
}

// TestOpenAtTheLastEpoch (KAFKA-19367 and KAFKA-20090: on some versions an InitProducerID or a timeout that aborts
// a transaction of the last epoch finds no epoch for that, and the transactional id stays as it is): there a start
// gives up by name, and writes nothing. We come there only by a thousand takeovers one after the other that were
// all interrupted, since a takeover that gets one of the last epochs uses the others up (TestLastEpochs).
func TestOpenAtTheLastEpoch(t *testing.T) {
	if os.Getenv(envEpochs) == "" {
		t.Skip("takes up 32,767 epochs of a real Kafka: set " + envEpochs + "=1")
	}
	t.Parallel()
	for _, timesOut := range []bool{false, true} {
		name := map[bool]string{false: "interrupted", true: "timed out"}[timesOut]
		t.Run(name, func(t *testing.T) {
			b := realBed(t, 1)
			before := b.use(highestEpoch - 1)
			c := b.client(func(o *Options) {
				if o.Patience = 20 * time.Second; timesOut {
					o.txnTimeout = 500 * time.Millisecond
				}
			})
			ctx := timeout(t, 2*time.Minute)
			last, err := c.initProducer(ctx, before)
			if err != nil || last.Epoch != highestEpoch {
				t.Fatal(last, err)
			}
			err = c.beginTransaction(ctx, last, map[string][]int32{c.opt.Output: {0, 1}, c.opt.DeadLetters: {0}})
			if err != nil {
				t.Fatal(err)
			}
			if timesOut {
				time.Sleep(time.Second) // the test's server looks twice a second for what takes too long
				err = c.endTransaction(ctx, last, false)
				t.Log("a late EndTxn:", err)
			}
			f, err := c.Journal().Takeover(ctx, topics.NoProducer)
			t.Logf("%s %s: %v, %v", os.Getenv(envVersion), name, f, err)
			switch {
			case err == nil && f.Producer.ID == last.ID:
				t.Errorf("%v after %v", f.Producer, last)
			case err != nil && !stops.Is(err, stops.Unreachable) && !stops.Is(err, stops.KafkaError):
				t.Error(err)
			}
		})
	}
}
