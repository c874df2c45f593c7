package kafka

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/topics"
)

// The coordinator of the other kind's transactional id is away. A process takes over all the same, though it took over
// before and so would wait for its own coordinator without end.
func TestTakeoverWithoutOtherKind(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	c := b.client(func(o *Options) { o.Patience = time.Second })
	c.cluster.KeepTrying()
	b.fake.ControlKey(int16(kmsg.DescribeTransactions), func(q kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		res := q.ResponseKind().(*kmsg.DescribeTransactionsResponse)
		for _, id := range q.(*kmsg.DescribeTransactionsRequest).TransactionalIDs {
			res.TransactionStates = append(res.TransactionStates, kmsg.DescribeTransactionsResponseTransactionState{
				TransactionalID: id, ErrorCode: kerr.CoordinatorNotAvailable.Code})
		}
		return res, nil, true
	})
	if _, err := c.Journal().Takeover(timeout(t, time.Minute), topics.NoProducer); err != nil {
		t.Error(err)
	}
}
