package kafka

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestEnsureWidenedByOthers: of the processes that start together, one adds the partitions that the output lacks.
// Brokers refuse the request of another one, which read the topic before: it has those partitions already.
func TestEnsureWidenedByOthers(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 3) // an output of two
	ctx := timeout(t, 60*time.Second)
	refused := make(chan struct{}, 1)
	b.fake.ControlKey(int16(kmsg.CreatePartitions), func(req kmsg.Request) (kmsg.Response, error, bool) {
		res := req.ResponseKind().(*kmsg.CreatePartitionsResponse)
		for _, t := range req.(*kmsg.CreatePartitionsRequest).Topics {
			res.Topics = append(res.Topics, kmsg.CreatePartitionsResponseTopic{
				Topic: t.Topic, ErrorCode: kerr.InvalidPartitions.Code,
			})
		}
		refused <- struct{}{}
		return res, nil, true
	})
	quicker := make(chan error, 1)
	other := b.client(nil)
	go func() {
		<-refused // brokers know the partitions a moment later
		_, err := other.Ensure(ctx, true)
		quicker <- err
	}()
	c := b.client(nil)
	if _, err := c.Ensure(ctx, true); err != nil {
		t.Fatal(err)
	}
	if err := <-quicker; err != nil {
		t.Fatal(err)
	}
	if top, err := c.Topology(ctx); err != nil || len(top.Output.Partitions) != 3 {
		t.Error(top, err)
	}
}
