package kafka

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/fetch"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A filter that takes entries off the aborted list before data batches only loses committed records here at 300 bytes.
func TestTransactionalInput(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	in := b.name + "-in"
	ctx := timeout(t, 120*time.Second)
	rng := rand.New(rand.NewSource(1))
	truth := map[int64]string{}
	producers := []*txnProducer{b.txnProducer("a", in), b.txnProducer("b", in), b.txnProducer("c", in)}
	for n := range 250 {
		v := numbered(fmt.Sprint(n, "-"), 1+rng.Intn(4))
		i := rng.Intn(len(producers) + 1)
		if i == len(producers) {
			base := b.put(in, 0, recordbatch.None, v...)
			for k := range v {
				truth[base+int64(k)] = v[k]
			}
			continue
		}
		if rng.Intn(3) > 0 {
			producers[i].put(ctx, v...)
			continue
		}
		for o, v := range producers[i].end(ctx, rng.Intn(2) == 0) {
			truth[o] = v
		}
	}
	for _, x := range producers {
		x.end(ctx, false)
	}
	end := b.settled()
	for _, size := range []int32{1, 300, 5000, 1 << 20} {
		for _, from := range []int64{0, end / 3, end / 2} {
			c := b.client(func(o *Options) { o.fetchBytes = size })
			values, offsets := read(t, c.Open(topics.Input, 0, from), end)
			b.compare(fmt.Sprintf("%d bytes from %d", size, from), truth, from, values, offsets)
		}
	}
}

// settled waits until no transaction is open in the input and returns its end.
func (b *bed) settled() (end int64) {
	b.t.Helper()
	err := b.admin.cluster.Retry(timeout(b.t, 30*time.Second), "settle", 0, func(ctx context.Context) error {
		top, err := b.admin.topology(ctx, nil)
		if err == nil && top.Input.Partitions[0].Stable != top.Input.Partitions[0].End {
			err = fmt.Errorf("a transaction is open")
		}
		if err == nil {
			end = top.Input.Partitions[0].End
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return end
}

func (b *bed) compare(what string, truth map[int64]string, from int64, values []string, offsets []int64) {
	b.t.Helper()
	want := 0
	for o := range truth {
		if o >= from {
			want++
		}
	}
	if len(values) != want || !slices.IsSorted(offsets) {
		b.t.Fatalf("%s: %d records, want %d", what, len(values), want)
	}
	for i, o := range offsets {
		if truth[o] != values[i] {
			b.t.Fatalf("%s: offset %d holds %q, want %q", what, o, values[i], truth[o])
		}
	}
}

// Between the last stable offset and the high watermark brokers respond at once: the reader must not spin.
func TestOpenTransactionBlocksReader(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	in := b.name + "-in"
	ctx := timeout(t, 60*time.Second)
	x := b.txnProducer("x", in)
	b.put(in, 0, recordbatch.None, "before")
	x.put(ctx, "open")
	b.put(in, 0, recordbatch.None, "behind")
	var fetches atomic.Int64
	c := b.client(func(o *Options) {
		o.Dial = (&tap{onWrite: func(_ *tapped, p []byte) error {
			if isRequest(p, kmsg.Fetch) {
				fetches.Add(1)
			}
			return nil
		}}).dial
	})
	r := c.Open(topics.Input, 0, 0)
	read(t, r, 1)
	var run topics.Run
	for began := time.Now(); time.Since(began) < time.Second; {
		if err := r.Read(ctx, &run, 10); err != nil || len(run.Records) > 0 || run.Next != 1 {
			t.Fatal(run, err)
		}
	}
	if n := fetches.Load(); n > 60 {
		t.Errorf("%d fetches in a second of waiting", n)
	}
	x.end(ctx, true)
	if values, _ := read(t, r, b.settled()); !slices.Equal(values, []string{"open", "behind"}) {
		t.Fatal(values)
	}
}

// A broker that responds at once with nothing, as measured between the last stable offset and the high watermark.
func TestEmptyResponsesAtOnce(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	var fetches atomic.Int64
	c := b.client(func(o *Options) {
		o.Dial = (&tap{onWrite: func(_ *tapped, p []byte) error {
			if isRequest(p, kmsg.Fetch) {
				fetches.Add(1)
			}
			return nil
		}}).dial
	})
	b.serve(true)
	r := c.Open(topics.Input, 0, 0)
	var run topics.Run
	for began := time.Now(); time.Since(began) < time.Second; {
		if err := r.Read(timeout(t, 10*time.Second), &run, 10); err != nil || len(run.Records) > 0 {
			t.Fatal(run, err)
		}
	}
	if n := fetches.Load(); n > 60 {
		t.Errorf("%d fetches in a second of waiting", n)
	}
}

// sparse makes a batch as compaction leaves it: of offsets 0 to last only some are there.
func sparse(base, last int64, keep ...int) []byte {
	records := []byte{}
	for _, delta := range keep {
		v := fmt.Sprint("v", base+int64(delta))
		rec := []byte{0, 0}
		rec = binary.AppendVarint(rec, int64(delta))
		rec = binary.AppendVarint(rec, -1)
		rec = binary.AppendVarint(rec, int64(len(v)))
		rec = append(append(rec, v...), 0)
		records = append(binary.AppendVarint(records, int64(len(rec))), rec...)
	}
	d := append(make([]byte, recordbatch.HeaderSize), records...)
	be := binary.BigEndian
	be.PutUint64(d, uint64(base))
	be.PutUint32(d[recordbatch.LengthAt:], uint32(len(d)-12))
	d[recordbatch.MagicAt] = 2
	be.PutUint32(d[recordbatch.LastDeltaAt:], uint32(last-base))
	be.PutUint64(d[43:], ^uint64(0))
	be.PutUint16(d[51:], ^uint16(0))
	be.PutUint32(d[53:], ^uint32(0))
	be.PutUint32(d[57:], uint32(len(keep)))
	be.PutUint32(d[17:], crc32.Checksum(d[21:], crc32.MakeTable(crc32.Castagnoli)))
	return d
}

// serve makes the fake broker respond to every fetch of the input from these batches: from the one that holds the
// offset on.
func (b *bed) serve(all bool, batches ...[]byte) {
	b.fake.ControlKey(int16(kmsg.Fetch), func(q kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		req := q.(*kmsg.FetchRequest)
		res := req.ResponseKind().(*kmsg.FetchResponse)
		rt := kmsg.NewFetchResponseTopic()
		rt.Topic, rt.TopicID = req.Topics[0].Topic, req.Topics[0].TopicID
		rp := kmsg.NewFetchResponseTopicPartition()
		rp.Partition, rp.HighWatermark, rp.LastStableOffset = req.Topics[0].Partitions[0].Partition, 1000, 1000
		rp.RecordBatches = []byte{}
		for _, d := range batches {
			last := int64(binary.BigEndian.Uint64(d)) + int64(binary.BigEndian.Uint32(d[recordbatch.LastDeltaAt:]))
			if last >= req.Topics[0].Partitions[0].FetchOffset && (all || len(rp.RecordBatches) == 0) {
				rp.RecordBatches = append(rp.RecordBatches, d...)
			}
		}
		rt.Partitions = append(rt.Partitions, rp)
		res.Topics = append(res.Topics, rt)
		return res, nil, true
	})
}

func TestCompactedGaps(t *testing.T) {
	t.Parallel()
	for _, all := range []bool{false, true} {
		b := fakeBed(t, 1)
		b.serve(all, sparse(0, 9, 3, 7), sparse(20, 119), sparse(120, 129), sparse(130, 139, 9), sparse(500, 509, 0))
		values, offsets := read(t, b.admin.Open(topics.Input, 0, 4), 510)
		if !slices.Equal(offsets, []int64{7, 139, 500}) || values[0] != "v7" {
			t.Fatal(values, offsets)
		}
	}
}

func TestCompactedTopic(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 0)
	b.create(b.name+"-in", 1, "cleanup.policy", "compact")
	b.create(b.name+"-out", 1)
	b.create(b.name+"-dlq", 1)
	for n := range 5 {
		b.put(b.name+"-in", 0, recordbatch.None, numbered(fmt.Sprint(n), 4)...) // keys k0 to k3 each time
	}
	b.fake.Compact()
	top, err := b.admin.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	values, _ := read(t, b.admin.Open(topics.Input, 0, top.Input.Partitions[0].Start), 20)
	if len(values) < 4 || !slices.Equal(values[len(values)-4:], numbered("4", 4)) {
		t.Fatal(values, top.Input.Partitions)
	}
}

func TestFilterNeedsControlBatches(t *testing.T) {
	t.Parallel()
	f := newFilter([]fetch.Aborted{{Producer: 7, First: 30}, {Producer: 7, First: 10}})
	for _, step := range []struct {
		base          int64
		control, keep bool
	}{{10, false, false}, {15, false, false}, {20, true, false}, {25, false, true}, {28, true, false},
		{30, false, false},
		{35, true, false}, {40, false, true}} {
		b := recordbatch.Batch{BaseOffset: step.base, LastOffset: step.base, ProducerID: 7, Transactional: true,
			Control: step.control}
		if got := f.keep(&b); got != step.keep {
			t.Errorf("batch at %d: keep %v", step.base, got)
		}
	}
	f = newFilter([]fetch.Aborted{{Producer: 7, First: 10}}) // the result starts at the abort marker
	if f.keep(&recordbatch.Batch{BaseOffset: 20, ProducerID: 7, Transactional: true, Control: true}) ||
		!f.keep(&recordbatch.Batch{BaseOffset: 21, ProducerID: 7, Transactional: true}) {
		t.Error("an aborted transaction that has ended swallows the next one")
	}
}
