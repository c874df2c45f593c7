package produce

import (
	"time"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/fetch"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A View is what is needed to write to a task's topics.
type View struct {
	*cluster.Cluster
	Fetcher         *fetch.Fetcher // reads markers
	Reader          topics.Opener  // of checkpoints
	Names           topics.Names
	Portion         cluster.Portion // of each topic
	TransactionalID string          // the name under which writers fence each other
	Codec           recordbatch.Codec
	RenewEvery      time.Duration // maximum age of a fence
	TxnTimeout      time.Duration // after which the coordinator aborts a transaction
}
