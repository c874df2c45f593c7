package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/fetch"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// stopOf reads until an error comes, which must be a stop.
func stopOf(t *testing.T, r topics.Reader, name string, words ...string) *stops.Error {
	t.Helper()
	_, _, err := readErr(timeout(t, 60*time.Second), r, 1<<62)
	var stop *stops.Error
	if !errors.As(err, &stop) || stop.Name != name {
		t.Fatalf("want the stop %s, got %v", name, err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q is not in %v", w, err)
		}
	}
	return stop
}

func TestReadFromWithinABatch(t *testing.T) {
	t.Parallel()
	b := newBed(t, 2)
	for codec := recordbatch.None; codec <= recordbatch.Zstd; codec++ {
		b.put(b.name+"-in", 1, codec, numbered(codec.String(), 20)...)
	}
	for from := range int64(100) {
		c := b.admin
		values, offsets := read(t, c.Open(topics.Input, 1, from), 100)
		if len(values) != int(100-from) || offsets[0] != from || values[len(values)-1] != "zstd19" {
			t.Fatalf("from %d: %d records, first %d", from, len(values), offsets[0])
		}
		if from > 3 && from < 95 {
			continue
		}
		if !slices.IsSorted(offsets) {
			t.Fatal(offsets)
		}
	}
}

func TestNothingToRead(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	b.put(b.name+"-in", 0, recordbatch.None, "x")
	r := b.admin.Open(topics.Input, 0, 1)
	var c topics.Run
	began := time.Now()
	if err := r.Read(timeout(t, 10*time.Second), &c, 10); err != nil || len(c.Records) != 0 || c.Next != 1 {
		t.Fatal(c, err)
	}
	if d := time.Since(began); d < 100*time.Millisecond {
		t.Fatalf("waited %v", d)
	}
	b.put(b.name+"-in", 0, recordbatch.None, "y")
	values, _ := read(t, r, 2)
	if !slices.Equal(values, []string{"y"}) {
		t.Fatal(values)
	}
}

func TestInputGoneAndBeyondEnd(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	b.put(b.name+"-in", 0, recordbatch.None, numbered("v", 100)...)
	b.cut(b.name+"-in", 0, 55)
	stopOf(t, b.admin.Open(topics.Input, 0, 10), stops.InputGone, "offset 10,", "from 55 to 100")
	stopOf(t, b.admin.Open(topics.Input, 0, 500), stops.BeyondEnd, "offset 500,", "from 55 to 100")
	values, _ := read(t, b.admin.Open(topics.Input, 0, 57), 100)
	if len(values) != 43 || values[0] != "v57" {
		t.Fatal(values)
	}
	b.put(b.name+"-out", 0, recordbatch.None, "a")
	stopOf(t, b.admin.Open(topics.Output, 0, 7), stops.JournalGone)
	stopOf(t, b.admin.Open(topics.DeadLetters, 0, 7), stops.DeadLettersGone)
}

func (b *bed) recreated(c *Client) topics.Reader {
	in := b.name + "-in"
	b.put(in, 0, recordbatch.None, numbered("old", 10)...)
	read(b.t, c.Open(topics.Input, 0, 0), 10)
	b.remove(in)
	err := b.admin.cluster.Retry(timeout(b.t, 30*time.Second), "gone", 0, func(ctx context.Context) error {
		_, ms, err := b.admin.cluster.Describe(ctx, in)
		if err == nil && !ms[0].Missing {
			err = fmt.Errorf("still there")
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.admin = b.client(nil)
	b.create(in, 1)
	b.put(in, 0, recordbatch.None, numbered("new", 50)...)
	return c.Open(topics.Input, 0, 10) // no request of its own has met the deletion
}

func (b *bed) fetchesByID() bool {
	b.t.Helper()
	ctx := timeout(b.t, 10*time.Second)
	c := b.client(nil)
	id, err := c.cluster.TopicID(ctx, c.opt.Input)
	if err != nil {
		b.t.Fatal(err)
	}
	req := c.fetcher.Request(fetch.Partition{Topic: c.opt.Input, ID: id})
	all, err := c.fetcher.Fetch(ctx, cluster.Leader(c.opt.Input, 0), req)
	if err = cmp.Or(err, all[0].Err); err != nil {
		b.t.Fatal(err)
	}
	return all[0].Result.ByID
}

// The new topic's log has grown past the position: by offsets alone nothing is wrong.
func TestTopicRecreated(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	if !b.fetchesByID() {
		t.Error("fetches do not name the topic by its id")
	}
	stopOf(t, b.recreated(b.client(nil)), stops.TopicChanged)
}

func TestTopicRecreatedOnAnOldBroker(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1, kfake.MaxVersions(kversion.V3_0_0())) // Fetch ends at 12: without ids
	if b.fetchesByID() {
		t.Error("Fetch of version 12 has no ids")
	}
	c := b.client(func(o *Options) { o.identity = time.Nanosecond })
	stopOf(t, b.recreated(c), stops.TopicChanged)
}

func TestLeaderMoves(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1, kfake.NumBrokers(3))
	in, out := b.name+"-in", b.name+"-out"
	c := b.client(nil)
	j := c.Journal()
	takeover(t, j, topics.NoProducer)
	r := c.Open(topics.Input, 0, 0)
	var wrote []string
	var end int64
	for n := range 6 {
		for _, topic := range []string{in, out} {
			if err := b.fake.MoveTopicPartition(topic, 0, int32(n%3)); err != nil {
				t.Fatal(err)
			}
		}
		v := fmt.Sprint("v", n)
		wrote = append(wrote, v)
		b.put(in, 0, recordbatch.None, v)
		end = appendAll(t, j, topics.Output, 0, v)
		if values, _ := read(t, r, int64(n+1)); values[len(values)-1] != v {
			t.Fatalf("read %q", values)
		}
	}
	if got := b.output(end); !slices.Equal(got, wrote) {
		t.Fatalf("the log holds %q", got)
	}
}

func TestOutageAndRecovery(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	b.put(b.name+"-in", 0, recordbatch.None, "x")
	c := b.client(nil)
	r := c.Open(topics.Input, 0, 0)
	read(t, r, 1)
	if text, _ := c.Outage(); text != "" {
		t.Fatal(text)
	}
	h := b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Err: kerr.NotLeaderForPartition, Count: -1})
	var run topics.Run
	for text := ""; text == ""; text, _ = c.Outage() {
		if err := r.Read(timeout(t, 10*time.Second), &run, 1); err != nil {
			t.Fatal(err)
		}
	}
	if text, since := c.Outage(); !strings.Contains(text, "NOT_LEADER_FOR_PARTITION") || since.IsZero() {
		t.Fatal(text, since)
	}
	h.Remove()
	b.put(b.name+"-in", 0, recordbatch.None, "y")
	read(t, r, 2)
	if text, _ := c.Outage(); text != "" {
		t.Fatal(text)
	}
}

func TestBlackHoledFetch(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	b.put(b.name+"-in", 0, recordbatch.None, "x")
	c := b.client(func(o *Options) { o.Dial, o.ResponseTimeout = swallow(kmsg.Fetch, 2).dial, 300*time.Millisecond })
	r := c.Open(topics.Input, 0, 0)
	var run topics.Run
	if err := r.Read(timeout(t, 5*time.Second), &run, 1); err != nil {
		t.Fatal(err) // a Read returns in time, whatever the broker does
	}
	if values, _ := read(t, r, 1); !slices.Equal(values, []string{"x"}) {
		t.Fatal(values)
	}
}

func TestReadAfterAnotherContextEnded(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	r := b.admin.Open(topics.Input, 0, 0)
	var run topics.Run
	for _, d := range []time.Duration{time.Millisecond, 50 * time.Millisecond, 120 * time.Millisecond} {
		if _, _, err := readErr(deadline(t, d), r, 1); err == nil {
			t.Fatal("read without records")
		}
		if err := r.Read(timeout(t, 10*time.Second), &run, 1); err != nil {
			t.Fatal(err)
		}
	}
	b.put(b.name+"-in", 0, recordbatch.None, "x")
	if values, _ := read(t, r, 1); !slices.Equal(values, []string{"x"}) {
		t.Fatal(values)
	}
}

// withoutIDs makes kfake respond to our metadata requests as brokers do whose topics have no ids, until it gets them.
func (b *bed) withoutIDs(partitions map[string]int) (idsGiven *atomic.Bool) {
	idsGiven = new(atomic.Bool)
	b.fake.ControlKey(int16(kmsg.Metadata), func(kreq kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		req := kreq.(*kmsg.MetadataRequest)
		if req.Version < 10 || idsGiven.Load() {
			return nil, nil, false
		}
		res := req.ResponseKind().(*kmsg.MetadataResponse)
		broker := kmsg.NewMetadataResponseBroker()
		host, port, _ := net.SplitHostPort(b.brokers[0])
		broker.Host = host
		_, _ = fmt.Sscan(port, &broker.Port)
		res.Brokers = append(res.Brokers, broker)
		for _, asked := range req.Topics {
			t := kmsg.NewMetadataResponseTopic()
			t.Topic = asked.Topic
			for p := range partitions[*asked.Topic] {
				x := kmsg.NewMetadataResponseTopicPartition()
				x.Partition = int32(p)
				t.Partitions = append(t.Partitions, x)
			}
			res.Topics = append(res.Topics, t)
		}
		return res, nil, true
	})
	return idsGiven
}

// TestTopicsWithoutID: brokers that fetch by id may have topics without one, after an upgrade from before Kafka 2.8.
// They are fetched by name, and the id that they get later is no other topic's.
func TestTopicsWithoutID(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	in := b.name + "-in"
	idsGiven := b.withoutIDs(map[string]int{in: 1, b.name + "-out": 2, b.name + "-dlq": 1})
	b.put(in, 0, recordbatch.None, numbered("v", 10)...)
	c := b.client(func(o *Options) { o.identity = time.Nanosecond })
	top, err := c.Topology(timeout(t, 30*time.Second))
	if err != nil || top.Input.ID != "" {
		t.Fatal(top, err)
	}
	takeover(t, c.Journal(), topics.NoProducer)
	r := c.Open(topics.Input, 0, 0)
	if values, _ := read(t, r, 10); len(values) != 10 {
		t.Fatalf("%q", values)
	}
	idsGiven.Store(true)
	b.put(in, 0, recordbatch.None, numbered("w", 10)...)
	if values, _ := read(t, r, 20); len(values) != 10 {
		t.Fatalf("%q", values)
	}
	if top, err = c.Topology(timeout(t, 30*time.Second)); err != nil || len(top.Input.ID) != 32 {
		t.Fatal(top, err)
	}
	b.remove(in)
	b.create(in, 1)
	if _, err := c.Topology(timeout(t, 30*time.Second)); err != nil {
		t.Fatal(err) // whether it is another topic is compared by the task and by readers
	}
	stopOf(t, r, stops.TopicChanged)
}
