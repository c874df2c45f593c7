package kafka

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// outages are the things that do not go well at the moment, each by its name. Of each that lasts the log gets the beginning
// and the end: what passes within reportAfter, as coordinators and leaders of new topics do, is no news.
type outages struct {
	log zerolog.Logger

	mu    sync.Mutex
	since map[string]time.Time
	text  map[string]string
	told  map[string]bool
}

const reportAfter = 3 * time.Second

func (w *outages) failed(what string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if errors.Is(err, context.Canceled) {
		return // asked to stop
	}
	if w.since == nil {
		w.since, w.text, w.told = map[string]time.Time{}, map[string]string{}, map[string]bool{}
	}
	if w.since[what].IsZero() {
		w.since[what] = time.Now()
	}
	if !w.told[what] && time.Since(w.since[what]) >= reportAfter {
		w.told[what] = true
		w.log.Warn().Str("at", what).Str("error", words(err)).Msg("Kafka: trying again")
	}
	w.text[what] = what + ": " + words(err)
}

// well ends a worry.
func (w *outages) recovered(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.told[what] {
		w.log.Info().Str("at", what).Str("after", time.Since(w.since[what]).Round(time.Millisecond).String()).Msg("Kafka: goes well again")
	}
	w.drop(what)
}

// clear forgets a worry whose cause is not pursued any more.
func (w *outages) clear(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drop(what)
}

func (w *outages) drop(what string) {
	delete(w.since, what)
	delete(w.text, what)
	delete(w.told, what)
}

// Trouble tells what has been failing for longest without having gone well since, and since when; for /readyz. It is empty
// when the last request of each kind went well.
func (c *Client) Outage() (text string, since time.Time) {
	w := &c.outages
	w.mu.Lock()
	defer w.mu.Unlock()
	for what, at := range w.since {
		if since.IsZero() || at.Before(since) || at.Equal(since) && w.text[what] < text {
			text, since = w.text[what], at
		}
	}
	return text, since
}
