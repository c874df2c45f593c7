package kafka

import (
	"math"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// sessionFrom is how many partitions a request has at least that is made in a session.
const sessionFrom = 32

// A fetchSession is what a broker remembers of the partitions that are fetched from it (KIP-227): requests name those
// that have changed, and responses are about those that have records or have changed. One request follows the other.
// The zero session is unknown to the broker, and the next request names all. So it stays with a broker that has no
// room for it, or is older than Kafka 1.1.
type fetchSession struct {
	id, epoch  int32 // of the next request
	partitions map[sessionPartition]*knownPartition
	requested  []*knownPartition // by the last request
	requests   int
}

type sessionPartition struct {
	topic     string
	id        [16]byte
	partition int32
}

// knownPartition is what a broker knows of a partition, and what it last said about it.
type knownPartition struct {
	most    int32        // the limit of its bytes
	last    *fetchResult // without records; at is what was requested
	request int          // the last one that it is part of
}

// message returns a request of all partitions of r. Those that are not among them leave the session.
func (s *fetchSession) message(r *fetchRequest) *kmsg.FetchRequest {
	if s.partitions == nil {
		s.partitions = make(map[sessionPartition]*knownPartition, len(r.partitions))
	}
	s.requests++
	s.requested = s.requested[:0]
	var changed []fetchPartition
	for i := range r.partitions {
		p, most := &r.partitions[i], r.most(&r.partitions[i])
		key := sessionPartition{p.topic, p.id, p.partition}
		k := s.partitions[key]
		if k == nil {
			k = &knownPartition{last: &fetchResult{at: -1}}
			s.partitions[key] = k
		}
		//mutation:session-names-changes
		if k.last.at != p.at || k.most != most {
			k.most, k.last = most, k.last.from(p.at)
			changed = append(changed, *p)
		}
		k.request = s.requests
		s.requested = append(s.requested, k)
	}
	req := r.naming(changed)
	req.SessionID, req.SessionEpoch = s.id, s.epoch
	//mutation:session-forgets
	if len(s.partitions) > len(r.partitions) {
		req.ForgottenTopics = s.forget()
	}
	return req
}

// forget removes the partitions that the last request is not about.
func (s *fetchSession) forget() (topics []kmsg.FetchRequestForgottenTopic) {
	for p, k := range s.partitions {
		if k.request == s.requests {
			continue
		}
		delete(s.partitions, p)
		i := slices.IndexFunc(topics, func(t kmsg.FetchRequestForgottenTopic) bool {
			return t.Topic == p.topic && t.TopicID == p.id
		})
		if i < 0 {
			i, topics = len(topics), append(topics, kmsg.FetchRequestForgottenTopic{Topic: p.topic, TopicID: p.id})
		}
		topics[i].Partitions = append(topics[i].Partitions, p.partition)
	}
	return topics
}

// settle goes on after a response, and completes it: what it says nothing about is as it was. After a failed request
// it is not known what the broker knows.
func (s *fetchSession) settle(res kmsg.Response, results []fetched, failed error) {
	if failed != nil {
		//mutation:session-reset
		*s = fetchSession{}
		return
	}
	for i, k := range s.requested {
		switch r := &results[i]; {
		case r.result != nil:
			k.last = r.result.from(k.last.at)
		case r.err == nil:
			//mutation:session-unchanged
			r.result = k.last
		}
	}
	switch {
	case s.epoch > 0:
		s.epoch = s.epoch%math.MaxInt32 + 1
	case res.(*kmsg.FetchResponse).SessionID > 0:
		s.id, s.epoch = res.(*kmsg.FetchResponse).SessionID, 1
	default:
		*s = fetchSession{}
	}
}

// known reports whether the broker was told of the session; there may be none.
func (s *fetchSession) known() bool { return s != nil && s.epoch > 0 }

// from is a result without records, of a request from an offset on.
func (f *fetchResult) from(at int64) *fetchResult {
	return &fetchResult{at: at, high: f.high, stable: f.stable, byID: f.byID}
}

// isSessionLost reports whether a broker does not know a session any more: it remembers some only, the newest and the
// largest.
func isSessionLost(err error) bool {
	return isCode(err, kerr.FetchSessionIDNotFound) || isCode(err, kerr.InvalidFetchSessionEpoch)
}
