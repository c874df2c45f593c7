package cluster

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/kafka/verdict"
)

// Outages are the currently failing operations, by name. Those that last longer than reportAfter are logged, and again
// every reportEvery: coordinators and leaders of new topics take a moment. Of those that fail for the same reason, such
// as the batches for all partitions of a broker that is away, one is logged.
type Outages struct {
	log     zerolog.Logger
	failing func() // called for each failure

	mu      sync.Mutex
	current map[string]*outage
}

type outage struct {
	since    time.Time
	error    string    // the last
	reported time.Time // zero: not yet
	silent   bool      // reported with another one
}

const (
	reportAfter = 3 * time.Second
	reportEvery = time.Minute
)

// Failed notes an error of an operation that is tried again, and that requests fail.
func (o *Outages) Failed(what string, err error) {
	if errors.Is(err, context.Canceled) {
		return // the caller stopped it
	}
	o.failing()
	o.Waits(what, err)
}

// Waits is Failed for what no request has failed for.
func (o *Outages) Waits(what string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.current == nil {
		o.current = map[string]*outage{}
	}
	is := o.current[what]
	if is == nil {
		is = &outage{since: time.Now()}
		o.current[what] = is
	}
	is.error = verdict.Words(err)
	first := is.reported.IsZero()
	if first && time.Since(is.since) < reportAfter || !first && time.Since(is.reported) < reportEvery {
		return
	}
	line, message, others := o.log.Warn().Str("at", what).Str("error", is.error), "Kafka: trying again", 0
	for _, other := range o.current {
		switch {
		case other == is || other.error != is.error:
		//mutation:one-line-for-an-outage
		case !other.reported.IsZero() && time.Since(other.reported) < reportEvery:
			is.reported, is.silent = other.reported, true
			return
		default:
			others++
		}
	}
	if others > 0 {
		line.Int("others", others)
	}
	if !first {
		line.Str("for", time.Since(is.since).Truncate(time.Second).String())
		message = "Kafka: still trying"
	}
	line.Msg(message)
	is.reported, is.silent = time.Now(), false
}

// Recovered notes that an operation has succeeded.
func (o *Outages) Recovered(what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if is := o.current[what]; is != nil && !is.reported.IsZero() && !is.silent {
		after := time.Since(is.since).Round(time.Millisecond).String()
		o.log.Info().Str("at", what).Str("after", after).Msg("Kafka: recovered")
	}
	delete(o.current, what)
}

// Clear forgets an operation that is no longer tried.
func (o *Outages) Clear(what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.current, what)
}

// Outage names the operation that has been failing for longest, and since when, for /readyz; empty when none fails.
func (c *Cluster) Outage() (text string, since time.Time) {
	c.Outages.mu.Lock()
	defer c.Outages.mu.Unlock()
	for what, is := range c.Outages.current {
		named := what + ": " + is.error
		if since.IsZero() || is.since.Before(since) || is.since.Equal(since) && named < text {
			text, since = named, is.since
		}
	}
	return text, since
}
