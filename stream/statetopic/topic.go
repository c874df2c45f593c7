package statetopic

import (
	"fmt"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// minMessageBytes is the size of a batch with one piece.
const minMessageBytes = PieceSize + 1<<10

// TopicConfig is the configuration of a new checkpoint topic. A restore reads the whole log: so it is cleaned early, in
// small segments, since the newest one never is.
func TopicConfig() map[string]string {
	return map[string]string{"cleanup.policy": "compact", "segment.bytes": "16777216",
		"min.cleanable.dirty.ratio": "0.1"}
}

// CheckTopic returns the stop for a topic that would lose checkpoints. One without a name is none.
func CheckTopic(t *topics.TopicState) error {
	unfit := func(what, do string) error {
		return &stops.Error{Name: stops.OutputUnfit, What: "topic " + t.Name + what, Safe: "nothing was written",
			Do: do + " on it, or name another --checkpoint-topic"}
	}
	switch {
	case t.Name == "":
		return nil
	//mutation:checkpoint-topic-unfit
	case !t.Compacted || t.Deleted:
		return unfit(" does not have cleanup.policy compact alone: it would lose parts of a checkpoint in time",
			"set cleanup.policy=compact")
	case t.MaxMessageBytes > 0 && t.MaxMessageBytes < minMessageBytes:
		return unfit(fmt.Sprintf(" has max.message.bytes %d: a piece of a checkpoint takes up to %d", t.MaxMessageBytes,
			minMessageBytes), fmt.Sprintf("set max.message.bytes to at least %d", minMessageBytes))
	}
	return nil
}
