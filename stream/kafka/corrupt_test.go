package kafka

import (
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream/kafka/fetch"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// flip makes a tap that changes a byte of what is read n times, wherever a mark occurs in it, and counts the
// connections on which it did.
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
	t.Parallel()
	b := newBed(t, 1)
	b.put(b.name+"-in", 0, recordbatch.None, numbered("v", 10)...)
	b.put(b.name+"-in", 0, recordbatch.None, "v10", "FLIPFLIPFLIP", "v12")
	b.put(b.name+"-in", 0, recordbatch.None, numbered("w", 5)...)
	want := slices.Concat(numbered("v", 11), []string{"FLIPFLIPFLIP", "v12"}, numbered("w", 5))

	x, on := flip("FLIPFLIPFLIP", fetch.MaxBadReads-1)
	c := b.client(func(o *Options) { o.Dial = x.dial })
	r := c.Open(topics.Input, 0, 10)
	values, _ := read(t, r, 18)
	if !slices.Equal(values, want[10:]) {
		t.Fatalf("read %q", values)
	}
	if r.(*reader).badReads != 0 {
		t.Error("the badReads outlive the batch")
	}
	if n := on.Load(); n < 3 {
		t.Errorf("%d attempts on %d connections", fetch.MaxBadReads-1, n)
	}

	bad := b.client(flipForEver)
	stopOf(t, bad.Open(topics.Input, 0, 0), stops.BadBatch, b.name+"-in/0", "offsets 10 to 12", "--skip 0:10-12", "CRC")

	skip := b.client(flipForEver)
	skip.Skip([]topics.SkipRange{{From: 10, To: 12}})
	values, _ = read(t, skip.Open(topics.Input, 0, 0), 18)
	if !slices.Equal(values, slices.Concat(want[:10], want[13:])) || skip.Skipped() != 3 {
		t.Fatalf("read %q, skipped %d", values, skip.Skipped())
	}
}

func TestSkipSoundRecords(t *testing.T) {
	t.Parallel()
	b := newBed(t, 2)
	b.put(b.name+"-in", 0, recordbatch.None, numbered("v", 10)...)
	b.put(b.name+"-in", 1, recordbatch.None, numbered("v", 10)...)
	c := b.client(nil)
	c.Skip([]topics.SkipRange{{From: 3, To: 5}, {From: 9, To: 20}})
	values, _ := read(t, c.Open(topics.Input, 0, 0), 10)
	if got := strings.Join(values, " "); got != "v0 v1 v2 v6 v7 v8" || c.Skipped() != 4 {
		t.Fatalf("read %s, skipped %d", got, c.Skipped())
	}
	if values, _ = read(t, c.Open(topics.Input, 1, 0), 10); len(values) != 10 {
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
	stopOf(t, c.Open(topics.Input, 0, 0), stops.BadBatch, "--skip 0:1-1")
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 40<<20 {
		t.Errorf("took %d MiB for a batch limited to 4", took>>20)
	}
	c = b.client(func(o *Options) { o.MaxBatchBytes = 4 << 20 })
	c.Skip([]topics.SkipRange{{From: 1, To: 1}})
	if values, _ := read(t, c.Open(topics.Input, 0, 0), 3); !slices.Equal(values, []string{"before", "behind"}) {
		t.Fatalf("read %q", values)
	}
}

func TestBatchOverTheLimitAsItIs(t *testing.T) {
	t.Parallel()
	b := newBed(t, 0)
	b.create(b.name+"-in", 1, "max.message.bytes", "10000000")
	b.create(b.name+"-out", 1)
	b.create(b.name+"-dlq", 1)
	b.put(b.name+"-in", 0, recordbatch.None, numbered("v", 5)...)
	b.put(b.name+"-in", 0, recordbatch.None, strings.Repeat("x", 4<<20), "y", "z")
	b.put(b.name+"-in", 0, recordbatch.None, "behind")
	small := func(o *Options) { o.MaxBatchBytes = 1 << 20 }
	stopOf(t, b.client(small).Open(topics.Input, 0, 0), stops.BadBatch, "offsets 5 to 7")
	c := b.client(small)
	c.Skip([]topics.SkipRange{{From: 5, To: 7}})
	if values, _ := read(t, c.Open(topics.Input, 0, 0), 9); len(values) != 6 || values[5] != "behind" {
		t.Fatalf("read %q", values)
	}
}
