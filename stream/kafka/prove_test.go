package kafka

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/internal/check"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// TestProve: Kafka refuses the epoch before; nothing is written by the probe, and our next batch is taken.
func TestProve(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.client(nil).Journal()
	f := takeover(t, j, topics.NoProducer)
	if f.Producer.Epoch != 1 {
		t.Errorf("epoch %d of a first start, want 1", f.Producer.Epoch)
	}
	for range 2 {
		began := time.Now()
		if err := j.Prove(timeout(t, 20*time.Second)); err != nil {
			t.Fatal(err)
		}
		t.Log(time.Since(began))
		if end := appendAll(t, j, topics.DeadLetters, 0, "x"); end != f.DeadLetters[0]+2 {
			t.Errorf("the dead letter ends at %d, the marker is at %d", end, f.DeadLetters[0])
		}
		f = takeover(t, j, f.Producer)
	}
	if f.Producer.Epoch != 3 {
		t.Errorf("epoch %d, want 3: only a first start takes two", f.Producer.Epoch)
	}
}

// TestProveFence: the proof on request leaves no topic behind.
func TestProveFence(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	ctx := timeout(t, 30*time.Second)
	if err := ProveFence(ctx, b.admin.opt.ClusterOptions); err != nil {
		t.Fatal(err)
	}
	all := kmsg.NewPtrMetadataRequest()
	for left := "any"; left != ""; { // brokers tell of it with a delay, and of the proofs of others
		res, err := cluster.Ask[*kmsg.MetadataResponse](ctx, b.admin.cluster, cluster.AnyBroker, all)
		if err != nil {
			t.Fatalf("%v; left: %s", err, left)
		}
		left = ""
		for _, topic := range res.Topics {
			if strings.HasPrefix(*topic.Topic, "rosenblatt-fence-") {
				left = *topic.Topic
			}
		}
	}
}

// TestProveIneffective: brokers that take the probe, or that refuse it for another reason than its epoch, do not fence.
func TestProveIneffective(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	j := b.client(nil).Journal()
	takeover(t, j, topics.NoProducer)
	var answers atomic.Pointer[[]int16]
	b.fake.ControlKey(int16(kmsg.Produce), func(r kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		left := *answers.Load()
		if len(left) == 0 {
			return nil, nil, false
		}
		rest := left[1:]
		answers.Store(&rest)
		req := r.(*kmsg.ProduceRequest)
		res := req.ResponseKind().(*kmsg.ProduceResponse)
		res.Topics = []kmsg.ProduceResponseTopic{{Topic: req.Topics[0].Topic,
			Partitions: []kmsg.ProduceResponseTopicPartition{{ErrorCode: left[0], BaseOffset: 7}}}}
		return res, nil, true
	})
	for _, c := range []struct {
		answers []int16
		stop    string // empty: it fences
	}{
		{[]int16{47}, ""}, {[]int16{90}, ""}, {[]int16{6, 7, 19, 47}, ""},
		{[]int16{0}, stops.FenceIneffective}, {[]int16{6, 0}, stops.FenceIneffective},
		{[]int16{kerr.OutOfOrderSequenceNumber.Code}, stops.FenceIneffective},
		{[]int16{kerr.DuplicateSequenceNumber.Code}, stops.FenceIneffective},
		{[]int16{kerr.UnknownProducerID.Code}, stops.FenceIneffective},
		{[]int16{kerr.TopicAuthorizationFailed.Code}, stops.NotAllowed},
	} {
		of := slices.Clone(c.answers)
		answers.Store(&of)
		err := j.Prove(timeout(t, 20*time.Second))
		if c.stop == "" && err != nil {
			t.Errorf("%v: %v", c.answers, err)
		}
		if c.stop != "" {
			check.Stop(t, err, c.stop)
		}
	}
}
