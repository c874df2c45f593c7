package topics

import (
	"context"
	"strings"

	"rosenblatt/stream/recordbatch"
)

// Record is one record of a partition.
type Record = recordbatch.Record

// Topic names one of a task's topics.
type Topic int

// The topics of a task.
const (
	Input       Topic = iota // the events
	Output                   // the predictions: the journal
	DeadLetters              // the dead letters
	Outcomes                 // with later labels: what became of the predictions, the other topic of the journal
	Labels                   // with later labels: the label records
	Checkpoints              // the checkpoints, besides the folder; not every task has it
)

// Written are the topics that a task writes, those of the journal first. Not every task has outcomes.
var Written = [...]Topic{Output, Outcomes, DeadLetters}

// Reader delivers one partition's records in order of offset. Only one goroutine uses it.
type Reader interface {
	// Read resets c, fills c.Records with at most max records at or after its position, and sets c.Next, its new
	// position. The records alias memory that is reused only after c.Release. It waits up to about a second for a
	// record, and then returns none. No records but a moved position means markers, aborted records or gaps. It retries
	// while a broker is unreachable or a leader moves. Errors: *stops.Error, or the context's.
	Read(ctx context.Context, c *Run, max int) error
}

// Producer is a producer id and its epoch, as InitProducerID returns them.
type Producer struct {
	ID    int64 `json:"id"`
	Epoch int16 `json:"epoch"`
}

// NoProducer is what a starting process holds.
var NoProducer = Producer{ID: -1, Epoch: -1}

// IsNext reports whether nobody can have fenced between another producer and this one: InitProducerID has raised the
// epoch once.
func (p Producer) IsNext(other Producer) bool { return p.ID == other.ID && p.Epoch == other.Epoch+1 }

// Fence is a takeover in force: the markers of Producer are in every partition.
type Fence struct {
	Producer    Producer
	Output      []int64 // offset of our newest marker in each partition
	Outcomes    []int64 // the same
	DeadLetters []int64 // the same
	Checkpoints int64   // the same, in the task's partition; 0 without checkpoints in a topic
	Partition   *int32  // the only one with markers, in each topic; nil: all have some
}

// Markers are the offsets of the markers.
func (f *Fence) Markers() Ends { return Ends{f.Output, f.Outcomes, f.DeadLetters} }

// Topology is the task's topics in a cluster at one moment.
type Topology struct {
	Cluster                    string // its id
	Input, Output, DeadLetters TopicState
	Outcomes, Labels           TopicState // without names: the task has no later labels
	Checkpoints                TopicState // without a name: they are in the folder alone
}

// Read are the topics that the task reads: its positions are in them.
func (t *Topology) Read() []Topic {
	if t.Labels.Name == "" {
		return []Topic{Input}
	}
	return []Topic{Input, Labels}
}

// Journal are the topics of the task's journal.
func (t *Topology) Journal() []Topic {
	if t.Outcomes.Name == "" {
		return []Topic{Output}
	}
	return []Topic{Output, Outcomes}
}

// Of returns the state of a topic.
func (t *Topology) Of(topic Topic) *TopicState {
	switch topic {
	case Input:
		return &t.Input
	case Output:
		return &t.Output
	case Outcomes:
		return &t.Outcomes
	case Labels:
		return &t.Labels
	case Checkpoints:
		return &t.Checkpoints
	}
	return &t.DeadLetters
}

// TopicState is the state of one topic.
type TopicState struct {
	Name            string
	ID              string // in hex; another one after the topic was deleted and created again; empty if it has none
	Partitions      []Bounds
	MaxMessageBytes int
	Compacted       bool  // cleanup.policy has compact
	Deleted         bool  // cleanup.policy has delete
	RetentionMS     int64 // retention.ms; -1 without limit
	RetentionBytes  int64 // retention.bytes; -1 without limit
	Planned         bool  // it does not exist: this is how it would be created
}

// Replaces reports whether t is a topic of the same name as was, but another one. Brokers before Kafka 2.8 know no ids:
// theirs are zeros.
func (t *TopicState) Replaces(was *TopicState) bool {
	known := func(id string) bool { return strings.Trim(id, "0") != "" }
	return t.ID != was.ID && known(t.ID) && known(was.ID)
}

// Holds reports whether each partition's log still begins at or before where it is to be read from.
func (t *TopicState) Holds(from []int64) bool {
	for p, b := range t.Partitions {
		if p < len(from) && from[p] < b.Start {
			return false
		}
	}
	return true
}

// Bounds is the extent of one partition's log.
type Bounds struct {
	Start     int64 // the first offset still kept
	End       int64 // the high watermark: the next record's offset
	Stable    int64 // the last stable offset: the first one of an open transaction, else End; never above End
	OtherTask bool  // the partition is another task's: it seems empty, and nothing of it is read or written

	Untold bool // no leader has told Watch where it ends: End and Stable are as they were

	// Led is an end, and the epoch of the leader that told it, which had all that is below. Watch leaves it as it was.
	Led Reached
}
