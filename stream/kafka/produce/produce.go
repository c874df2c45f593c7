package produce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/fetch"
)

// produced is what became of one batch.
type produced struct {
	base int64
	err  error
}

// send sends the next batch of each attempt once, in one request to each broker that leads some of their partitions.
func (p *producer) send(ctx context.Context, all []*produceAttempt) []produced {
	out := make([]produced, len(all))
	_, err := p.cluster.Metadata(ctx)
	groups := map[int32][]int{}
	for i, a := range all {
		leader, unknown := p.cluster.LeaderOf(a.state.topic, a.state.partition)
		if out[i].err = cmp.Or(err, unknown); out[i].err == nil {
			groups[leader] = append(groups[leader], i)
		}
	}
	var requests sync.WaitGroup
	for broker, group := range groups {
		requests.Go(func() { p.sendTo(ctx, broker, all, group, out) })
	}
	requests.Wait()
	return out
}

// sendTo sends the batches of a group to one broker. On a slow link large ones get more time at each attempt.
func (p *producer) sendTo(ctx context.Context, broker int32, all []*produceAttempt, group []int, out []produced) {
	batches, size := make([]*produceAttempt, len(group)), 0
	for n, i := range group {
		batches[n] = all[i]
		size += len(all[i].data)
	}
	steps := p.slow.Steps()
	most := cluster.TimeFor(p.cluster.Options.ResponseTimeout, size, steps)
	acks, took, err := post(ctx, p.cluster, cluster.Node(broker), batches, most)
	if size >= cluster.LargeBatch {
		p.slow.Note(steps, took, most, err)
	}
	for _, i := range group {
		if out[i].err = err; err == nil {
			out[i].base, out[i].err = acks.find(all[i].state)
		}
	}
}

// post sends batches once, acks=all. limit is how long nothing may pass.
func post(
	ctx context.Context, c *cluster.Cluster, to cluster.Route, batches []*produceAttempt, limit time.Duration,
) (acks acknowledgements, took time.Duration, err error) {
	req := &kmsg.ProduceRequest{Acks: -1, TimeoutMillis: int32(c.Options.ResponseTimeout.Milliseconds() * 8 / 10)}
	for _, a := range batches {
		if n := len(req.Topics); n == 0 || req.Topics[n-1].Topic != a.state.topic {
			req.Topics = append(req.Topics, kmsg.ProduceRequestTopic{Topic: a.state.topic})
		}
		t := &req.Topics[len(req.Topics)-1]
		t.Partitions = append(t.Partitions,
			kmsg.ProduceRequestTopicPartition{Partition: a.state.partition, Records: a.data})
	}
	x := &cluster.Exchange{Message: req, Wait: limit - c.Options.ResponseTimeout}
	res, err := c.Request(ctx, to, x)
	if err != nil {
		return acks, x.Took, err
	}
	return newAcknowledgements(res.(*kmsg.ProduceResponse), x), x.Took, nil
}

// acknowledgements are what a response says about partitions. Brokers do not keep the request's order.
type acknowledgements struct {
	request *cluster.Exchange
	of      map[fetch.TopicPartition]*kmsg.ProduceResponseTopicPartition
}

func newAcknowledgements(res *kmsg.ProduceResponse, to *cluster.Exchange) acknowledgements {
	all := map[fetch.TopicPartition]*kmsg.ProduceResponseTopicPartition{}
	for t := range res.Topics {
		for p := range res.Topics[t].Partitions {
			r := &res.Topics[t].Partitions[p]
			all[fetch.TopicPartition{Topic: res.Topics[t].Topic, Partition: r.Partition}] = r
		}
	}
	return acknowledgements{to, all}
}

func (a acknowledgements) find(s *partitionState) (base int64, err error) {
	if r := a.of[fetch.TopicPartition{Topic: s.topic, Partition: s.partition}]; r != nil {
		return r.BaseOffset, a.request.Name(produceError(r, s.topic))
	}
	return 0, &broker.UnreadableResponse{Err: errors.New("the response is about something else")}
}

func produceError(r *kmsg.ProduceResponseTopicPartition, topic string) error {
	switch {
	case r.ErrorCode == 0 && r.BaseOffset < 0:
		return &broker.UnreadableResponse{Err: fmt.Errorf("acknowledged at offset %d", r.BaseOffset)}
	case r.ErrorCode == 0:
		return nil
	}
	err := broker.ErrorForCode(r.ErrorCode)
	if r.ErrorMessage != nil {
		err = fmt.Errorf("%w: %s", err, *r.ErrorMessage)
	}
	if r.ErrorCode == kerr.InvalidTimestamp.Code {
		err = &clockAhead{topic, err}
	}
	return err
}
