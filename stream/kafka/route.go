package kafka

import (
	"fmt"

	"github.com/segmentio/kafka-go/protocol"
)

// A route says which broker a request goes to. Transport finds that broker by the interface that the message
// implements.
type route interface {
	carry(x *exchange) protocol.Message
}

// anyBroker takes a connection to one of the bootstrap addresses.
type anyBroker struct{}

func (anyBroker) carry(x *exchange) protocol.Message { return x }

// leader goes to the leader of a partition, as the Transport's metadata has it.
type leader struct {
	topic     string
	partition int32
}

type toLeader struct {
	*exchange
	leader
}

func (l leader) carry(x *exchange) protocol.Message { return toLeader{x, l} }

// noLeader says that the metadata names no leader for a partition; it is retriable.
type noLeader struct{ leader }

func (e noLeader) Error() string {
	return fmt.Sprintf("no leader known for partition %d of topic %s", e.partition, e.topic)
}

func (t toLeader) Broker(c protocol.Cluster) (protocol.Broker, error) {
	b, ok := c.Brokers[-1], false
	if p, there := c.Topics[t.topic].Partitions[t.partition]; there {
		b, ok = c.Brokers[p.Leader]
	}
	if !ok {
		return b, noLeader{t.leader}
	}
	return b, nil
}

// node goes to the broker with this id.
type node int32

type toNode struct {
	*exchange
	node
}

func (n node) carry(x *exchange) protocol.Message { return toNode{x, n} }

func (t toNode) Broker(c protocol.Cluster) (protocol.Broker, error) {
	b, ok := c.Brokers[int32(t.node)]
	if !ok {
		return b, fmt.Errorf("broker %d is not in the metadata", int32(t.node))
	}
	return b, nil
}

// controller goes to the cluster's controller or, where that is not known, to any broker, which forwards the request.
type controller struct{}

type toController struct{ *exchange }

func (controller) carry(x *exchange) protocol.Message { return toController{x} }

func (toController) Broker(c protocol.Cluster) (protocol.Broker, error) {
	if b, ok := c.Brokers[c.Controller]; ok {
		return b, nil
	}
	return protocol.Broker{ID: -1}, nil
}

// group goes to the coordinator of a consumer group.
type group string

type toGroup struct {
	*exchange
	group
}

func (g group) carry(x *exchange) protocol.Message { return toGroup{x, g} }

func (t toGroup) Group() string { return string(t.group) }

// transaction goes to the coordinator of a transactional id.
type transaction string

type toTransaction struct {
	*exchange
	transaction
}

func (t transaction) carry(x *exchange) protocol.Message { return toTransaction{x, t} }

func (t toTransaction) Transaction() string { return string(t.transaction) }
