package kafka

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"rosenblatt/stream/kafka/broker"
)

const (
	shortWait  = 25 * time.Millisecond  // the broker's wait for records in a request for whose end partitions wait
	quietPause = 100 * time.Millisecond // at most, where a broker responds at once with nothing
	lease      = 2 * time.Second        // a partition whose reader has not asked for so long is not requested any more
)

// A fetcher requests the partitions that readers read, all that a broker leads in one request, in turn: a response has
// room for some of them, and only the first batch in it comes in any size.
//
// The obvious design is a request for each partition. A broker keeps a request until records come, and works off those
// of a connection one after the other. So a thousand quiet partitions would need a thousand connections, or would wait
// for one another.
//
// A partition is left out while results wait for its reader. So that it then need not wait for a request in which the
// broker waits for records of the others, a second request takes such partitions, with a short wait. When that has
// found nothing, the first has a short wait too, and then takes them all.
//
// A request in a session follows the one before after half of the time that an append takes, at least: it costs its
// broker the more the more partitions it has, and what it brings waits for the append under way.
//
// At the end of its log a partition that is not read in turns is left out until its reader asks, which may want no
// more: others would wait for responses without it.
type fetcher struct {
	client  *Client
	running sync.WaitGroup

	mu      sync.Mutex
	brokers map[int32]*brokerFetches
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
	if len(s.results) < f.ahead(s) && (s.behind || s.inTurns) {
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

// enqueue makes a partition wait for the next request to its leader, or for the one after its pause. If that is at, a
// request follows at once; else it starts one, if one more may be under way. The caller holds mu.
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
	switch rest := time.Until(s.until); {
	case rest > 0:
		time.AfterFunc(rest, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.start(b)
		})
	case b != at:
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
		subs, req, isSecond := f.next(b, second)
		if second = isSecond; len(subs) == 0 {
			return
		}
		began, known := time.Now(), req.session.known()
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
		case known && isSessionLost(err):
			f.again(b, subs)
		case errors.As(err, new(*broker.OversizedResponse)):
			f.separate(b, subs, err)
		case judge(err, opFetch) != retriable:
			f.fail(subs, err)
		default:
			c.outages.failed(what, err)
			_ = errs.wait(c.ended) // if it has ended, the next request finds it
			f.again(b, subs)
		}
		//mutation:fetch-pace
		if req.session != nil {
			_ = pause(c.ended, time.Until(began.Add(c.appends.average()/2)))
		}
	}
}
