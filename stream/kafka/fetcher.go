package kafka

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"rosenblatt/stream/kafka/wire"
)

const (
	shortWait  = 25 * time.Millisecond  // the broker's wait for records in a request for whose end partitions wait
	quietPause = 100 * time.Millisecond // at most, where a broker responds at once with nothing
	lease      = 2 * time.Second        // a partition whose reader has not asked for so long is not requested any more
)

// A fetcher requests the partitions that readers read, all that a broker leads in one request, in turn: a response has
// room for some of them, and only the first batch in it comes in any size.
//
// A partition is left out while results wait for its reader. So that it then need not wait for a request in which the
// broker waits for records of the others, a second request takes such partitions, with a short wait. When that has
// found nothing, the first has a short wait too, and then takes them all.
type fetcher struct {
	client  *Client
	running sync.WaitGroup

	mu      sync.Mutex
	brokers map[int32]*brokerFetches
}

// brokerFetches are the requests to one broker. The fetcher's mu guards them.
type brokerFetches struct {
	id      int32
	waiting []*subscription // in no request, in the order in which they had records last
	first   bool            // a request with a long wait is under way
	brief   bool            // it has a short wait
	second  bool            // a request with a short wait is under way
	found   bool            // the last response to such a request had records
	alone   int             // further requests that have one partition each
}

// add begins a subscription.
func (f *fetcher) add(s *subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.asked = time.Now()
	f.enqueue(nil, s)
}

// asked is called before a reader waits for a result. It returns false when no more come.
func (f *fetcher) asked(s *subscription) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.asked = time.Now()
	if len(s.results) == 0 {
		f.resume(s)
	}
	return !s.ended || len(s.results) > 0
}

// taken is called after a reader has received a result.
func (f *fetcher) taken(s *subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(s.results) < f.ahead(s) {
		f.resume(s)
	}
}

// ahead is how many results of a backlog wait for its reader at most.
func (f *fetcher) ahead(s *subscription) int {
	switch {
	case f.client.inputs.Load() <= wide:
		return resultsAhead
	case s.inTurns:
		return 0
	}
	return 1
}

// resume requests a partition again whose reader has room. The caller holds mu.
func (f *fetcher) resume(s *subscription) {
	if s.full && !s.ended {
		s.full = false
		f.enqueue(nil, s)
	}
}

func (f *fetcher) drop(s *subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.ended = true
}

// enqueue makes a partition wait for the next request to its leader. If that is at, a request follows at once; else it
// starts one, if one more may be under way. The caller holds mu.
func (f *fetcher) enqueue(at *brokerFetches, s *subscription) {
	id, err := f.client.leaderOf(s.topic, s.partition)
	if err != nil {
		s.end(err)
		return
	}
	b := f.brokers[id]
	if b == nil {
		b = &brokerFetches{id: id}
		f.brokers[id] = b
	}
	b.waiting = append(b.waiting, s)
	if b != at {
		f.start(b)
	}
}

// start starts a request for what waits, unless two are under way. The caller holds mu.
func (f *fetcher) start(b *brokerFetches) {
	switch {
	case len(b.waiting) == 0, f.client.ended.Err() != nil:
	case !b.first:
		b.first = true
		f.running.Go(func() { f.run(b, false) })
	//mutation:second-fetch
	case !b.second:
		b.second, b.found = true, true
		f.running.Go(func() { f.run(b, true) })
	}
}

// run makes one request after the other while partitions wait.
func (f *fetcher) run(b *brokerFetches, second bool) {
	c := f.client
	what := fmt.Sprintf("fetch from broker %d", b.id)
	defer c.outages.clear(what)
	var errs, quiet backoff
	for {
		subs, req := f.next(b, second)
		if len(subs) == 0 {
			return
		}
		began := time.Now()
		results, err := c.timedFetch(c.ended, node(b.id), req)
		switch {
		case err == nil:
			c.outages.recovered(what)
			errs.reset()
			if f.deliver(b, second, subs, results, &req) || time.Since(began) >= req.wait/2 {
				quiet.reset()
			} else {
				_ = pause(c.ended, quiet.grow(quietPause)) // a broker that does not wait for records
			}
		case c.ended.Err() != nil:
			f.fail(subs, c.ended.Err())
		case errors.As(err, new(*wire.OversizedResponse)):
			f.separate(b, subs, err)
		case judge(err, opFetch) != retriable:
			f.fail(subs, err)
		default:
			c.outages.failed(what, err)
			_ = errs.wait(c.ended) // if it has ended, the next request finds it
			f.again(b, subs)
		}
	}
}

// next takes what waits into a request. Without anything it ends the run.
func (f *fetcher) next(b *brokerFetches, second bool) (subs []*subscription, req fetchRequest) {
	f.mu.Lock()
	defer f.mu.Unlock()
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
	if left {
		f.start(b)
	}
	var partitions []fetchPartition
	for _, s := range subs {
		partitions = append(partitions, s.fetchPartition)
	}
	req = f.client.fetchRequest(partitions...)
	req.disconnect = slices.ContainsFunc(subs, func(s *subscription) bool { return s.disconnect })
	switch {
	case alone:
		req.wait = 0
	case second || b.brief:
		req.wait = min(req.wait, shortWait)
	}
	return subs, req
}

// take removes up to so many partitions from the waiting. Of several readers of a partition it takes the newest: a
// broker ignores repeated ones, and the others may be gone. left: one of those is there for another request.
func (b *brokerFetches) take(most int) (subs []*subscription, left bool) {
	now := time.Now()
	b.waiting = slices.DeleteFunc(b.waiting, func(s *subscription) bool { return s.over(now) })
	newest := make(map[topicPartition]*subscription, len(b.waiting))
	for _, s := range b.waiting {
		at := topicPartition{s.topic, s.partition}
		if other := newest[at]; !now.Before(s.until) && (other == nil || other.began.Before(s.began)) {
			newest[at] = s
		}
	}
	b.waiting = slices.DeleteFunc(b.waiting, func(s *subscription) bool {
		if now.Before(s.until) || len(subs) == most {
			return false
		}
		if newest[topicPartition{s.topic, s.partition}] != s {
			left = true
			return false
		}
		subs = append(subs, s)
		return true
	})
	return subs, left
}

// deliver passes a response to the readers. Partitions without records come first in the next request. It returns false
// if there was nothing, for no known reason.
func (f *fetcher) deliver(
	b *brokerFetches, second bool, subs []*subscription, results []fetched, req *fetchRequest,
) (reason bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	room := req.all - sizeOf(results)
	var served []*subscription
	taken := b.waiting // while the request was under way
	b.waiting = nil
	for i, s := range subs {
		r := results[i]
		if r.result != nil && f.client.opt.reads(s.topic) {
			f.client.highs.note(s.topic, s.partition, r.result.high)
		}
		switch {
		case s.deliver(r, f.ahead(s)):
			served = append(served, s)
		case !s.ended:
			grown := s.grow(r.result, req.most(&s.fetchPartition), room)
			reason = f.pause(b, s, r.result) || grown || reason
			f.enqueue(b, s)
		}
	}
	b.waiting = append(b.waiting, taken...)
	if second {
		b.found = len(served) > 0
	}
	for _, s := range served {
		if !s.ended && !s.full {
			f.enqueue(b, s)
		}
	}
	return reason || len(served) > 0
}

// pause keeps a partition out of requests for a moment if its broker responds at once, with nothing: between the last
// stable offset and the high watermark. The caller holds mu.
func (f *fetcher) pause(b *brokerFetches, s *subscription, r *fetchResult) bool {
	if r == nil || s.at < r.stable || s.at >= r.high {
		s.quiet.reset()
		return false
	}
	d := s.quiet.grow(quietPause)
	s.until = time.Now().Add(d)
	time.AfterFunc(d, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.start(b)
	})
	return true
}

// separate makes a request for each of these partitions alone follow, to find the batch that is too large.
func (f *fetcher) separate(b *brokerFetches, subs []*subscription, err error) {
	var oversized *wire.OversizedResponse
	errors.As(err, &oversized)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(subs) == 1 {
		subs[0].end(locateOversized(oversized, subs[0].at))
		return
	}
	b.alone, b.waiting = len(subs), slices.Concat(subs, b.waiting)
}

// again makes partitions wait once more, for their leaders of now.
func (f *fetcher) again(b *brokerFetches, subs []*subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range subs {
		if !s.ended {
			f.enqueue(b, s)
		}
	}
}

func (f *fetcher) fail(subs []*subscription, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range subs {
		s.end(err)
	}
}
