package stream

import (
	"context"

	"rosenblatt/stream/recordbatch"
)

// Record is one record of a partition.
type Record = recordbatch.Record

// Topic names the three topics of a task.
type Topic int

// The topics of a task.
const (
	Input   Topic = iota // the labelled events
	Answers              // the predictions: the journal
	Letters              // the dead letters
)

// Reader delivers one partition's records in order of offset. Only one goroutine uses it.
type Reader interface {
	// Read resets c, fills c.Records with at most max records at or after its position and sets c.Next, to which the position
	// moves. The records alias memory that the reader uses again after c.Release, and never if that is not called.
	// It waits up to about half a second for something to come and then returns with no record and the position unmoved.
	// No records but a moved position says that what stood there are markers, aborted records or gaps.
	// What passes by itself (a broker away, a leader moved) it sits out. Errors: *Stop, or the context's.
	Read(ctx context.Context, c *Chunk, max int) error
}

// Log is what can be read of a cluster.
type Log interface {
	// Topology asks for the ids, bounds and settings of the task's three topics.
	Topology(ctx context.Context) (*Topology, error)
	// Open starts reading a partition at an offset; of a topic with aborted transactions only committed records are read.
	Open(topic Topic, partition int32, from int64) Reader
	// Skip has input readers opened from now on pass these records by, readable or not: what --skip asks for, now or ever.
	Skip(ranges []SkipRange)
}

// Journal writes answers and dead letters under a fence. One goroutine uses it.
type Journal interface {
	// Takeover makes this process the only writer of the task's topics (PROTOCOL.md, "Fence"): InitProducerID with what
	// is held (NoProducer for a starting process), one empty transaction over every partition of the output and dead-letter
	// topics, and the wait until its markers are read. Errors: *Stop (fence-failed, fenced, ...), or the context's.
	Takeover(ctx context.Context, held Producer) (*Fence, error)
	// Renew writes the markers anew under the same producer epoch, with nothing in flight, when the fence is older than
	// its limit; else it does nothing. The fence it returns is the one that holds.
	Renew(ctx context.Context) (*Fence, error)
	// Append writes one batch and waits for its acknowledgement. It returns the partition's end after the batch.
	// Errors: ErrInDoubt (recover), *Refused (one record too large for the topic; all before it are written), *Stop, or the
	// context's, after which nobody knows whether the batch was written.
	Append(ctx context.Context, topic Topic, partition int32, b *recordbatch.Builder) (end int64, err error)
}

// Committer tells Kafka's lag tools where the task is.
type Committer interface {
	// Commit sets the group's offsets of the input: one for each partition, negative to leave a partition out.
	Commit(ctx context.Context, positions []int64) error
	// Committed reads them: -1 where there is none.
	Committed(ctx context.Context) ([]int64, error)
}

// Producer is a producer id and its epoch, as InitProducerID hands them out.
type Producer struct {
	ID    int64 `json:"id"`
	Epoch int16 `json:"epoch"`
}

// NoProducer is what a starting process holds.
var NoProducer = Producer{ID: -1, Epoch: -1}

// Fence is a takeover that holds: the markers of Producer stand in every partition.
type Fence struct {
	Producer Producer
	Answers  []int64 // offset of our newest marker in each partition of the output
	Letters  []int64 // the same in each partition of the dead-letter topic
}

// Topology is what a cluster says of the task's topics at one moment.
type Topology struct {
	Cluster                 string // the cluster's id
	Input, Answers, Letters TopicState
}

// TopicState is one topic as it stands.
type TopicState struct {
	Name            string
	ID              string // the topic's id in hex; another one after it was deleted and created again
	Partitions      []Bounds
	MaxMessageBytes int
	Compacted       bool  // cleanup.policy has compact
	RetentionMS     int64 // retention.ms; -1 without limit
	RetentionBytes  int64 // retention.bytes; -1 without limit
}

// Bounds is the extent of one partition's log.
type Bounds struct {
	Start  int64 // the first offset still there
	End    int64 // the high watermark: the offset the next record will get
	Stable int64 // the last stable offset: the first one of an open transaction, else End
}
