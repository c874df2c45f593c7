package topics

import "context"

// Log reads from a cluster.
type Log interface {
	Opener
	// Topology returns the ids, bounds and settings of the task's topics.
	Topology(ctx context.Context) (*Topology, error)
	// Watch is Topology for somebody who calls it often: log starts and settings are those of known, if topics and
	// partitions are the same. known may be nil; else what is returned may be half a second old: the tasks of a process
	// look together.
	Watch(ctx context.Context, known *Topology) (*Topology, error)
	// Known says how many partitions a topic of this id has at least: Topology and Watch return fewer only after no
	// broker has told of as many for ten seconds.
	Known(topic Topic, id string, partitions int)
	// EpochEnds returns for each of these places of a topic, by partition, where the leader epoch ended, as leaders of
	// now say: negative where they do not know, or the place says nothing.
	EpochEnds(ctx context.Context, topic Topic, reached []Reached) ([]int64, error)
	// LeadersOf returns the epochs of the leaders of what the task writes, which have all that is below these ends: one
	// that is known to have ended below an end has lost it. It does not retry.
	LeadersOf(ctx context.Context, ends Ends) (EndEpochs, error)
	// Ends asks for the ends of the partitions of the input and, with later labels, of the labels as they are now, with
	// high watermarks of the input if highs is set. It asks each leader beside the others, calls found with what each
	// of them tells, or with why it tells nothing, from several goroutines, and returns after all. It may be called
	// often, and beside itself: a leader that has not responded yet is not asked again, nor one that failed just now.
	Ends(ctx context.Context, highs bool, found func([]PartitionEnd))
	// Written returns the high watermarks of the topics that the task writes. It retries as Reader.Read does.
	Written(ctx context.Context) (Ends, error)
	// Reachable is nil if the leaders of all partitions that the task reads have responded just now. It does not retry.
	Reachable(ctx context.Context) error
	// Skip makes input readers that are opened from now on leave out the records of --skip, at this start or earlier
	// ones.
	Skip(ranges []SkipRange)
}

// Journal writes predictions, outcomes, dead letters and checkpoints under a fence. One goroutine uses it.
type Journal interface {
	// Takeover makes this process the only writer of the task's topics (PROTOCOL.md, "Takeover"). held is NoProducer in
	// a starting process, which gives up after a time; one that holds a producer does not. Errors: *stops.Error
	// (fenced, not-allowed, at a start also fence-failed and unreachable, ...), or the context's.
	Takeover(ctx context.Context, held Producer) (*Fence, error)
	// Prove shows, behind a takeover and before the first batch, that the brokers refuse batches of the producer epoch
	// before. Errors: *stops.Error (fence-ineffective where they do not), or the context's.
	Prove(ctx context.Context) error
	// Renew writes the markers anew under the same producer epoch, with nothing in flight, when the fence is older than
	// its limit, or now, and returns the fence in force. Errors are those of Append, but for *Refused.
	Renew(ctx context.Context, now bool) (*Fence, error)
	// Append writes batches, at most one for a partition, waits for their acknowledgements, and sets each one's End.
	// Errors: ErrIndeterminate (recover), *Refused (all records before it are written), *stops.Error, or the context's,
	// after which it is not known which batches were written.
	Append(ctx context.Context, batches []Batch) error
	// Owned asks whether this process is still the writer that it became with Takeover. Errors: *stops.Error (fenced)
	// where another process has taken over since; else why that is not known.
	Owned(ctx context.Context) error
}

// Committer keeps the positions of the task in a consumer group, for Kafka's lag tools.
type Committer interface {
	// Commit sets the group's offsets of the input: one for each partition, negative to leave a partition out.
	Commit(ctx context.Context, positions []int64) error
	// Committed reads them: -1 where there is none.
	Committed(ctx context.Context) ([]int64, error)
}
