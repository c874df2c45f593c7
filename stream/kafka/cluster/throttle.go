package cluster

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
)

// throttles are what brokers ask for whose quotas are used up (KIP-219): requests of a kind wait until the broker that
// asks for it takes them again. That is neither a slow link nor an outage.
//
// A quota is one of bytes written, of bytes read, of changes of topics, or of the time that requests take. So requests
// of another kind go on, over other connections: a heartbeat that waits for a quota of bytes written would lose its
// place in the group. Kafka's own producer, consumer and admin client do so, each with connections of its own.
type throttles struct {
	log zerolog.Logger

	mu sync.Mutex
	of map[throttledKind]*throttle
}

type throttledKind struct {
	broker  string
	request kmsg.Key
}

type throttle struct {
	until    time.Time
	total    time.Duration
	unlogged time.Duration // of total
	logged   time.Time     // zero: not yet
}

const (
	throttleLogged   = time.Second // not logged below it
	throttleLogEvery = 10 * time.Minute
)

// Throttle is what a broker asks for.
type Throttle struct {
	Broker  string // its address
	Request string // as Produce
	Until   time.Time
	Total   time.Duration // of all that it has asked for
}

// note takes in what a response asks for.
func (t *throttles) note(address string, request kmsg.Key, asked time.Duration) {
	if asked <= 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	kind := throttledKind{address, request}
	is := t.of[kind]
	if is == nil {
		if t.of == nil {
			t.of = map[throttledKind]*throttle{}
		}
		is = &throttle{}
		t.of[kind] = is
	}
	now := time.Now()
	if until := now.Add(asked); until.After(is.until) {
		is.until = until
	}
	is.total, is.unlogged = is.total+asked, is.unlogged+asked
	if is.unlogged < throttleLogged || !is.logged.IsZero() && now.Sub(is.logged) < throttleLogEvery {
		return
	}
	t.log.Warn().Str("broker", address).Str("request", request.Name()).Str("wait", asked.String()).
		Str("so_far", is.total.Round(time.Millisecond).String()).
		Msg("Kafka: throttled: a quota of this user or client id is used up")
	is.logged, is.unlogged = now, 0
}

// await waits until one of these brokers takes a request of a kind, and returns those that do.
func (t *throttles) await(ctx context.Context, request kmsg.Key, brokers []string) (taking []string, err error) {
	for {
		taking, next := t.taking(request, brokers)
		if len(taking) > 0 || len(brokers) == 0 {
			return taking, nil
		}
		if err := broker.Pause(ctx, time.Until(next)); err != nil {
			return nil, err
		}
	}
}

// taking are those of these brokers that take a request of a kind now; without one, next is when the first does.
func (t *throttles) taking(request kmsg.Key, brokers []string) (taking []string, next time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for _, b := range brokers {
		switch is := t.of[throttledKind{b, request}]; {
		case is == nil || !now.Before(is.until):
			taking = append(taking, b)
		case next.IsZero() || is.until.Before(next):
			next = is.until
		}
	}
	return taking, next
}

// Throttles are what brokers have asked for, by broker and request.
func (c *Cluster) Throttles() (all []Throttle) {
	t := &c.throttles
	t.mu.Lock()
	defer t.mu.Unlock()
	for kind, is := range t.of {
		all = append(all, Throttle{kind.broker, kind.request.Name(), is.until, is.total})
	}
	slices.SortFunc(all, func(a, b Throttle) int {
		return cmp.Or(cmp.Compare(a.Broker, b.Broker), cmp.Compare(a.Request, b.Request))
	})
	return all
}
