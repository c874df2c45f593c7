package kafka

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// A fetchRequest is a question for records: of one partition, from one offset on.
type fetchRequest struct {
	topic      string
	id         [16]byte
	partition  int32
	at         int64
	isolation  int8
	bytes      int32
	wait       time.Duration
	disconnect bool // use another connection afterwards
}

// A fetchResult is the answer to a window: record batches as they came, and what belongs to them.
type fetchResult struct {
	at      int64
	data    []byte
	aborted []abortedTxn // transactions that were aborted, overlapping data; in isolation committed only
	high    int64        // the high watermark
	byID    bool         // the broker was asked by topic id, so this is the topic that was meant
	took    time.Duration
	buffer  []byte // what data lies in, if it is to be used again, else nil
}

// abortedTxn is one aborted transaction of a producer, from its first offset on.
type abortedTxn struct{ producer, first int64 }

// oversized is a batch that is larger than what may be fetched.
type oversized struct {
	size        int
	first, last int64 // of the batch
}

func (o *oversized) Error() string { return fmt.Sprintf("a batch of about %d bytes", o.size) }

// few tells whether the input has so few partitions that each is asked ahead. More of them are ahead of one another.
func (c *Client) few() bool { return c.inputs.Load() <= 2 }

// fetchBytes is how many bytes one fetch asks for. A broker's work is for each request as much as for hundreds of records, and a batch of
// answers is as long as what came in one fetch; but many partitions share the memory of a few. It is no more than the largest batch,
// for a longer answer is taken for a batch over the limit.
func (c *Client) fetchBytes() int32 {
	size := int64(2 << 20)
	if c.inputs.Load() > 4 {
		size = 1 << 20
	}
	if c.opt.fetchBytes > 0 {
		size = int64(c.opt.fetchBytes)
	}
	return int32(min(size, c.opt.MaxBatchBytes))
}

// fetch asks the partition's leader once. Errors: the context's, coded ones, *oversized, or what happened on the way.
func (c *Client) fetch(ctx context.Context, w fetchRequest) (*fetchResult, error) {
	req := kmsg.NewPtrFetchRequest()
	req.ReplicaID, req.SessionEpoch = -1, -1
	// The partition's own limit is the one that counts: kfake leaves out the aborted list when it meets the request's.
	req.MaxWaitMillis, req.MinBytes, req.MaxBytes = int32(w.wait.Milliseconds()), 1, math.MaxInt32
	req.IsolationLevel = w.isolation
	t := kmsg.NewFetchRequestTopic()
	t.Topic, t.TopicID = w.topic, w.id
	p := kmsg.NewFetchRequestTopicPartition()
	p.Partition, p.CurrentLeaderEpoch, p.LastFetchedEpoch, p.LogStartOffset = w.partition, -1, -1, -1
	p.FetchOffset, p.PartitionMaxBytes = w.at, w.bytes
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)

	began := time.Now()
	// A batch over MaxBatchBytes as it is packed need not be unpacked to know that it is too large; the rest is room for
	// what stands around it.
	x := &exchange{req: req, limit: int(c.opt.MaxBatchBytes) + 1<<20, disconnect: w.disconnect, buffers: c.buffers}
	res, err := c.roundTrip(ctx, leader{w.topic, w.partition}, x, w.wait)
	var long *oversizedResponse
	if errors.As(err, &long) {
		return nil, measure(long, w.at)
	}
	if err != nil {
		return nil, err
	}
	h, err := newFetchResult(res.(*kmsg.FetchResponse), w, time.Since(began))
	if err == nil {
		h.buffer = x.buffer
	}
	return h, err
}

func newFetchResult(res *kmsg.FetchResponse, w fetchRequest, took time.Duration) (*fetchResult, error) {
	if err := coded(res.ErrorCode, "fetch of %s/%d at %d", w.topic, w.partition, w.at); err != nil {
		return nil, err
	}
	if len(res.Topics) != 1 || len(res.Topics[0].Partitions) != 1 || res.Topics[0].Partitions[0].Partition != w.partition {
		return nil, fmt.Errorf("fetch of %s/%d: the answer is of something else", w.topic, w.partition)
	}
	p := &res.Topics[0].Partitions[0]
	if err := coded(p.ErrorCode, "fetch of %s/%d at %d", w.topic, w.partition, w.at); err != nil {
		return nil, err
	}
	h := &fetchResult{at: w.at, data: p.RecordBatches, high: p.HighWatermark, byID: res.Version >= 13, took: took}
	for _, a := range p.AbortedTransactions {
		h.aborted = append(h.aborted, abortedTxn{a.ProducerID, a.FirstOffset})
	}
	return h, nil
}

// Where fields stand in the header of a batch (record format, version 2).
const (
	batchLength    = 8  // int32: bytes after this field
	batchMagic     = 16 // int8
	batchLastDelta = 23 // int32: last offset minus the first
	batchHeader    = 61 // bytes of the header
)

// reach walks the headers of the whole batches in data, without unpacking or checking them: the offset after the last one,
// or at when there is none.
func reach(data []byte, at int64) int64 {
	for len(data) >= batchHeader {
		size := int64(int32(binary.BigEndian.Uint32(data[batchLength:]))) + 12
		if size < batchHeader || size > int64(len(data)) {
			break
		}
		last := int64(binary.BigEndian.Uint64(data)) + int64(int32(binary.BigEndian.Uint32(data[batchLastDelta:])))
		at = max(at, last+1)
		data = data[size:]
	}
	return at
}

// aroundBatch is how many bytes at most stand behind the records in an answer to a fetch of one partition: tagged fields.
const aroundBatch = 256

// measure finds the offsets of the batch that makes an answer too long. The fields before the batch have no fixed place in all
// versions, so its header is looked for: version 2, offsets around the one asked for, and a length that ends where the answer does, for a
// broker sends nothing behind a batch that is longer than what was asked for. Less will not do: a topic's id is any sixteen bytes.
func measure(long *oversizedResponse, at int64) *oversized {
	o := &oversized{size: long.size, first: at, last: at}
	for i := range max(0, len(long.head)-batchHeader+1) {
		b := long.head[i:]
		base := int64(binary.BigEndian.Uint64(b))
		length := int64(int32(binary.BigEndian.Uint32(b[batchLength:])))
		delta := int64(int32(binary.BigEndian.Uint32(b[batchLastDelta:])))
		count := int64(int32(binary.BigEndian.Uint32(b[batchHeader-4:])))
		behind := int64(long.size-i) - 12 - length
		if b[batchMagic] == 2 && base <= at && at <= base+delta && behind >= 0 && behind <= aroundBatch && count > 0 && count <= delta+1 {
			o.first, o.last = base, base+delta
			return o
		}
	}
	return o
}
