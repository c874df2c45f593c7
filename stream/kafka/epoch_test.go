package kafka

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// transactionState requests the state of the fence's transaction, as Kafka names it.
func (b *bed) transactionState() (state string) {
	b.t.Helper()
	c := b.client(nil)
	err := c.cluster.Retry(timeout(b.t, 30*time.Second), "describe", 0, func(ctx context.Context) error {
		req := kmsg.NewPtrDescribeTransactionsRequest()
		req.TransactionalIDs = []string{c.opt.TransactionalID}
		to := cluster.Transaction(c.opt.TransactionalID)
		res, err := cluster.Ask[*kmsg.DescribeTransactionsResponse](ctx, c.cluster, to, req)
		if err != nil {
			return err
		}
		state = res.TransactionStates[0].State
		return verdict.Coded(res.TransactionStates[0].ErrorCode, "describe")
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return state
}

// suspend makes a tap that holds back the first EndTxn after it is armed.
func suspend() (x *tap, armed *atomic.Bool, asleep, resume chan struct{}) {
	armed, asleep, resume = new(atomic.Bool), make(chan struct{}), make(chan struct{})
	return &tap{onWrite: func(_ *tapped, p []byte) error {
		if isRequest(p, kmsg.EndTxn) && armed.Swap(false) {
			close(asleep)
			<-resume
		}
		return nil
	}}, armed, asleep, resume
}

// TestTransactionTimesOut: a process is suspended within its own transaction until the coordinator aborts that, which
// raises the epoch. Kafka refuses the held epoch from then on, but nobody replaced the process: it goes on.
func TestTransactionTimesOut(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a broker looks for transactions that take too long every ten seconds")
	}
	for _, renew := range []bool{true, false} {
		for _, replaced := range []bool{false, true} {
			t.Run(fmt.Sprint("renew ", renew, " replaced ", replaced), func(t *testing.T) {
				b := realBed(t, 1)
				t.Parallel()
				x, armed, asleep, resume := suspend()
				j := b.client(func(o *Options) { o.Dial, o.txnTimeout = x.dial, 500*time.Millisecond }).Journal()
				held := takeover(t, j, topics.NoProducer).Producer
				appendAll(t, j, topics.Output, 0, "x")
				armed.Store(true)
				done := make(chan error, 1)
				go func() {
					var err error
					if renew {
						_, err = j.Renew(timeout(t, time.Minute), true)
					} else {
						_, err = j.Takeover(timeout(t, time.Minute), held)
					}
					done <- err
				}()
				<-asleep
				if replaced {
					takeover(t, b.client(nil).Journal(), topics.NoProducer)
				}
				for !replaced && b.transactionState() != "CompleteAbort" {
					time.Sleep(10 * time.Millisecond)
				}
				close(resume)
				err := <-done
				switch {
				case replaced && !stops.Is(err, stops.Fenced):
					t.Fatal(err)
				case replaced:
					return
				case renew && !errors.Is(err, topics.ErrIndeterminate), !renew && err != nil:
					t.Fatal(err)
				case renew:
					takeover(t, j, held)
				}
				appendAll(t, j, topics.Output, 0, "y")
				if _, err := j.Renew(timeout(t, time.Minute), true); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// TestAbortedByTheCoordinator is the same with what the coordinator may say on kfake, which accepts a held epoch that
// is not the current one: only an abort under the very next epoch is nobody's.
func TestAbortedByTheCoordinator(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		state  string
		epochs int16 // how many higher
		fenced bool
	}{{"CompleteAbort", 1, false}, {"PrepareAbort", 1, false}, {"CompleteCommit", 1, true}, {"Empty", 1, true},
		{"Ongoing", 1, true}, {"CompleteAbort", 2, true}, {"CompleteAbort", 0, true}} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			b := fakeBed(t, 1)
			j := b.client(nil).Journal()
			held := takeover(t, j, topics.NoProducer).Producer
			b.fake.ControlKey(int16(kmsg.DescribeTransactions), func(req kmsg.Request) (kmsg.Response, error, bool) {
				b.fake.KeepControl()
				s := kmsg.NewDescribeTransactionsResponseTransactionState()
				s.ProducerID, s.ProducerEpoch, s.State = held.ID, held.Epoch+test.epochs, test.state
				res := req.ResponseKind().(*kmsg.DescribeTransactionsResponse)
				res.TransactionStates = append(res.TransactionStates, s)
				return res, nil, true
			})
			if _, err := b.client(nil).initProducer(timeout(t, 30*time.Second), topics.NoProducer); err != nil {
				t.Fatal(err)
			}
			err := j.Owned(timeout(t, 30*time.Second))
			if other := test.fenced && test.epochs > 0; stops.Is(err, stops.Fenced) != other || !other && err != nil {
				t.Fatalf("the owner: %v", err)
			}
			_, err = j.Renew(timeout(t, 30*time.Second), true)
			if stops.Is(err, stops.Fenced) != test.fenced || errors.Is(err, topics.ErrIndeterminate) == test.fenced {
				t.Fatalf("renewal: %v", err)
			}
			b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.InitProducerID}, Err: kerr.ProducerFenced})
			f, err := j.Takeover(timeout(t, 30*time.Second), held)
			if stops.Is(err, stops.Fenced) != test.fenced || !test.fenced && err != nil {
				t.Fatalf("takeover: %v", err)
			}
			if !test.fenced && f.Producer.Epoch != held.Epoch+2 {
				t.Errorf("%v after %v", f.Producer, held)
			}
		})
	}
}

// Kafka gives out the epochs of a producer id up to 32766. A takeover that gets one of the last thousand uses the
// others up.
const (
	highestEpoch = 32766
	spareFrom    = highestEpoch - 1024
)

// envEpochs names the environment variable with which a real Kafka gives out all epochs of an id: half a minute.
const envEpochs = "ROSENBLATT_TEST_EPOCHS"

// use raises the epoch of the fence's producer id, without markers, until it is the given one, and returns what it is.
func (b *bed) use(epoch int16) topics.Producer {
	b.t.Helper()
	c := b.client(nil)
	ctx := timeout(b.t, 5*time.Minute)
	p, err := c.initProducer(ctx, topics.NoProducer)
	for err == nil && p.Epoch < epoch {
		p, err = c.initProducer(ctx, p)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

// TestLastEpochs: Kafka follows the last epoch of a producer id by another id, whose markers do not fence the first. A
// takeover that gets one of the last epochs fences under it and goes on under the next id.
func TestLastEpochs(t *testing.T) {
	if testing.Short() || real() && os.Getenv(envEpochs) == "" {
		t.Skip("takes up some 32,000 epochs: on a real Kafka set " + envEpochs + "=1")
	}
	b := newBed(t, 1)
	t.Parallel()
	began := time.Now()
	b.use(spareFrom - 2)
	t.Logf("%d epochs in %v", spareFrom, time.Since(began))
	predecessor := b.client(nil).Journal()
	was := takeover(t, predecessor, topics.NoProducer).Producer
	appendAll(t, predecessor, topics.Output, 0, "x")
	if was.Epoch != spareFrom-1 {
		t.Fatal(was)
	}
	successor := b.client(nil).Journal()
	began = time.Now()
	f := takeover(t, successor, topics.NoProducer)
	t.Logf("a takeover that takes up %d epochs: %v", highestEpoch-spareFrom, time.Since(began))
	if f.Producer.ID == was.ID || f.Producer.Epoch != 0 {
		t.Fatalf("%v after %v", f.Producer, was)
	}
	for p := range int32(2) {
		if !real() {
			break // kfake forgets the id that it has followed by another, and accepts its batches
		}
		zombie, err := build("y").Seal(was.ID, was.Epoch, 1-p, recordbatch.None) // x had sequence 0 in partition 0
		if err != nil {
			t.Fatal(err)
		}
		c := b.client(nil)
		if _, err = produceRaw(timeout(t, 30*time.Second), c, c.opt.Output, p, zombie, nil); err == nil {
			t.Fatal("the predecessor still writes")
		}
		appendAll(t, successor, topics.Output, p, "z")
	}
	takeover(t, successor, f.Producer)
	appendAll(t, successor, topics.Output, 0, "z")
}

// TestNextIDDoesNotFence (on real Kafka): why that is needed. A process that holds the last epoch goes on writing after
// a takeover under the next id.
func TestNextIDDoesNotFence(t *testing.T) {
	if os.Getenv(envEpochs) == "" {
		t.Skip("takes up 32,767 epochs of a real Kafka: set " + envEpochs + "=1")
	}
	b := realBed(t, 1)
	t.Parallel()
	began := time.Now()
	last := b.use(highestEpoch)
	t.Logf("%d epochs in %v", last.Epoch+1, time.Since(began))
	c := b.client(nil)
	next, err := c.initProducer(timeout(t, 30*time.Second), topics.NoProducer)
	if err != nil || next.ID == last.ID || next.Epoch != 0 {
		t.Fatal(next, err)
	}
	b.emptyTransaction(c, next)
	if _, err := c.view().Owner(timeout(t, 30*time.Second), 0); err != nil {
		t.Fatal(err)
	}
	data, err := build("zombie").Seal(last.ID, last.Epoch, 0, recordbatch.None)
	if err != nil {
		t.Fatal(err)
	}
	b.putRaw(b.name+"-out", 0, data)
}

// TestFenceCommits: the marker says that the transaction was committed. Its record's key is a version and a type, of
// which 1 is a commit (EndTransactionMarker).
func TestFenceCommits(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	c := b.client(nil)
	f := takeover(t, c.Journal(), topics.NoProducer)
	var u recordbatch.Unpacker
	ctx := timeout(t, 30*time.Second)
	err := c.fetcher.Scan(ctx, b.name+"-out", 0, f.Output[0], func(m *recordbatch.Batch) (bool, error) {
		records, err := u.Open(m)
		if err != nil {
			return false, err
		}
		var r recordbatch.Record
		if !records.Next(&r) || string(r.Key) != "\x00\x00\x00\x01" {
			t.Errorf("the marker's key is %x", r.Key)
		}
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
