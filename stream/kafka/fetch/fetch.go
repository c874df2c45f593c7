package fetch

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
)

// A Request requests records of partitions from the broker that leads them.
type Request struct {
	partitions []Partition
	Isolation  int8
	Wait       time.Duration // time the broker waits for records
	each, turn int32         // bytes of a partition at most, but for the first batch; of one that is read in turns
	all        int32         // bytes of all at most, but for the first batch
	Disconnect bool          // use another connection afterwards
	maxBatch   int64         // bytes of the largest batch, packed
	buffers    *Buffers      // memory for the response; nil for new memory
	session    *fetchSession // that it is made in, or nil
	rack       string        // where this process is; empty: the broker is to bring records whatever is near
}

// Partition is one that is requested, and from where on.
type Partition struct {
	Topic   string
	ID      [16]byte
	Number  int32
	At      int64 // the first offset
	InTurns bool
	least   int32 // of its bytes at most: its batches are larger than those of others
}

// A Result is a fetch's result for one partition.
type Result struct {
	At      int64
	Data    []byte    // record batches
	Aborted []Aborted // those that overlap data; in isolation committed only
	High    int64     // the high watermark
	stable  int64     // the last stable offset
	Replica int32     // that the leader names in place of records, because it is nearby; else negative
	ByID    bool      // the request named the topic's id, so this is the right topic
	Memory  *Memory   // reusable memory of data, else nil
}

// End is the offset after the last record that can be read now.
func (f *Result) End() int64 {
	if f.stable < 0 { // before version 4 of the request, or not in isolation committed
		return f.High
	}
	return f.stable
}

// Aborted is a transaction that was aborted: its producer, and its first offset in the partition.
type Aborted struct{ Producer, First int64 }

// Fetched is what a fetch says of a partition: a result, an error, or, with neither, nothing.
type Fetched struct {
	Result *Result
	Err    error
}

// send sends one request and returns what the response says of each partition, nil from a broker that throttles this
// client. Errors: those of Cluster.Request.
func send(
	ctx context.Context, c *cluster.Cluster, to cluster.Route, r Request,
) (results []Fetched, took time.Duration, err error) {
	memory := &Memory{free: r.buffers}
	x := &cluster.Exchange{
		// A packed batch over maxBatch is too large in any case; the rest is for what surrounds the batches.
		Message: r.message(), Wait: r.Wait, Limit: int(r.maxBatch) + 1<<20, Disconnect: r.Disconnect,
		Memory: func(size int) []byte { return memory.take(size, int(r.all)) },
	}
	res, err := c.Request(ctx, to, x)
	if err == nil {
		results, err = r.results(res.(*kmsg.FetchResponse))
		err = x.Name(err)
		for i := range results {
			results[i].Err = x.Name(results[i].Err)
		}
		memory.divide(results)
	}
	if r.session != nil {
		r.session.settle(res, results, err)
	}
	if err == nil && isThrottled(res.(*kmsg.FetchResponse)) {
		results = nil
	}
	return results, x.Took, err
}

// isThrottled reports whether a response has nothing because a quota is used up. In a session, one that has nothing for
// want of records is as empty.
func isThrottled(res *kmsg.FetchResponse) bool { return res.ThrottleMillis > 0 && len(res.Topics) == 0 }

func (r *Request) message() *kmsg.FetchRequest {
	if r.session != nil {
		return r.session.message(r)
	}
	return r.naming(r.partitions)
}

// naming returns a request that names these of its partitions.
func (r *Request) naming(partitions []Partition) *kmsg.FetchRequest {
	req := kmsg.NewPtrFetchRequest()
	req.MaxWaitMillis, req.MinBytes, req.MaxBytes = int32(r.Wait.Milliseconds()), 1, r.all
	req.IsolationLevel, req.Rack = r.Isolation, r.rack
	for i := range partitions {
		of := &partitions[i]
		if n := len(req.Topics); n == 0 || req.Topics[n-1].Topic != of.Topic || req.Topics[n-1].TopicID != of.ID {
			req.Topics = append(req.Topics, kmsg.FetchRequestTopic{Topic: of.Topic, TopicID: of.ID})
		}
		p := kmsg.NewFetchRequestTopicPartition()
		p.Partition, p.FetchOffset, p.PartitionMaxBytes = of.Number, of.At, r.most(of)
		t := &req.Topics[len(req.Topics)-1]
		t.Partitions = append(t.Partitions, p)
	}
	return req
}

// most is how many bytes of a partition are requested.
func (r *Request) most(of *Partition) int32 {
	if of.InTurns {
		return max(r.turn, of.least)
	}
	return max(r.each, of.least)
}

// results are those of a response, in the order of the request.
func (r *Request) results(res *kmsg.FetchResponse) ([]Fetched, error) {
	if err := verdict.Coded(res.ErrorCode, "fetch"); err != nil {
		return nil, err
	}
	results := make([]Fetched, len(r.partitions))
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
func (r *Request) find(from int, t *kmsg.FetchResponseTopic, partition int32, byID bool) int {
	for n := range r.partitions {
		i := (from + n) % len(r.partitions)
		p := &r.partitions[i]
		if p.Number == partition && (byID && p.ID == t.TopicID || !byID && p.Topic == t.Topic) {
			return i
		}
	}
	return -1
}

func newFetched(p *kmsg.FetchResponseTopicPartition, of *Partition, byID bool) Fetched {
	if p.ErrorCode != 0 {
		return Fetched{Err: verdict.Coded(p.ErrorCode, "fetch of %s/%d at %d", of.Topic, of.Number, of.At)}
	}
	f := &Result{
		At: of.At, Data: p.RecordBatches, High: p.HighWatermark, stable: p.LastStableOffset, ByID: byID,
		Replica: p.PreferredReadReplica,
	}
	for _, a := range p.AbortedTransactions {
		f.Aborted = append(f.Aborted, Aborted{Producer: a.ProducerID, First: a.FirstOffset})
	}
	return Fetched{Result: f}
}

// endOfBatches returns the offset after the last whole batch in data, by the headers alone, or at.
func endOfBatches(data []byte, at int64) int64 {
	for len(data) >= recordbatch.HeaderSize {
		size := int64(int32(binary.BigEndian.Uint32(data[recordbatch.LengthAt:]))) + 12
		if size < recordbatch.HeaderSize || size > int64(len(data)) {
			break
		}
		delta := int64(int32(binary.BigEndian.Uint32(data[recordbatch.LastDeltaAt:])))
		last := int64(binary.BigEndian.Uint64(data)) + delta
		at = max(at, last+1)
		data = data[size:]
	}
	return at
}
