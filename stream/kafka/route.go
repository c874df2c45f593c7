package kafka

import (
	"fmt"

	"github.com/segmentio/kafka-go/protocol"
)

// A route decides which broker a request goes to; Transport reads it from the interface that the message implements.
type route func(x *exchange) protocol.Message

// anyBroker goes to a bootstrap address.
func anyBroker(x *exchange) protocol.Message { return x }

// toBroker goes to a broker picked from the Transport's metadata.
type toBroker struct {
	*exchange
	pick func(protocol.Cluster) (protocol.Broker, error)
}

func (t toBroker) Broker(c protocol.Cluster) (protocol.Broker, error) { return t.pick(c) }

// noLeader is a retriable error: the metadata names no leader for a partition.
type noLeader struct {
	topic     string
	partition int32
}

func (e noLeader) Error() string {
	return fmt.Sprintf("no leader known for partition %d of topic %s", e.partition, e.topic)
}

func leader(topic string, partition int32) route {
	return func(x *exchange) protocol.Message {
		return toBroker{x, func(c protocol.Cluster) (protocol.Broker, error) {
			if p, ok := c.Topics[topic].Partitions[partition]; ok {
				if b, ok := c.Brokers[p.Leader]; ok {
					return b, nil
				}
			}
			return protocol.Broker{}, noLeader{topic, partition}
		}}
	}
}

func node(id int32) route {
	return func(x *exchange) protocol.Message {
		return toBroker{x, func(c protocol.Cluster) (protocol.Broker, error) {
			b, ok := c.Brokers[id]
			if !ok {
				return b, fmt.Errorf("broker %d is not in the metadata", id)
			}
			return b, nil
		}}
	}
}

// controller goes to the controller or, where that is unknown, to any broker, which forwards the request.
func controller(x *exchange) protocol.Message {
	return toBroker{x, func(c protocol.Cluster) (protocol.Broker, error) {
		if b, ok := c.Brokers[c.Controller]; ok {
			return b, nil
		}
		return protocol.Broker{ID: -1}, nil
	}}
}

type toGroup struct {
	*exchange
	id string
}

func (t toGroup) Group() string { return t.id }

func group(id string) route { return func(x *exchange) protocol.Message { return toGroup{x, id} } }

type toTransaction struct {
	*exchange
	id string
}

func (t toTransaction) Transaction() string { return t.id }

func transaction(id string) route {
	return func(x *exchange) protocol.Message { return toTransaction{x, id} }
}
