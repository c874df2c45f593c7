package kafka

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
)

// TestOutageIsLoggedAgain: an outage is logged after three seconds, then once a minute with how long it has lasted, and
// when it ends.
func TestOutageIsLoggedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		o := &outages{log: zerolog.New(&log), failing: func() {}}
		for range 200 { // seconds
			o.failed("fetch from broker 1", errors.New("nobody listens"))
			time.Sleep(time.Second)
		}
		o.recovered("fetch from broker 1")
		var got []string
		for line := range strings.Lines(log.String()) {
			_, text, _ := strings.Cut(line, `"message":`)
			got = append(got, strings.TrimSpace(text))
		}
		again := `"Kafka: still trying"}`
		want := []string{`"Kafka: trying again"}`, again, again, again, `"Kafka: recovered"}`}
		if !slices.Equal(got, want) || !strings.Contains(log.String(), `"for":"2m3s"`) {
			t.Errorf("%s", log.String())
		}
	})
}
