package kafka

import (
	"sync"
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

// TestEnsureNewTopics: topics that others have just created are not missing, though the first broker that was asked
// did not know them yet.
func TestEnsureNewTopics(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 0)
	ctx := timeout(t, 60*time.Second)
	var once sync.Once
	asked, created := make(chan struct{}), make(chan error, 1)
	b.fake.ControlKey(int16(kmsg.Metadata), func(kmsg.Request) (kmsg.Response, error, bool) {
		once.Do(func() { close(asked) }) // and the response says that they are missing
		return nil, nil, false
	})
	go func() {
		<-asked
		for _, topic := range []string{"-in", "-out", "-dlq"} {
			if _, err := b.admin.cluster.CreateTopic(ctx, b.name+topic, 2, nil); err != nil {
				created <- err
				return
			}
		}
		created <- nil
	}()
	if made, err := b.client(nil).Ensure(ctx, false); err != nil || len(made) > 0 {
		t.Error(made, err)
	}
	if err := <-created; err != nil {
		t.Error(err)
	}
}
