package fetch

import (
	"cmp"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/stream/kafka/verdict"
)

const (
	// nearbyFor is how long a replica is read from that the leader has named, before the leader is asked again: as long
	// as Kafka's consumer takes metadata for new.
	nearbyFor = 5 * time.Minute
	// leaderFor is how long the leader is read from after a replica has failed.
	leaderFor = time.Minute
	// lagsFor is how long a replica may have nothing where the leader has records.
	lagsFor = 5 * time.Second
)

// place is a broker, and how it is read from.
type place struct {
	broker int32
	rack   bool // requests say where this process is: a leader names the replica nearby in place of records (KIP-392)
}

// A replica is where a partition is read from that the task reads as it comes.
type replica struct {
	broker int32
	until  time.Time // from then on the leader is asked again
	failed bool      // it has: until then the leader is read from, and not told the rack, so that it brings the records
	end    int64     // of the leader's readable records, as last told
	lags   time.Time // since when it has nothing though the leader has records; zero: it does not lag
}

// Nearby is a partition that is not read from its leader.
type Nearby struct {
	Topic     string
	Partition int32
	Broker    int32
}

// Nearby are the partitions that are read from replicas in this rack, by topic and partition.
func (f *Fetcher) Nearby() (all []Nearby) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for at, r := range f.replicas {
		leader, err := f.cluster.LeaderOf(at.Topic, at.Partition)
		if err == nil && !r.failed && r.broker != leader && time.Now().Before(r.until) {
			all = append(all, Nearby{at.Topic, at.Partition, r.broker})
		}
	}
	slices.SortFunc(all, func(a, b Nearby) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	return all
}

// source is where a partition is requested now. What decides is read from the leader alone: the journal, dead letters
// and checkpoints. The caller holds mu.
func (f *Fetcher) source(s *Subscription) (place, error) {
	leader, err := f.cluster.LeaderOf(s.Topic, s.Number)
	//mutation:nearby-topics
	if err != nil || f.cluster.Options.Rack == "" || !f.opt.Reads(s.Topic) {
		return place{broker: leader}, err
	}
	r := f.replicas[s.at()]
	switch {
	//mutation:damage-nearby
	case s.Disconnect: // records that cannot be read: are those of the leader like them?
		return place{broker: leader}, nil
	case r == nil || !time.Now().Before(r.until):
		return place{leader, true}, nil
	case r.failed:
		return place{broker: leader}, nil
	}
	return place{r.broker, true}, nil
}

func (s *Subscription) at() TopicPartition {
	return TopicPartition{Topic: s.Topic, Partition: s.Number}
}

// nearby takes in what a broker says of a partition, and reports whether it is to be requested elsewhere. The caller
// holds mu.
func (f *Fetcher) nearby(b *brokerFetches, s *Subscription, r Fetched) (elsewhere bool) {
	if !b.rack {
		return false
	}
	if r.Result != nil && r.Result.Replica >= 0 && len(r.Result.Data) == 0 {
		f.replicas[s.at()] = &replica{broker: r.Result.Replica, until: time.Now().Add(nearbyFor), end: r.Result.End()}
		return true
	}
	leader, err := f.cluster.LeaderOf(s.Topic, s.Number)
	from := f.replicas[s.at()]
	if err == nil && leader == b.broker || from == nil || from.broker != b.broker {
		return false
	}
	//mutation:nearby-error
	if r.Err != nil {
		if !verdict.IsCode(r.Err, kerr.OffsetOutOfRange) {
			f.cluster.Refresh()
		}
		f.leave(s)
		return true
	}
	if r.Result == nil {
		return false
	}
	//mutation:nearby-lags
	if len(r.Result.Data) > 0 || s.At >= from.end {
		from.lags = time.Time{}
		return false
	}
	if from.lags.IsZero() {
		from.lags = time.Now()
	}
	if time.Since(from.lags) < lagsFor {
		return false
	}
	f.leave(s)
	return true
}

// leave makes a partition be read from its leader for a while. The caller holds mu.
func (f *Fetcher) leave(s *Subscription) {
	f.replicas[s.at()] = &replica{failed: true, until: time.Now().Add(leaderFor)}
}

// leaveAll is leave for partitions whose request got no response from a replica's broker.
func (f *Fetcher) leaveAll(b *brokerFetches, subs []*Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range subs {
		leader, err := f.cluster.LeaderOf(s.Topic, s.Number)
		//mutation:nearby-away
		if b.rack && (err != nil || leader != b.broker) {
			f.leave(s)
		}
	}
}

// Ends says what leaders tell of the ends of a topic's readable records, by partition: a replica may lag.
func (f *Fetcher) Ends(topic string, ends []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for p, end := range ends {
		if r := f.replicas[TopicPartition{topic, int32(p)}]; r != nil {
			r.end = max(r.end, end)
		}
	}
}
