package fetch

import (
	"context"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/topics"
)

// Full is how many bytes one fetch requests: many, because a request costs a broker as much as hundreds of
// records. It is at most the largest batch: a larger response counts as a batch over the limit.
func (f *Fetcher) Full() int32 { return int32(min(fullFetch, f.opt.MaxBatch)) }

// wide is the number of partitions that are read above which backlogs are read less far ahead, and those that are read
// in turns not at all.
const wide = 16

// turnBytes is partitionBytes for partitions that are read in turns. A large result saves requests and makes large
// batches of predictions.
func (f *Fetcher) turnBytes() int32 {
	if f.opt.Bytes > 0 {
		return f.opt.Bytes
	}
	return min(f.Full(), max(256<<10, 16<<20/max(1, f.inputs.Load())))
}

// partitionBytes is how many bytes of one partition: of many, some of each rather than much of a few. A batch that is
// larger comes if its partition is the first of the response with records, or after its limit has grown.
func (f *Fetcher) partitionBytes() int32 {
	if f.opt.Bytes > 0 {
		return f.opt.Bytes
	}
	return min(f.Full(), max(128<<10, 8<<20/max(1, f.inputs.Load())))
}

// allBytes is how many bytes one fetch of these partitions requests. Of many it is more: the request costs a broker as
// much as thousands of records, and one that is far away is asked less often. Of those that are read as fast as they
// come, each has some of the response.
func (f *Fetcher) allBytes(partitions []Partition) int32 {
	ahead := 0
	for i := range partitions {
		if !partitions[i].InTurns {
			ahead++
		}
	}
	most := int64(fullFetch)
	switch {
	case ahead > wide:
		most = wideFetch
	case f.inputs.Load() > wide:
		most = turnsFetch
	}
	return int32(min(most, f.opt.MaxBatch))
}

// MaxBatch is how many bytes a batch of a topic may unpack to.
func (f *Fetcher) MaxBatch(topic string) int64 {
	//mutation:own-batch-limit
	if f.opt.Reads(topic) {
		return f.opt.MaxBatch
	}
	return topics.MaxOwnBatch
}

// Request requests committed records of partitions.
func (f *Fetcher) Request(partitions ...Partition) Request {
	steps := f.slow.Steps()
	r := Request{
		partitions: partitions,
		Isolation:  cluster.Committed, Wait: f.opt.Wait, buffers: f.Buffers,
		each: max(1, f.partitionBytes()>>steps), turn: max(1, f.turnBytes()>>steps),
		all: max(1, f.allBytes(partitions)>>steps),
	}
	for _, p := range partitions {
		r.maxBatch = max(r.maxBatch, f.MaxBatch(p.Topic))
	}
	return r
}

// Fetch sends a request, and makes the next ones smaller when the link is slow. It sends it again where a broker has
// responded with nothing because it throttles this client.
func (f *Fetcher) Fetch(ctx context.Context, to cluster.Route, r Request) ([]Fetched, error) {
	for {
		steps := f.slow.Steps()
		results, took, err := send(ctx, f.cluster, to, r)
		f.slow.Note(steps, took, f.cluster.Options.ResponseTimeout+r.Wait, err)
		//mutation:throttled-fetch
		if err != nil || results != nil {
			return results, err
		}
	}
}

// SetInputs says how many partitions input and labels have.
func (f *Fetcher) SetInputs(partitions int) { f.inputs.Store(int32(partitions)) }
