package fetch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
)

const (
	shortWait  = 25 * time.Millisecond  // the broker's wait for records in a request for whose end partitions wait
	quietPause = 100 * time.Millisecond // at most, where a broker responds at once with nothing
	lease      = 2 * time.Second        // a partition whose reader has not asked for so long is not requested any more
)

// A Fetcher requests the partitions that readers read, all that a broker leads in one request, in turn: a response has
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
type Fetcher struct {
	cluster *cluster.Cluster
	opt     Options
	inputs  atomic.Int32 // partitions of input and labels
	Buffers *Buffers     // of responses, and of what they unpack to
	slow    cluster.Slow
	appends appendTime
	highs   highs
	running sync.WaitGroup

	mu       sync.Mutex
	brokers  map[place]*brokerFetches
	replicas map[TopicPartition]*replica // with a rack
}

// Options say what a fetcher reads.
type Options struct {
	Reads    func(topic string) bool // the task reads it as it comes; other topics are its own
	MaxBatch int64                   // bytes that a batch of those may unpack to
	Wait     time.Duration           // time the broker waits for records
	Bytes    int32                   // of one partition in a fetch; 0: as many as suit their number
}

// New makes a Fetcher, which ends with Close.
func New(c *cluster.Cluster, opt Options) *Fetcher {
	return &Fetcher{cluster: c, opt: opt, Buffers: newBuffers(), brokers: map[place]*brokerFetches{},
		replicas: map[TopicPartition]*replica{}}
}

// Close ends what is under way, and all connections. No request may follow.
func (f *Fetcher) Close() {
	f.mu.Lock() // no request starts from here on
	f.cluster.Stop()
	f.mu.Unlock()
	f.cluster.Close()
	f.running.Wait()
}

// Subscribe lets the partition of a subscription be requested.
func (f *Fetcher) Subscribe(ctx context.Context, s *Subscription) {
	s.asked = time.Now()
	f.running.Go(func() { // what is not known yet takes a request
		var err error
		if s.ID, err = f.cluster.TopicID(ctx, s.Topic); err == nil {
			_, err = f.cluster.Metadata(ctx)
		}
		if err != nil {
			f.fail([]*Subscription{s}, err)
			return
		}
		f.add(s)
	})
}

// add begins a subscription.
func (f *Fetcher) add(s *Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.asked = time.Now()
	f.enqueue(nil, s)
}

// Asked is called before a reader waits for a result. It returns false when no more come.
func (f *Fetcher) Asked(s *Subscription) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.asked = time.Now()
	if len(s.Results) == 0 {
		f.resume(s)
	}
	return !s.ended || len(s.Results) > 0
}

// Taken is called after a reader has received a result.
func (f *Fetcher) Taken(s *Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(s.Results) < f.ahead(s) && (s.behind || s.InTurns) {
		f.resume(s)
	}
}

// ahead is how many results of a backlog wait for its reader at most.
func (f *Fetcher) ahead(s *Subscription) int {
	switch {
	case f.inputs.Load() <= wide:
		return resultsAhead
	case s.InTurns:
		return 0
	}
	return 1
}

// resume requests a partition again whose reader has room. The caller holds mu.
func (f *Fetcher) resume(s *Subscription) {
	if s.full && !s.ended {
		s.full = false
		f.enqueue(nil, s)
	}
}

// Drop ends a subscription.
func (f *Fetcher) Drop(s *Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.ended = true
}

// enqueue makes a partition wait for the next request to where it is read from, or for the one after its pause. If that
// is at, a request follows at once; else it starts one, if one more may be under way. The caller holds mu.
func (f *Fetcher) enqueue(at *brokerFetches, s *Subscription) {
	from, err := f.source(s)
	if err != nil {
		s.end(err)
		return
	}
	b := f.brokers[from]
	if b == nil {
		b = &brokerFetches{place: from}
		f.brokers[from] = b
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
func (f *Fetcher) start(b *brokerFetches) {
	switch {
	case len(b.waiting) == 0, f.cluster.Life().Err() != nil:
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
func (f *Fetcher) run(b *brokerFetches, second bool) {
	c := f.cluster
	what := fmt.Sprintf("fetch from broker %d", b.broker)
	defer c.Outages.Clear(what)
	var errs, quiet cluster.Backoff
	for {
		subs, req, isSecond := f.next(b, second)
		if second = isSecond; len(subs) == 0 {
			return
		}
		began, known := time.Now(), req.session.known()
		results, err := f.Fetch(c.Life(), cluster.Node(b.broker), req)
		switch {
		case err == nil:
			c.Outages.Recovered(what)
			errs.Reset()
			if f.deliver(b, second, subs, results, &req) || time.Since(began) >= req.Wait/2 {
				quiet.Reset()
			} else {
				_ = broker.Pause(c.Life(), quiet.Grow(quietPause)) // a broker that does not wait for records
			}
		case c.Life().Err() != nil:
			f.fail(subs, c.Life().Err())
		case known && isSessionLost(err):
			f.again(b, subs)
		case errors.As(err, new(*broker.OversizedResponse)):
			f.separate(b, subs, err)
		case verdict.Judge(err, verdict.OnFetch) != verdict.Retriable:
			f.fail(subs, err)
		default:
			f.leaveAll(b, subs)
			c.Outages.Failed(what, err)
			_ = errs.Wait(c.Life()) // if it has ended, the next request finds it
			f.again(b, subs)
		}
		//mutation:fetch-pace
		if req.session != nil {
			_ = broker.Pause(c.Life(), time.Until(began.Add(f.appends.average()/2)))
		}
	}
}
