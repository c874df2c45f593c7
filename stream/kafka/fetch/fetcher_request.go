package fetch

import (
	"slices"
	"time"
)

// brokerFetches are the requests to one broker. The fetcher's mu guards them.
type brokerFetches struct {
	place
	waiting []*Subscription // in no request, in the order in which they had records last
	first   bool            // a request with a long wait is under way
	brief   bool            // it has a short wait
	second  bool            // a request with a short wait is under way
	found   bool            // the last response to such a request had records
	alone   int             // further requests that have one partition each

	sessions [2]fetchSession                  // of the first request and the second
	newest   map[TopicPartition]*Subscription // take's, empty in between
}

// next takes what waits into a request. Without anything it ends the run. Where the first run has ended, the second one
// goes on in its place.
func (f *Fetcher) next(b *brokerFetches, second bool) (subs []*Subscription, req Request, isSecond bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	//mutation:second-alone
	if second && !b.first {
		second, b.second = false, false
	}
	left, alone := false, b.alone > 0
	switch {
	case second && !b.found && b.brief:
	case alone:
		b.alone--
		subs, left = b.take(1)
	default:
		subs, left = b.take(len(b.waiting))
	}
	if some := len(subs) > 0; second {
		b.second = some
	} else {
		b.first, b.brief = some, some && b.second && !b.found
	}
	req = f.Request(partitionsOf(subs)...)
	if b.rack {
		req.rack = f.cluster.Options.Rack
	}
	if fit := b.fit(subs, &req); len(fit) < len(subs) {
		subs, left = fit, true
		req.partitions = partitionsOf(subs)
	}
	if left {
		f.start(b)
	}
	req.Disconnect = slices.ContainsFunc(subs, func(s *Subscription) bool { return s.Disconnect })
	switch {
	case alone:
		req.Wait = 0
	case second || b.brief:
		req.Wait = min(req.Wait, shortWait)
	}
	session := &b.sessions[0]
	if second {
		session = &b.sessions[1]
	}
	if session.suits(subs) {
		req.session = session
	}
	return subs, req, second
}

func partitionsOf(subs []*Subscription) []Partition {
	all := make([]Partition, 0, len(subs))
	for _, s := range subs {
		all = append(all, s.Partition)
	}
	return all
}

// fit makes backlogs wait on for which the response has no room: a broker looks up each partition of a request, whether
// there is room for its records or not. Some have less than they may have, so there are as many as fill it twice.
func (b *brokerFetches) fit(subs []*Subscription, req *Request) (fit []*Subscription) {
	room := 2 * req.all
	for _, s := range subs {
		//mutation:room-for-backlogs
		if s.behind && room <= 0 {
			b.waiting = append(b.waiting, s)
			continue
		}
		if fit = append(fit, s); s.behind {
			room -= req.most(&s.Partition)
		}
	}
	return fit
}

// take removes up to so many partitions from the waiting. Of several readers of a partition it takes the newest: a
// broker ignores repeated ones, and the others may be gone. left: one of those is there for another request.
func (b *brokerFetches) take(most int) (subs []*Subscription, left bool) {
	now := time.Now()
	b.waiting = slices.DeleteFunc(b.waiting, func(s *Subscription) bool { return s.over(now) })
	if b.newest == nil {
		b.newest = map[TopicPartition]*Subscription{}
	}
	defer clear(b.newest)
	for _, s := range b.waiting {
		at := TopicPartition{Topic: s.Topic, Partition: s.Number}
		if other := b.newest[at]; !now.Before(s.until) && (other == nil || other.began.Before(s.began)) {
			b.newest[at] = s
		}
	}
	subs = make([]*Subscription, 0, min(most, len(b.newest)))
	b.waiting = slices.DeleteFunc(b.waiting, func(s *Subscription) bool {
		if now.Before(s.until) || len(subs) == most {
			return false
		}
		if b.newest[TopicPartition{Topic: s.Topic, Partition: s.Number}] != s {
			left = true
			return false
		}
		subs = append(subs, s)
		return true
	})
	return subs, left
}
