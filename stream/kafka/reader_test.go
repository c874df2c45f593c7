package kafka

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"rosenblatt/stream"
	"rosenblatt/stream/recordbatch"
)

// stopOf reads until an error comes and wants it to be a stop.
func stopOf(t *testing.T, r stream.Reader, name string, words ...string) *stream.Stop {
	t.Helper()
	_, _, err := readErr(timeout(t, 60*time.Second), r, 1<<62)
	if !stream.IsStop(err, name) {
		t.Fatalf("want the stop %s, got %v", name, err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q is not in %v", w, err)
		}
	}
	return err.(*stream.Stop)
}

func TestReadFromWithinABatch(t *testing.T) {
	b := newBed(t, 2)
	for codec := recordbatch.None; codec <= recordbatch.Zstd; codec++ {
		b.put(b.name+"-in", 1, codec, numbered(codec.String(), 20)...)
	}
	for from := range int64(100) {
		c := b.admin
		values, offsets := read(t, c.Open(stream.Input, 1, from), 100)
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
	b := newBed(t, 1)
	b.put(b.name+"-in", 0, recordbatch.None, "x")
	r := b.admin.Open(stream.Input, 0, 1)
	var c stream.Chunk
	began := time.Now()
	if err := r.Read(timeout(t, 10*time.Second), &c, 10); err != nil || len(c.Records) != 0 || c.Next != 1 {
		t.Fatal(c, err)
	}
	if d := time.Since(began); d < 100*time.Millisecond || d > 2*time.Second {
		t.Fatalf("waited %v", d)
	}
	b.put(b.name+"-in", 0, recordbatch.None, "y")
	values, _ := read(t, r, 2)
	if !slices.Equal(values, []string{"y"}) {
		t.Fatal(values)
	}
}

func TestInputGoneAndBeyondEnd(t *testing.T) {
	b := newBed(t, 1)
	b.put(b.name+"-in", 0, recordbatch.None, numbered("v", 100)...)
	b.cut(b.name+"-in", 0, 55)
	stopOf(t, b.admin.Open(stream.Input, 0, 10), stream.InputGone, "offset 10,", "from 55 to 100")
	stopOf(t, b.admin.Open(stream.Input, 0, 500), stream.BeyondEnd, "offset 500,", "from 55 to 100")
	values, _ := read(t, b.admin.Open(stream.Input, 0, 57), 100)
	if len(values) != 43 || values[0] != "v57" {
		t.Fatal(values)
	}
	b.put(b.name+"-out", 0, recordbatch.None, "a")
	stopOf(t, b.admin.Open(stream.Answers, 0, 7), stream.JournalGone)
	stopOf(t, b.admin.Open(stream.Letters, 0, 7), stream.LettersGone)
}

func (b *bed) recreated(c *Client) stream.Reader {
	in := b.name + "-in"
	b.put(in, 0, recordbatch.None, numbered("old", 10)...)
	read(b.t, c.Open(stream.Input, 0, 0), 10)
	b.remove(in)
	err := b.admin.persist(timeout(b.t, 30*time.Second), "gone", 0, func(ctx context.Context) error {
		_, ms, err := b.admin.describe(ctx, in)
		if err == nil && !ms[0].missing {
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
	return c.Open(stream.Input, 0, 10) // no request of its own has met the deletion
}

func (b *bed) fetchesByID() bool {
	b.t.Helper()
	ctx := timeout(b.t, 10*time.Second)
	c := b.client(nil)
	id, err := c.topicID(ctx, c.opt.Input)
	if err != nil {
		b.t.Fatal(err)
	}
	h, err := c.fetch(ctx, window{topic: c.opt.Input, id: id, bytes: 1000})
	if err != nil {
		b.t.Fatal(err)
	}
	return h.byID
}

// The new topic's log has grown past the position: by offsets alone nothing is wrong.
func TestTopicRecreated(t *testing.T) {
	b := newBed(t, 1)
	if !b.fetchesByID() {
		t.Error("fetches do not name the topic by its id")
	}
	stopOf(t, b.recreated(b.client(nil)), stream.TopicChanged)
}

func TestTopicRecreatedOnAnOldBroker(t *testing.T) {
	b := fakeBed(t, 1, kfake.MaxVersions(kversion.V3_0_0())) // Fetch ends at 12: without ids
	if b.fetchesByID() {
		t.Error("Fetch of version 12 has no ids")
	}
	c := b.client(func(o *Options) { o.identity = time.Nanosecond })
	stopOf(t, b.recreated(c), stream.TopicChanged)
}

// flip makes a tap that changes a byte of what is read n times, wherever a mark stands in it, and counts the connections on
// which it did.
func flip(mark string, n int64) (x *tap, on *atomic.Int64) {
	var done atomic.Int64
	on = &atomic.Int64{}
	return &tap{onRead: func(c *tapped, p []byte) error {
		if i := strings.Index(string(p), mark); i >= 0 && done.Add(1) <= n {
			p[i]++
			if !c.marked.Swap(true) {
				on.Add(1)
			}
		}
		return nil
	}}, on
}

func flipForEver(o *Options) {
	x, _ := flip("FLIPFLIPFLIP", 1<<60)
	o.Dial = x.dial
}

func TestCorruptOnTheWire(t *testing.T) {
	b := newBed(t, 1)
	b.put(b.name+"-in", 0, recordbatch.None, numbered("v", 10)...)
	b.put(b.name+"-in", 0, recordbatch.None, "v10", "FLIPFLIPFLIP", "v12")
	b.put(b.name+"-in", 0, recordbatch.None, numbered("w", 5)...)
	want := slices.Concat(numbered("v", 11), []string{"FLIPFLIPFLIP", "v12"}, numbered("w", 5))

	x, on := flip("FLIPFLIPFLIP", maxStrikes-1)
	c := b.client(func(o *Options) { o.Dial = x.dial })
	r := c.Open(stream.Input, 0, 10)
	values, _ := read(t, r, 18)
	if !slices.Equal(values, want[10:]) {
		t.Fatalf("read %q", values)
	}
	if r.(*reader).strikes != 0 {
		t.Error("the strikes outlive the batch")
	}
	if n := on.Load(); n < 3 {
		t.Errorf("%d attempts on %d connections", maxStrikes-1, n)
	}

	bad := b.client(flipForEver)
	stopOf(t, bad.Open(stream.Input, 0, 0), stream.BadBatch, b.name+"-in/0", "offsets 10 to 12", "--skip 0:10-12", "CRC")

	skip := b.client(func(o *Options) {
		flipForEver(o)
		o.Skip = []SkipRange{{0, 10, 12}}
	})
	values, _ = read(t, skip.Open(stream.Input, 0, 0), 18)
	if !slices.Equal(values, slices.Concat(want[:10], want[13:])) || skip.Skipped() != 3 {
		t.Fatalf("read %q, skipped %d", values, skip.Skipped())
	}
}

func TestSkipSoundRecords(t *testing.T) {
	b := newBed(t, 2)
	b.put(b.name+"-in", 0, recordbatch.None, numbered("v", 10)...)
	b.put(b.name+"-in", 1, recordbatch.None, numbered("v", 10)...)
	c := b.client(func(o *Options) { o.Skip = []SkipRange{{0, 3, 5}, {0, 9, 20}} })
	values, _ := read(t, c.Open(stream.Input, 0, 0), 10)
	if got := strings.Join(values, " "); got != "v0 v1 v2 v6 v7 v8" || c.Skipped() != 4 {
		t.Fatalf("read %s, skipped %d", got, c.Skipped())
	}
	if values, _ = read(t, c.Open(stream.Input, 1, 0), 10); len(values) != 10 {
		t.Fatalf("another partition: %q", values)
	}
}

func TestBomb(t *testing.T) {
	b := newBed(t, 0)
	b.create(b.name+"-in", 1, "max.message.bytes", "10000000")
	b.create(b.name+"-out", 1)
	b.create(b.name+"-dlq", 1)
	b.put(b.name+"-in", 0, recordbatch.None, "before")
	var batch recordbatch.Builder
	batch.Limit = 300 << 20
	batch.Append(time.Now().UnixMilli(), nil, make([]byte, 200<<20))
	data, err := batch.Seal(-1, -1, -1, recordbatch.Zstd)
	if err != nil {
		t.Fatal(err)
	}
	b.putRaw(b.name+"-in", 0, data)
	b.put(b.name+"-in", 0, recordbatch.None, "behind")
	batch = recordbatch.Builder{}
	runtime.GC()

	c := b.client(func(o *Options) { o.MaxBatchBytes = 4 << 20 })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	stopOf(t, c.Open(stream.Input, 0, 0), stream.BadBatch, "--skip 0:1-1")
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 40<<20 {
		t.Errorf("took %d MiB for a batch limited to 4", took>>20)
	}
	c = b.client(func(o *Options) { o.MaxBatchBytes, o.Skip = 4<<20, []SkipRange{{0, 1, 1}} })
	if values, _ := read(t, c.Open(stream.Input, 0, 0), 3); !slices.Equal(values, []string{"before", "behind"}) {
		t.Fatalf("read %q", values)
	}
}

func TestBatchOverTheLimitAsItIs(t *testing.T) {
	b := newBed(t, 0)
	b.create(b.name+"-in", 1, "max.message.bytes", "10000000")
	b.create(b.name+"-out", 1)
	b.create(b.name+"-dlq", 1)
	b.put(b.name+"-in", 0, recordbatch.None, numbered("v", 5)...)
	b.put(b.name+"-in", 0, recordbatch.None, strings.Repeat("x", 4<<20), "y", "z")
	b.put(b.name+"-in", 0, recordbatch.None, "behind")
	small := func(o *Options) { o.MaxBatchBytes = 1 << 20 }
	stopOf(t, b.client(small).Open(stream.Input, 0, 0), stream.BadBatch, "offsets 5 to 7")
	c := b.client(func(o *Options) { small(o); o.Skip = []SkipRange{{0, 5, 7}} })
	if values, _ := read(t, c.Open(stream.Input, 0, 0), 9); len(values) != 6 || values[5] != "behind" {
		t.Fatalf("read %q", values)
	}
}

func TestLeaderMoves(t *testing.T) {
	b := fakeBed(t, 1, kfake.NumBrokers(3))
	in, out := b.name+"-in", b.name+"-out"
	c := b.client(nil)
	j := c.Journal()
	takeover(t, j, stream.NoProducer)
	r := c.Open(stream.Input, 0, 0)
	var want, wrote []string
	var end int64
	for n := range 6 {
		for _, topic := range []string{in, out} {
			if err := b.fake.MoveTopicPartition(topic, 0, int32(n%3)); err != nil {
				t.Fatal(err)
			}
		}
		v := fmt.Sprint("v", n)
		want, wrote = append(want, v), append(wrote, v)
		b.put(in, 0, recordbatch.None, v)
		end = appendAll(t, j, stream.Answers, 0, v)
		if values, _ := read(t, r, int64(n+1)); values[len(values)-1] != v {
			t.Fatalf("read %q", values)
		}
	}
	if got := b.answers(end); !slices.Equal(got, wrote) {
		t.Fatalf("the log holds %q", got)
	}
}

func TestTroubleComesAndGoes(t *testing.T) {
	b := fakeBed(t, 1)
	b.put(b.name+"-in", 0, recordbatch.None, "x")
	c := b.client(nil)
	r := c.Open(stream.Input, 0, 0)
	read(t, r, 1)
	if text, _ := c.Trouble(); text != "" {
		t.Fatal(text)
	}
	h := b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Err: kerr.NotLeaderForPartition, Count: -1})
	var chunk stream.Chunk
	for text := ""; text == ""; text, _ = c.Trouble() {
		if err := r.Read(timeout(t, 10*time.Second), &chunk, 1); err != nil {
			t.Fatal(err)
		}
	}
	if text, since := c.Trouble(); !strings.Contains(text, "[6]") || since.IsZero() {
		t.Fatal(text, since)
	}
	h.Remove()
	b.put(b.name+"-in", 0, recordbatch.None, "y")
	read(t, r, 2)
	if text, _ := c.Trouble(); text != "" {
		t.Fatal(text)
	}
}

func TestBlackHoledFetch(t *testing.T) {
	b := newBed(t, 1)
	b.put(b.name+"-in", 0, recordbatch.None, "x")
	c := b.client(func(o *Options) { o.Dial, o.request = swallow(kmsg.Fetch, 2).dial, 300*time.Millisecond })
	r := c.Open(stream.Input, 0, 0)
	var chunk stream.Chunk
	began := time.Now()
	if err := r.Read(timeout(t, 10*time.Second), &chunk, 1); err != nil || time.Since(began) > 5*time.Second {
		t.Fatal(err, time.Since(began)) // a Read returns in time, whatever the broker does
	}
	if values, _ := read(t, r, 1); !slices.Equal(values, []string{"x"}) {
		t.Fatal(values)
	}
}

func TestReadAfterAnotherContextEnded(t *testing.T) {
	b := newBed(t, 1)
	r := b.admin.Open(stream.Input, 0, 0)
	var chunk stream.Chunk
	for _, d := range []time.Duration{time.Millisecond, 50 * time.Millisecond, 120 * time.Millisecond} {
		if _, _, err := readErr(timeout(t, d), r, 1); err == nil {
			t.Fatal("read without records")
		}
		if err := r.Read(timeout(t, 10*time.Second), &chunk, 1); err != nil {
			t.Fatal(err)
		}
	}
	b.put(b.name+"-in", 0, recordbatch.None, "x")
	if values, _ := read(t, r, 1); !slices.Equal(values, []string{"x"}) {
		t.Fatal(values)
	}
}
