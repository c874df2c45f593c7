package kafka

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/internal/awake"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// quotas dials brokers that throttle as Kafka does: with the response. What is sent before the time is over is noted.
type quotas struct {
	asks func(key kmsg.Key, n int) time.Duration // for the nth response of a kind, from 1 on

	mu      sync.Mutex
	dials   int
	counts  map[kmsg.Key]int
	until   map[kmsg.Key]time.Time
	tooSoon []string
}

func (q *quotas) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dials++
	return &quotaConn{Conn: c, quotas: q}, err
}

// note writes down what is sent to a broker that throttles.
func (q *quotas) note(c *quotaConn) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	if now.Before(c.muted) {
		q.tooSoon = append(q.tooSoon, fmt.Sprintf("%s over a connection that is muted for %v", c.key.Name(),
			c.muted.Sub(now)))
	}
	if until := q.until[c.key]; now.Before(until) {
		q.tooSoon = append(q.tooSoon, fmt.Sprintf("%s, %v too soon", c.key.Name(), until.Sub(now)))
	}
}

// throttle decides about a response, and changes it.
func (q *quotas) throttle(c *quotaConn, res kmsg.Response) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.counts == nil {
		q.counts, q.until = map[kmsg.Key]int{}, map[kmsg.Key]time.Time{}
	}
	q.counts[c.key]++
	asked := q.asks(c.key, q.counts[c.key])
	if asked == 0 {
		return
	}
	res.(kmsg.SetThrottleResponse).SetThrottle(int32(asked.Milliseconds()))
	if f, ok := res.(*kmsg.FetchResponse); ok { // of a session that goes on, the number stays
		f.Topics = nil
	}
	c.muted = time.Now().Add(asked)
	q.until[c.key] = c.muted
}

// quotaConn has one request under way at a time.
type quotaConn struct {
	net.Conn
	*quotas
	rest    int // bytes of the request that is being written
	key     kmsg.Key
	version int16
	muted   time.Time
	read    []byte // of the response
}

func (c *quotaConn) Write(p []byte) (int, error) {
	if c.rest == 0 {
		c.rest = 4 + int(binary.BigEndian.Uint32(p))
		c.key, c.version = kmsg.Key(binary.BigEndian.Uint16(p[4:])), int16(binary.BigEndian.Uint16(p[6:]))
		c.note(c)
	}
	n, err := c.Conn.Write(p)
	c.rest -= n
	return n, err
}

func (c *quotaConn) Read(p []byte) (int, error) {
	if len(c.read) == 0 {
		if err := c.receive(); err != nil {
			return 0, err
		}
	}
	n := copy(p, c.read)
	c.read = c.read[n:]
	return n, nil
}

// receive reads a response and makes another one of it.
func (c *quotaConn) receive() error {
	var head [8]byte // length and number
	if _, err := io.ReadFull(c.Conn, head[:]); err != nil {
		return err
	}
	body := make([]byte, binary.BigEndian.Uint32(head[:])-4)
	if _, err := io.ReadFull(c.Conn, body); err != nil {
		return err
	}
	res := kmsg.ResponseForKey(int16(c.key))
	res.SetVersion(c.version)
	tags := 0
	if res.IsFlexible() && c.key != kmsg.ApiVersions {
		tags = 1 // an empty list
	}
	if err := res.ReadFrom(body[tags:]); err != nil {
		return err
	}
	c.throttle(c, res)
	c.read = append(head[:], body[:tags]...)
	c.read = res.AppendTo(c.read)
	binary.BigEndian.PutUint32(c.read, uint32(len(c.read)-4))
	return nil
}

// lines is a log that several goroutines write to.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestThrottledRequests: brokers that throttle for longer than a response may take are waited for, whatever they are
// asked. They are not asked before, neither over that connection nor, for the same, over another. No connection is made
// anew for it, no request is made smaller or gets more time, and there is no outage.
func TestThrottledRequests(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	const limit = 150 * time.Millisecond
	q := &quotas{asks: func(key kmsg.Key, n int) time.Duration {
		if key != kmsg.ApiVersions && n%3 == 1 {
			return 2 * limit
		}
		return 0
	}}
	log := &lines{}
	c := b.client(func(o *Options) {
		o.Dial, o.ResponseTimeout, o.Log = q.dial, limit, zerolog.New(log)
		o.fetchWait = 10 * time.Millisecond
	})
	if _, err := c.Topology(timeout(t, 30*time.Second)); err != nil {
		t.Fatal(err)
	}
	j := c.Journal()
	takeover(t, j, topics.NoProducer)
	want := numbered(strings.Repeat("x", 990), 400)
	end := int64(0)
	for i := 0; i < len(want); i += 100 {
		end = appendAll(t, j, topics.Output, 0, want[i:i+100]...)
		b.put(b.name+"-in", 0, recordbatch.None, want[i:i+100]...)
	}
	if values, _ := read(t, c.Open(topics.Input, 0, 0), int64(len(want))); !slices.Equal(values, want) {
		t.Errorf("%d records, want %d", len(values), len(want))
	}
	if err := c.Commit(t.Context(), []int64{1}); err != nil {
		t.Error(err)
	}
	if got := b.output(end); !slices.Equal(got, want) {
		t.Errorf("%d records in the output, want %d", len(got), len(want))
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, key := range []kmsg.Key{kmsg.Produce, kmsg.Fetch, kmsg.Metadata, kmsg.ListOffsets, kmsg.EndTxn,
		kmsg.OffsetCommit, kmsg.DescribeConfigs} {
		if q.counts[key] == 0 {
			t.Errorf("no response to %s", key.Name())
		}
	}
	if len(q.tooSoon) > 0 {
		t.Errorf("sent to a broker that throttles: %q", q.tooSoon)
	}
	if most := 2 * len(q.counts); q.dials > most { // two requests of a kind may be under way
		t.Errorf("%d connections, want %d at most", q.dials, most)
	}
	if text := log.String(); strings.Contains(text, "trying") {
		t.Errorf("logged:\n%s", text)
	}
	if outage, _ := c.Outage(); outage != "" {
		t.Error(outage)
	}
	throttles := c.Throttles()
	i := slices.IndexFunc(throttles, func(x Throttle) bool { return x.Request == "Produce" })
	if i < 0 || throttles[i].Total < 2*limit || throttles[i].Broker == "" {
		t.Errorf("%+v", throttles)
	}
}

// TestThrottledFetches: a quota of bytes read holds up nothing but fetches.
func TestThrottledFetches(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	var used atomic.Bool // the quota
	q := &quotas{asks: func(key kmsg.Key, _ int) time.Duration {
		if used.Load() && key == kmsg.Fetch {
			return time.Hour
		}
		return 0
	}}
	c := b.client(func(o *Options) { o.Dial = q.dial })
	j := c.Journal()
	takeover(t, j, topics.NoProducer)
	used.Store(true)
	r, run, within := c.Open(topics.Input, 0, 0), topics.Run{}, timeout(t, 20*time.Second)
	for len(c.Throttles()) == 0 {
		if err := r.Read(within, &run, 1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := appendOne(within, j, topics.Output, 0, build("x")); err != nil {
		t.Error(err)
	}
	if _, err := c.Topology(within); err != nil {
		t.Error(err)
	}
}

// TestThrottledStop: whoever waits for a broker that throttles ends when it is told to.
func TestThrottledStop(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	q := &quotas{asks: func(key kmsg.Key, _ int) time.Duration {
		if key == kmsg.ListOffsets {
			return time.Hour
		}
		return 0
	}}
	c := b.client(func(o *Options) { o.Dial = q.dial })
	ctx, cancel := awake.Timeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if _, err := c.Topology(ctx); err == nil {
		t.Error("it has not waited")
	}
	if throttles := c.Throttles(); len(throttles) != 1 || time.Until(throttles[0].Until) > 10*time.Minute {
		t.Errorf("it is to wait for ever: %+v", throttles)
	}
}

// TestQuota: a real broker with quotas of 100 kB a second for the client id is waited for, over the connections that
// there are.
func TestQuota(t *testing.T) {
	t.Parallel()
	b := realBed(t, 1)
	client, err := kgo.NewClient(kgo.SeedBrokers(b.brokers...))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	id := "quota-" + b.name
	_, err = kadm.NewClient(client).AlterClientQuotas(t.Context(), []kadm.AlterClientQuotaEntry{{
		Entity: kadm.ClientQuotaEntity{{Type: "client-id", Name: &id}},
		Ops: []kadm.AlterClientQuotaOp{{Key: "producer_byte_rate", Value: 100_000},
			{Key: "consumer_byte_rate", Value: 100_000}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := numbered(strings.Repeat("x", 990), 1500)
	for i := 0; i < len(want); i += 50 {
		b.put(b.name+"-in", 0, recordbatch.None, want[i:i+50]...)
	}
	q := &quotas{asks: func(kmsg.Key, int) time.Duration { return 0 }}
	log := &lines{}
	c := b.client(func(o *Options) {
		o.ClientID, o.Dial, o.ResponseTimeout, o.Log = id, q.dial, 2*time.Second, zerolog.New(log)
	})
	j := c.Journal()
	takeover(t, j, topics.NoProducer)
	if values, _ := read(t, c.Open(topics.Input, 0, 0), int64(len(want))); !slices.Equal(values, want) {
		t.Errorf("%d records, want %d", len(values), len(want))
	}
	for i := 0; i < len(want); i += 50 {
		appendAll(t, j, topics.Output, 0, want[i:i+50]...)
	}
	throttles := c.Throttles()
	for _, name := range []string{"Fetch", "Produce"} {
		i := slices.IndexFunc(throttles, func(x Throttle) bool { return x.Request == name })
		if i < 0 || throttles[i].Total < 2*time.Second {
			t.Errorf("%s: %+v", name, throttles)
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.dials > 12 {
		t.Errorf("%d connections", q.dials)
	}
	if text := log.String(); strings.Contains(text, "trying") || !strings.Contains(text, "throttled") {
		t.Errorf("logged:\n%s", text)
	}
}
