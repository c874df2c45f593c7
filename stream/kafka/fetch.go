package kafka

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/wire"
)

// A fetchRequest requests records of a partition from its leader.
type fetchRequest struct {
	fetchPartition
	isolation  int8
	wait       time.Duration // time the broker waits for records
	disconnect bool          // use another connection afterwards
	maxBatch   int64         // bytes of the largest batch, packed
	buffers    buffers       // memory for the response; nil for new memory
}

type fetchPartition struct {
	topic     string
	id        [16]byte
	partition int32
	at        int64 // the first offset
	bytes     int32 // at most, but for the first batch
}

// A fetchResult is a fetch's result for one partition.
type fetchResult struct {
	at      int64
	data    []byte       // record batches
	aborted []abortedTxn // those that overlap data; in isolation committed only
	high    int64        // the high watermark
	byID    bool         // the request named the topic's id, so this is the right topic
	took    time.Duration
	buffer  []byte // reusable memory of data, else nil
}

type abortedTxn struct{ producer, first int64 }

// fetch sends one request to the partition's leader. Errors: those of roundTrip and *oversizedBatch.
func (c *Cluster) fetch(ctx context.Context, r fetchRequest) (*fetchResult, error) {
	var buffer []byte
	memory := func(size int) []byte {
		data, again := r.buffers.take(size, int(r.bytes))
		if again {
			buffer = data
		}
		return data
	}
	began := time.Now()
	// A packed batch over maxBatch is too large in any case; the rest is for what surrounds it.
	x := &exchange{
		req: r.message(), wait: r.wait, limit: int(r.maxBatch) + 1<<20, disconnect: r.disconnect, memory: memory,
	}
	res, err := c.roundTrip(ctx, leader(r.topic, r.partition), x)
	var oversized *wire.OversizedResponse
	if errors.As(err, &oversized) {
		return nil, locateOversized(oversized, r.at)
	}
	if err != nil {
		return nil, err
	}
	f, err := newFetchResult(res.(*kmsg.FetchResponse), r.fetchPartition)
	if err == nil {
		f.took, f.buffer = time.Since(began), buffer
	}
	return f, err
}

func (r *fetchRequest) message() *kmsg.FetchRequest {
	p := kmsg.NewFetchRequestTopicPartition()
	p.Partition, p.FetchOffset, p.PartitionMaxBytes = r.partition, r.at, r.bytes
	t := kmsg.FetchRequestTopic{
		Topic: r.topic, TopicID: r.id, Partitions: []kmsg.FetchRequestTopicPartition{p},
	}
	req := kmsg.NewPtrFetchRequest()
	// The partition's own limit is the one that counts: kfake leaves out the aborted list when it meets the request's.
	req.MaxWaitMillis, req.MinBytes, req.MaxBytes = int32(r.wait.Milliseconds()), 1, math.MaxInt32
	req.IsolationLevel, req.Topics = r.isolation, []kmsg.FetchRequestTopic{t}
	return req
}

func newFetchResult(res *kmsg.FetchResponse, of fetchPartition) (*fetchResult, error) {
	if err := coded(res.ErrorCode, "fetch of %s/%d at %d", of.topic, of.partition, of.at); err != nil {
		return nil, err
	}
	if len(res.Topics) != 1 || len(res.Topics[0].Partitions) != 1 ||
		res.Topics[0].Partitions[0].Partition != of.partition {
		return nil, fmt.Errorf("fetch of %s/%d: the response is about something else", of.topic, of.partition)
	}
	p := &res.Topics[0].Partitions[0]
	if err := coded(p.ErrorCode, "fetch of %s/%d at %d", of.topic, of.partition, of.at); err != nil {
		return nil, err
	}
	f := &fetchResult{at: of.at, data: p.RecordBatches, high: p.HighWatermark, byID: res.Version >= 13}
	for _, a := range p.AbortedTransactions {
		f.aborted = append(f.aborted, abortedTxn{a.ProducerID, a.FirstOffset})
	}
	return f, nil
}

// Offsets of fields in a batch's header (record format, version 2).
const (
	batchLength    = 8  // int32: bytes after this field
	batchMagic     = 16 // int8
	batchLastDelta = 23 // int32: last offset minus the first
	batchHeader    = 61
)

// endOfBatches returns the offset after the last whole batch in data, by the headers alone, or at.
func endOfBatches(data []byte, at int64) int64 {
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
