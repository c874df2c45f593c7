package produce

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/topics"
)

// Kafka gives out the epochs of a producer id up to 32766 and then goes on with another id
// (TransactionMetadata.isEpochExhausted), whose markers do not fence the old one. A takeover that gets one of the last
// epochs therefore writes its markers, and then uses the others up itself.
const (
	lastEpoch       = math.MaxInt16 - 1
	firstSpareEpoch = lastEpoch - 1024
)

func (v *View) initProducer(ctx context.Context, held topics.Producer) (topics.Producer, error) {
	to := cluster.Transaction(v.TransactionalID)
	return requestID(ctx, v.Cluster, to, v.Patience(), kmsg.InitProducerIDRequest{
		TransactionalID:          kmsg.StringPtr(v.TransactionalID),
		TransactionTimeoutMillis: int32(v.TxnTimeout.Milliseconds()),
		ProducerID:               held.ID, ProducerEpoch: held.Epoch,
	})
}

// claim gets the next epoch. Where a producer is held, the stop is fenced if another process took over.
func (v *View) claim(ctx context.Context, held topics.Producer) (topics.Producer, error) {
	p, err := v.initProducer(ctx, held)
	if held == topics.NoProducer || verdict.Classify(err) != verdict.Fenced {
		return p, err
	}
	if v.aborted(ctx, held) {
		// Whoever comes first with the epoch that nobody holds has the next one.
		held.Epoch++
		p, err = v.initProducer(ctx, held)
	}
	if verdict.Classify(err) == verdict.Fenced {
		err = verdict.StopFenced(err)
	}
	return p, err
}

// aborted tells whether the coordinator raised the epoch of p when it aborted a transaction of p: one that took too
// long, as of a suspended process, or that an InitProducerID interrupted. Kafka refuses the epoch of p then, though
// nobody holds the next one: a process that takes over gets a higher one, or, where no transaction of p was open, ends
// its own transaction with a commit.
func (v *View) aborted(ctx context.Context, p topics.Producer) bool {
	s, err := v.Owner(ctx, v.Patience())
	return err == nil && isAbortOf(p, &s)
}

// Owner asks the coordinator who has the transactional id.
func (v *View) Owner(ctx context.Context, patience time.Duration) (
	s kmsg.DescribeTransactionsResponseTransactionState, err error,
) {
	err = v.Retry(ctx, "DescribeTransactions", patience, func(ctx context.Context) (err error) {
		s, err = v.describeTransaction(ctx, v.TransactionalID)
		return err
	})
	return s, err
}

func isAbortOf(p topics.Producer, s *kmsg.DescribeTransactionsResponseTransactionState) bool {
	return topics.Producer{ID: s.ProducerID, Epoch: s.ProducerEpoch}.IsNext(p) &&
		slices.Contains([]string{"PrepareAbort", "CompleteAbort"}, s.State)
}

// Owned is described at topics.Journal.
func (j *Journal) Owned(ctx context.Context) error {
	p := j.claimed
	s, err := j.view.Owner(ctx, 0)
	//mutation:owner-aborted
	if err != nil || s.ProducerID == p.ID && s.ProducerEpoch == p.Epoch || isAbortOf(p, &s) {
		return err
	}
	return verdict.StopFenced(fmt.Errorf("producer %d, epoch %d has its transactional id now, ours is %d, epoch %d",
		s.ProducerID, s.ProducerEpoch, p.ID, p.Epoch))
}

func (v *View) describeTransaction(ctx context.Context, id string) (
	s kmsg.DescribeTransactionsResponseTransactionState, err error,
) {
	req := kmsg.NewPtrDescribeTransactionsRequest()
	req.TransactionalIDs = []string{id}
	res, err := cluster.Ask[*kmsg.DescribeTransactionsResponse](ctx, v.Cluster, cluster.Transaction(id), req)
	if err != nil {
		return s, err
	}
	if len(res.TransactionStates) != 1 {
		return s, errors.New("DescribeTransactions: the response is about something else")
	}
	s = res.TransactionStates[0]
	return s, verdict.Coded(s.ErrorCode, "DescribeTransactions of %s", id)
}

// nextID uses up the epochs of a producer id whose markers are written, and returns the id that follows.
func (v *View) nextID(ctx context.Context, p topics.Producer) (topics.Producer, error) {
	for was := p.ID; p.ID == was; {
		next, err := v.initProducer(ctx, p)
		if err != nil {
			return p, err
		}
		p = next
	}
	return p, nil
}
