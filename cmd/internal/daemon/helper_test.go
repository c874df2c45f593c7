package daemon

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// cluster starts a broker in this process, with a topic of events at times 1000, 2000 ... ms, one in each.
func cluster(t *testing.T, events int) []string {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "events"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	w := &kafkago.Writer{Addr: kafkago.TCP(c.ListenAddrs()...), Topic: "events",
		BatchTimeout: time.Millisecond, RequiredAcks: kafkago.RequireAll}
	defer func() { _ = w.Close() }() // every write was waited for
	var all []kafkago.Message
	for i := range events {
		value := fmt.Appendf(nil, `{"id":"e%d","label":%d,"x":%d}`, i, i%2, 2*(i%2)-1)
		all = append(all, kafkago.Message{Value: value, Time: time.UnixMilli(1000 * int64(i+1))})
	}
	if len(all) > 0 {
		if err := w.WriteMessages(t.Context(), all...); err != nil {
			t.Fatal(err)
		}
	}
	return c.ListenAddrs()
}

// onCluster are settings for a run to the end of a small model: one of the default size takes seconds to load under the
// race detector.
func onCluster(t *testing.T, brokers []string) Settings {
	s := Defaults()
	s.Brokers, s.Input, s.State, s.CreateTopics, s.UntilEnd, s.HTTP = brokers, "events", t.TempDir(), true, true, "off"
	s.Bits = 12
	return s
}

// topicOf starts a broker with a topic of so many partitions and events in each, and returns settings for a daemon that
// reads it.
func topicOf(t *testing.T, partitions, events int) (*streamtest.Cluster, Settings) {
	t.Helper()
	c := streamtest.Start(t)
	s := onCluster(t, c.Brokers)
	s.Input = streamtest.Name(t)
	c.Topic(t, s.Input, partitions)
	for p := range partitions {
		produceSome(t, c, s.Input, p, events)
	}
	return c, s
}

func produceSome(t *testing.T, c *streamtest.Cluster, topic string, partition, events int) {
	t.Helper()
	var values []string
	for i := range events {
		values = append(values, fmt.Sprintf(`{"id":"p%d-%d","label":%d,"x":%d}`, partition, i, i%2, 2*(i%2)-1))
	}
	c.Produce(t, topic, partition, values...)
}

// newDaemon returns a daemon that does not run yet, and whose log is printed if the test fails.
func newDaemon(t *testing.T, s Settings) *Daemon {
	t.Helper()
	return logging(t, s, streamtest.Log(t))
}

// logging returns one that logs.
func logging(t *testing.T, s Settings, log zerolog.Logger) *Daemon {
	t.Helper()
	d, err := New(s, log)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// listening returns one that serves HTTP when it runs.
func listening(t *testing.T, s Settings) (d *Daemon, url string) {
	t.Helper()
	s.UntilEnd, s.HTTP = false, "127.0.0.1:0"
	d = newDaemon(t, s)
	addr, err := d.Listen()
	if err != nil {
		t.Fatal(err)
	}
	return d, "http://" + addr.String()
}

// run runs one to its end.
func run(t *testing.T, s Settings) *Daemon {
	t.Helper()
	d := newDaemon(t, s)
	ctx := streamtest.Timeout(t, 60*time.Second)
	if err := d.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return d
}

// serve runs one with HTTP; stop ends it, done tells how it ended by itself.
func serve(t *testing.T, s Settings) (d *Daemon, url string, stop func() error, done <-chan error) {
	t.Helper()
	d, url = listening(t, s)
	stop, done = streamtest.Background(t, d.Run)
	return d, url, stop, done
}

// wantRefused wants a run to end with a stop that names a text.
func wantRefused(t *testing.T, s Settings, name, text string) {
	t.Helper()
	err := newDaemon(t, s).Run(t.Context())
	if stop, ok := errors.AsType[*stops.Error](err); !ok || stop.Name != name || !strings.Contains(stop.Error(), text) {
		t.Errorf("%v: want the stop %s with %s", err, name, text)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	return body(t, res)
}

func body(t *testing.T, res *http.Response) string {
	t.Helper()
	defer func() { _ = res.Body.Close() }() // it was only read
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
