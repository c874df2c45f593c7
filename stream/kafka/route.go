package kafka

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
)

// A route finds the addresses of the brokers of which one takes a request.
type route func(ctx context.Context, c *Cluster) (addresses []string, err error)

// mostKnown is how many brokers that the metadata names are tried for one request: they share the time for it.
const mostKnown = 4

// anyBroker goes to one of the brokers that the last metadata named, one with an idle connection first, and where none
// of them can be reached, to a given address: all brokers may have others by now.
func anyBroker(_ context.Context, c *Cluster) ([]string, error) {
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
	given := slices.DeleteFunc(slices.Clone(c.opt.Brokers), func(a string) bool { return slices.Contains(known, a) })
	shuffle(given)
	return append(known[:min(len(known), mostKnown)], given...), nil
}

func shuffle(all []string) {
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

// besides goes to any broker, and to one of these only where no other can be reached: then to the first one.
func besides(asked ...string) route {
	return func(ctx context.Context, c *Cluster) ([]string, error) {
		all, err := anyBroker(ctx, c)
		slices.SortStableFunc(all, func(a, b string) int {
			return cmp.Compare(slices.Index(asked, a), slices.Index(asked, b))
		})
		return all, err
	}
}

// noLeader is a retriable error: the metadata names no leader for a partition.
type noLeader struct {
	topic     string
	partition int32
}

func (e noLeader) Error() string {
	return fmt.Sprintf("no leader known for partition %d of topic %s", e.partition, e.topic)
}

func leader(topic string, partition int32) route {
	return func(ctx context.Context, c *Cluster) ([]string, error) {
		if _, err := c.metadata(ctx); err != nil {
			return nil, err
		}
		id, err := c.leaderOf(topic, partition)
		if err != nil {
			return nil, err
		}
		return node(id)(ctx, c)
	}
}

// leaderOf returns a partition's leader as far as it is known.
func (c *Cluster) leaderOf(topic string, partition int32) (id int32, err error) {
	if m := c.cache.get(); m != nil {
		if leaders := m.leaders[topic]; int(partition) < len(leaders) && m.brokers[leaders[partition]] != "" {
			return leaders[partition], nil
		}
	}
	return 0, noLeader{topic, partition}
}

func node(id int32) route {
	return func(ctx context.Context, c *Cluster) ([]string, error) {
		l, err := c.metadata(ctx)
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

// controller goes to the controller or, where that is unknown, to any broker, which forwards the request.
func controller(ctx context.Context, c *Cluster) ([]string, error) {
	l, err := c.metadata(ctx)
	if err != nil {
		return nil, err
	}
	if address, ok := l.brokers[l.controller]; ok {
		return []string{address}, nil
	}
	return anyBroker(ctx, c)
}

// Kinds of coordinators.
const (
	ofGroup       = 0
	ofTransaction = 1
)

// transaction goes to the coordinator that was looked up, until a request to anybody fails.
func transaction(id string) route {
	return func(ctx context.Context, c *Cluster) ([]string, error) {
		if known, ok := c.coordinators.Load(id); ok {
			return known.([]string), nil
		}
		addresses, err := coordinator(ofTransaction, id)(ctx, c)
		if err == nil {
			c.coordinators.Store(id, addresses)
		}
		return addresses, err
	}
}

// coordinator looks the broker up for each request.
func coordinator(kind int8, key string) route {
	return func(ctx context.Context, c *Cluster) ([]string, error) {
		req := kmsg.NewPtrFindCoordinatorRequest()
		req.CoordinatorType, req.CoordinatorKey = kind, key
		res, err := request[*kmsg.FindCoordinatorResponse](ctx, c, anyBroker, req)
		if err != nil {
			return nil, err
		}
		if err := coded(res.ErrorCode, "coordinator of %s", key); err != nil {
			return nil, err
		}
		return []string{net.JoinHostPort(res.Host, strconv.Itoa(int(res.Port)))}, nil
	}
}
