package kafka

import (
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// worries are the things that do not go well at the moment, each by its name. Of each the log gets the beginning and the end.
type worries struct {
	log zerolog.Logger

	mu    sync.Mutex
	since map[string]time.Time
	text  map[string]string
}

func (w *worries) note(what string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.since == nil {
		w.since, w.text = map[string]time.Time{}, map[string]string{}
	}
	if w.since[what].IsZero() {
		w.since[what] = time.Now()
		w.log.Warn().Str("at", what).Err(err).Msg("Kafka: trying again")
	}
	w.text[what] = what + ": " + err.Error()
}

// well ends a worry.
func (w *worries) well(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if since, ok := w.since[what]; ok {
		w.log.Info().Str("at", what).Dur("after", time.Since(since)).Msg("Kafka: goes well again")
		w.drop(what)
	}
}

// clear forgets a worry whose cause is not pursued any more.
func (w *worries) clear(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drop(what)
}

func (w *worries) drop(what string) {
	delete(w.since, what)
	delete(w.text, what)
}

// Trouble tells what has been failing for longest without having gone well since, and since when; for /readyz. It is empty
// when the last request of each kind went well.
func (c *Client) Trouble() (text string, since time.Time) {
	w := &c.worries
	w.mu.Lock()
	defer w.mu.Unlock()
	for what, at := range w.since {
		if since.IsZero() || at.Before(since) || at.Equal(since) && w.text[what] < text {
			text, since = w.text[what], at
		}
	}
	return text, since
}
