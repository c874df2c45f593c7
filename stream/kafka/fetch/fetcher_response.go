package fetch

import (
	"errors"
	"slices"

	"rosenblatt/stream/kafka/broker"
)

// deliver passes a response to the readers. Partitions without records come first in the next request. It returns false
// if there was nothing, for no known reason.
func (f *Fetcher) deliver(
	b *brokerFetches, second bool, subs []*Subscription, results []Fetched, req *Request,
) (reason bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	room := req.all - sizeOf(results)
	var served []*Subscription
	taken := b.waiting // while the request was under way
	b.waiting = nil
	for i, s := range subs {
		r := results[i]
		if r.Result != nil && f.opt.Reads(s.Topic) {
			f.highs.note(s.Topic, s.Number, r.Result.High)
		}
		switch {
		case f.nearby(b, s, r):
			reason = true
			if !s.ended {
				f.enqueue(b, s)
			}
		case s.deliver(r, f.ahead(s)):
			served = append(served, s)
		case !s.ended:
			grown := s.grow(r.Result, req.most(&s.Partition), room)
			reason = s.pause(r.Result) || grown || reason
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

// separate makes a request for each of these partitions alone follow, to find the batch that is too large.
func (f *Fetcher) separate(b *brokerFetches, subs []*Subscription, err error) {
	var oversized *broker.OversizedResponse
	errors.As(err, &oversized)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(subs) == 1 {
		subs[0].end(locateOversized(oversized, subs[0].At))
		return
	}
	b.alone, b.waiting = len(subs), slices.Concat(subs, b.waiting)
}

// again makes partitions wait once more, for their leaders of now.
func (f *Fetcher) again(b *brokerFetches, subs []*Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range subs {
		if !s.ended {
			f.enqueue(b, s)
		}
	}
}

func (f *Fetcher) fail(subs []*Subscription, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range subs {
		s.end(err)
	}
}
