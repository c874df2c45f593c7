package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
		o := &Outages{log: zerolog.New(&log), failing: func() {}}
		for range 200 { // seconds
			o.Failed("fetch from broker 1", errors.New("nobody listens"))
			time.Sleep(time.Second)
		}
		o.Recovered("fetch from broker 1")
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

// TestOutageIsLoggedOnce: of operations that fail for the same reason one is logged, with their number, and another one
// goes on to be when that recovers. What fails for another reason is logged, too.
func TestOutageIsLoggedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		o := &Outages{log: zerolog.New(&log), failing: func() {}}
		fail := func(seconds, from int) {
			for range seconds {
				for p := from; p < 100; p++ {
					o.Failed(fmt.Sprintf("produce to t/%d", p), errors.New("nobody listens"))
				}
				o.Failed("fetch from broker 2", errors.New("closed"))
				time.Sleep(time.Second)
			}
		}
		fail(90, 0)
		o.Recovered("produce to t/0")
		fail(60, 1)
		var got []string
		for line := range strings.Lines(log.String()) {
			var l struct {
				Message, At, For, Error string
				Others                  int
			}
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf("%s %s %s %d %s", l.Message, l.At, l.Error, l.Others, l.For)
			got = append(got, strings.TrimSpace(text))
		}
		want := []string{
			"Kafka: trying again produce to t/0 nobody listens 99", "Kafka: trying again fetch from broker 2 closed 0",
			"Kafka: still trying produce to t/0 nobody listens 99 1m3s",
			"Kafka: still trying fetch from broker 2 closed 0 1m3s",
			"Kafka: recovered produce to t/0  0",
			"Kafka: still trying produce to t/1 nobody listens 98 2m3s",
			"Kafka: still trying fetch from broker 2 closed 0 2m3s",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	})
}
