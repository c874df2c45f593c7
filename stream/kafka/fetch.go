package kafka

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// A fetchRequest requests records of partitions from the broker that leads them.
type fetchRequest struct {
	partitions []fetchPartition
	isolation  int8
	wait       time.Duration // time the broker waits for records
	each, turn int32         // bytes of a partition at most, but for the first batch; of one that is read in turns
	all        int32         // bytes of all at most, but for the first batch
	disconnect bool          // use another connection afterwards
	maxBatch   int64         // bytes of the largest batch, packed
	buffers    *buffers      // memory for the response; nil for new memory
	session    *fetchSession // that it is made in, or nil
}

type fetchPartition struct {
	topic     string
	id        [16]byte
	partition int32
	at        int64 // the first offset
	inTurns   bool
	least     int32 // of its bytes at most: its batches are larger than those of others
}

// A fetchResult is a fetch's result for one partition.
type fetchResult struct {
	at      int64
	data    []byte       // record batches
	aborted []abortedTxn // those that overlap data; in isolation committed only
	high    int64        // the high watermark
	stable  int64        // the last stable offset
	byID    bool         // the request named the topic's id, so this is the right topic
	memory  *shared      // reusable memory of data, else nil
}

// end is the offset after the last record that can be read now.
func (f *fetchResult) end() int64 {
	if f.stable < 0 { // before version 4 of the request, or not in isolation committed
		return f.high
	}
	return f.stable
}

type abortedTxn struct{ producer, first int64 }

// fetched is what a fetch says of a partition: a result, an error, or, with neither, nothing.
type fetched struct {
	result *fetchResult
	err    error
}

// fetch sends one request and returns what it says of each partition. Errors: those of roundTrip.
func (c *Cluster) fetch(ctx context.Context, to route, r fetchRequest) ([]fetched, error) {
	memory := &shared{free: r.buffers}
	x := &exchange{
		// A packed batch over maxBatch is too large in any case; the rest is for what surrounds the batches.
		req: r.message(), wait: r.wait, limit: int(r.maxBatch) + 1<<20, disconnect: r.disconnect,
		memory: func(size int) []byte { return memory.take(size, int(r.all)) },
	}
	res, err := c.roundTrip(ctx, to, x)
	var results []fetched
	if err == nil {
		results, err = r.results(res.(*kmsg.FetchResponse))
		memory.divide(results)
	}
	if r.session != nil {
		r.session.settle(res, results, err)
	}
	return results, err
}

func (r *fetchRequest) message() *kmsg.FetchRequest {
	if r.session != nil {
		return r.session.message(r)
	}
	return r.naming(r.partitions)
}

// naming returns a request that names these of its partitions.
func (r *fetchRequest) naming(partitions []fetchPartition) *kmsg.FetchRequest {
	req := kmsg.NewPtrFetchRequest()
	req.MaxWaitMillis, req.MinBytes, req.MaxBytes = int32(r.wait.Milliseconds()), 1, r.all
	req.IsolationLevel = r.isolation
	for i := range partitions {
		of := &partitions[i]
		if n := len(req.Topics); n == 0 || req.Topics[n-1].Topic != of.topic || req.Topics[n-1].TopicID != of.id {
			req.Topics = append(req.Topics, kmsg.FetchRequestTopic{Topic: of.topic, TopicID: of.id})
		}
		p := kmsg.NewFetchRequestTopicPartition()
		p.Partition, p.FetchOffset, p.PartitionMaxBytes = of.partition, of.at, r.most(of)
		t := &req.Topics[len(req.Topics)-1]
		t.Partitions = append(t.Partitions, p)
	}
	return req
}

// most is how many bytes of a partition are requested.
func (r *fetchRequest) most(of *fetchPartition) int32 {
	if of.inTurns {
		return max(r.turn, of.least)
	}
	return max(r.each, of.least)
}

// results are those of a response, in the order of the request.
func (r *fetchRequest) results(res *kmsg.FetchResponse) ([]fetched, error) {
	if err := coded(res.ErrorCode, "fetch"); err != nil {
		return nil, err
	}
	results := make([]fetched, len(r.partitions))
	next := 0 // brokers keep the order
	for i := range res.Topics {
		t := &res.Topics[i]
		for j := range t.Partitions {
			p := &t.Partitions[j]
			at := r.find(next, t, p.Partition, res.Version >= 13)
			if at < 0 {
				return nil, fmt.Errorf("fetch: partition %d of the response was not requested", p.Partition)
			}
			next = at + 1
			results[at] = newFetched(p, &r.partitions[at], res.Version >= 13)
		}
	}
	return results, nil
}

// find returns the index of a partition in the request, looked for from a place on and around; -1 if it is not there.
func (r *fetchRequest) find(from int, t *kmsg.FetchResponseTopic, partition int32, byID bool) int {
	for n := range r.partitions {
		i := (from + n) % len(r.partitions)
		p := &r.partitions[i]
		if p.partition == partition && (byID && p.id == t.TopicID || !byID && p.topic == t.Topic) {
			return i
		}
	}
	return -1
}

func newFetched(p *kmsg.FetchResponseTopicPartition, of *fetchPartition, byID bool) fetched {
	if p.ErrorCode != 0 {
		return fetched{err: coded(p.ErrorCode, "fetch of %s/%d at %d", of.topic, of.partition, of.at)}
	}
	f := &fetchResult{
		at: of.at, data: p.RecordBatches, high: p.HighWatermark, stable: p.LastStableOffset, byID: byID,
	}
	for _, a := range p.AbortedTransactions {
		f.aborted = append(f.aborted, abortedTxn{a.ProducerID, a.FirstOffset})
	}
	return fetched{result: f}
}

// Offsets of fields in a batch's header (record format, version 2).
const (
	batchLength    = 8  // int32: bytes after this field
	batchLeader    = 12 // int32: epoch of the leader
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
