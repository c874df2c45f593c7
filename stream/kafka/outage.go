package kafka

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// outages are the currently failing operations, by name. Those that last longer than reportAfter are logged, and again
// every reportEvery: coordinators and leaders of new topics take a moment.
type outages struct {
	log     zerolog.Logger
	failing func() // called for each failure

	mu      sync.Mutex
	current map[string]*outage
}

type outage struct {
	since    time.Time
	text     string
	reported time.Time // zero: not yet
}

const (
	reportAfter = 3 * time.Second
	reportEvery = time.Minute
)

func (o *outages) failed(what string, err error) {
	if errors.Is(err, context.Canceled) {
		return // the caller stopped it
	}
	o.failing()
	o.waits(what, err)
}

// waits is failed for what no request has failed for.
func (o *outages) waits(what string, err error) {
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
	switch {
	case is.reported.IsZero() && time.Since(is.since) >= reportAfter:
		o.log.Warn().Str("at", what).Str("error", words(err)).Msg("Kafka: trying again")
		is.reported = time.Now()
	case !is.reported.IsZero() && time.Since(is.reported) >= reportEvery:
		o.log.Warn().Str("at", what).Str("error", words(err)).Str("for", time.Since(is.since).Truncate(time.Second).
			String()).Msg("Kafka: still trying")
		is.reported = time.Now()
	}
	is.text = what + ": " + words(err)
}

func (o *outages) recovered(what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if is := o.current[what]; is != nil && !is.reported.IsZero() {
		after := time.Since(is.since).Round(time.Millisecond).String()
		o.log.Info().Str("at", what).Str("after", after).Msg("Kafka: recovered")
	}
	delete(o.current, what)
}

// clear forgets an operation that is no longer tried.
func (o *outages) clear(what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.current, what)
}

// Outage names the operation that has been failing for longest, and since when, for /readyz; empty when none fails.
func (c *Cluster) Outage() (text string, since time.Time) {
	c.outages.mu.Lock()
	defer c.outages.mu.Unlock()
	for _, is := range c.outages.current {
		if since.IsZero() || is.since.Before(since) || is.since.Equal(since) && is.text < text {
			text, since = is.text, is.since
		}
	}
	return text, since
}
