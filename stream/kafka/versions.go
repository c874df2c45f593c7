package kafka

import (
	"fmt"
	"io"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// apis remembers which versions each broker speaks: what kafka-go negotiates ends at its own tables.
type apis struct {
	mu    sync.Mutex
	known map[string]map[int16][2]int16 // address -> key -> lowest and highest
}

// wanted is the highest version of each request that is used. EndTxn stays below 5, InitProducerID and AddPartitionsToTxn
// below the versions that go with it: there the epoch grows with each transaction (KIP-890), and the fence counts takeovers.
var wanted = map[kmsg.Key]int16{
	kmsg.Produce: 8, kmsg.Fetch: 13, kmsg.ListOffsets: 5, kmsg.Metadata: 12, kmsg.OffsetCommit: 7, kmsg.OffsetFetch: 5,
	kmsg.InitProducerID: 4, kmsg.AddPartitionsToTxn: 3, kmsg.EndTxn: 3, kmsg.DescribeConfigs: 4, kmsg.CreateTopics: 5,
	kmsg.CreatePartitions: 1, kmsg.DeleteRecords: 1, kmsg.DeleteTopics: 3,
}

// needed is the lowest version that says what is needed, where that is not the first.
var needed = map[kmsg.Key]int16{kmsg.Produce: 3, kmsg.Fetch: 11, kmsg.Metadata: 10, kmsg.InitProducerID: 3, kmsg.CreateTopics: 4}

// version picks the highest version that both sides speak.
func (a *apis) version(rw io.ReadWriter, addr string, x *exchange) (int16, error) {
	a.mu.Lock()
	broker := a.known[addr]
	a.mu.Unlock()
	if broker == nil {
		var err error
		if broker, err = a.negotiate(rw, addr, x.client.opt.ClientID); err != nil {
			return 0, err
		}
	}
	key := x.req.Key()
	span, ok := broker[key]
	v := min(wanted[kmsg.Key(key)], span[1])
	if !ok || v < span[0] || v < needed[kmsg.Key(key)] {
		return 0, &unsupportedVersion{key: key, low: span[0], high: span[1]}
	}
	return v, nil
}

func (a *apis) negotiate(rw io.ReadWriter, addr, clientID string) (map[int16][2]int16, error) {
	req := kmsg.NewPtrApiVersionsRequest()
	body, err := converse(rw, clientID, req, responseLimit, fresh)
	if err != nil {
		return nil, err
	}
	res := kmsg.NewPtrApiVersionsResponse()
	if err := res.ReadFrom(body); err != nil {
		return nil, err
	}
	broker := make(map[int16][2]int16, len(res.ApiKeys))
	for _, k := range res.ApiKeys {
		broker[k.ApiKey] = [2]int16{k.MinVersion, k.MaxVersion}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil {
		a.known = map[string]map[int16][2]int16{}
	}
	a.known[addr] = broker
	return broker, nil
}

// forget makes the next exchange ask again: the broker may come back with another version.
func (a *apis) forget(addr string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.known, addr)
}

// unsupportedVersion is a broker that does not speak a request in a version that serves.
type unsupportedVersion struct{ key, low, high int16 }

func (u *unsupportedVersion) Error() string {
	return fmt.Sprintf("the broker speaks %s in versions %d to %d only, at least %d and at most %d is needed (Apache Kafka 2.8 or later)",
		kmsg.NameForKey(u.key), u.low, u.high, needed[kmsg.Key(u.key)], wanted[kmsg.Key(u.key)])
}
