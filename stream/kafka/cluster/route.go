package cluster

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/verdict"
)

// A Route finds the addresses of the brokers of which one takes a request.
type Route func(ctx context.Context, c *Cluster) (addresses []string, err error)

// mostKnown is how many brokers that the metadata names are tried for one request: they share the time for it.
const mostKnown = 4

// AnyBroker goes to one of the brokers that the last metadata named, one with an idle connection first, and where none
// of them can be reached, to a given address: all brokers may have others by now.
func AnyBroker(_ context.Context, c *Cluster) ([]string, error) {
	var known []string
	//mutation:any-broker
	if m := c.cache.get(); m != nil {
		known = slices.Collect(maps.Values(m.brokers))
	}
	shuffle(known)
	idle := c.pool.connected()
	slices.SortStableFunc(known, func(a, b string) int {
		switch {
		case idle[a] == idle[b]:
			return 0
		case idle[a]:
			return -1
		}
		return 1
	})
	isKnown := func(a string) bool { return slices.Contains(known, a) }
	given := slices.DeleteFunc(slices.Clone(c.Options.Brokers), isKnown)
	shuffle(given)
	return append(known[:min(len(known), mostKnown)], given...), nil
}

func shuffle(all []string) {
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

// Besides goes to any broker, and to one of these only where no other can be reached: then to the first one.
func Besides(asked ...string) Route {
	return func(ctx context.Context, c *Cluster) ([]string, error) {
		all, err := AnyBroker(ctx, c)
		slices.SortStableFunc(all, func(a, b string) int {
			return cmp.Compare(slices.Index(asked, a), slices.Index(asked, b))
		})
		return all, err
	}
}

// NoLeader is a retriable error: the metadata names no leader for a partition.
type NoLeader struct {
	Topic     string
	Partition int32
}

func (e NoLeader) Error() string {
	return fmt.Sprintf("no leader known for partition %d of topic %s", e.Partition, e.Topic)
}

// Leader goes to the leader of a partition.
func Leader(topic string, partition int32) Route {
	return func(ctx context.Context, c *Cluster) ([]string, error) {
		if _, err := c.Metadata(ctx); err != nil {
			return nil, err
		}
		id, err := c.LeaderOf(topic, partition)
		if err != nil {
			return nil, err
		}
		return Node(id)(ctx, c)
	}
}

// LeaderOf returns a partition's leader as far as it is known.
func (c *Cluster) LeaderOf(topic string, partition int32) (id int32, err error) {
	if m := c.cache.get(); m != nil {
		if leaders := m.Leaders[topic]; int(partition) < len(leaders) && m.brokers[leaders[partition]] != "" {
			return leaders[partition], nil
		}
	}
	return 0, NoLeader{Topic: topic, Partition: partition}
}

// Node goes to the broker of this id.
func Node(id int32) Route {
	return func(ctx context.Context, c *Cluster) ([]string, error) {
		l, err := c.Metadata(ctx)
		if err != nil {
			return nil, err
		}
		address, ok := l.brokers[id]
		if !ok {
			return nil, fmt.Errorf("broker %d is not in the metadata", id)
		}
		return []string{address}, nil
	}
}

// Controller goes to the controller or, where that is unknown, to any broker, which forwards the request.
func Controller(ctx context.Context, c *Cluster) ([]string, error) {
	l, err := c.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	if address, ok := l.brokers[l.controller]; ok {
		return []string{address}, nil
	}
	return AnyBroker(ctx, c)
}

// Kinds of coordinators.
const (
	OfGroup       = 0
	ofTransaction = 1
)

// Transaction goes to the coordinator that was looked up, until a request to anybody fails.
func Transaction(id string) Route {
	return func(ctx context.Context, c *Cluster) ([]string, error) {
		if known, ok := c.coordinators.Load(id); ok {
			return known.([]string), nil
		}
		addresses, err := Coordinator(ofTransaction, id)(ctx, c)
		if err == nil {
			c.coordinators.Store(id, addresses)
		}
		return addresses, err
	}
}

// Coordinator looks the broker up for each request.
func Coordinator(kind int8, key string) Route {
	return func(ctx context.Context, c *Cluster) ([]string, error) {
		req := kmsg.NewPtrFindCoordinatorRequest()
		req.CoordinatorType, req.CoordinatorKey = kind, key
		res, err := Ask[*kmsg.FindCoordinatorResponse](ctx, c, AnyBroker, req)
		if err != nil {
			return nil, err
		}
		if err := verdict.Coded(res.ErrorCode, "coordinator of %s", key); err != nil {
			return nil, err
		}
		return []string{net.JoinHostPort(res.Host, strconv.Itoa(int(res.Port)))}, nil
	}
}
