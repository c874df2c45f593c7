package simulation

import (
	"bytes"
	"encoding/json"
	"strings"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/topics"
)

// isOf checks that what was written under different producer's epochs, by different takeovers, is of different epochs.
func (o *oracle) isOf(at place, r *topics.Record, producer int16) {
	epoch := int64(0)
	switch at.topic {
	case o.w.setup.DeadLetters():
		l, _ := journal.ParseDeadLetter(r)
		epoch = journal.EpochOf(l.Model)
	case o.w.setup.State:
		if !strings.Contains(string(r.Key), "/manifest/") {
			return
		}
		var m statetopic.Progress
		_, text, _ := bytes.Cut(r.Value, []byte("\n"))
		_ = json.Unmarshal(text, &m) // inTopic says so
		epoch = m.Epoch
	default:
		var v struct{ Model string }
		_ = json.Unmarshal(r.Value, &v) // likewise
		epoch = journal.EpochOf(v.Model)
	}
	if was, known := o.takeovers[epoch]; known && was != producer {
		o.w.violate("%v has a record of epoch %d, of the takeovers with the producer's epochs %d and %d", at, epoch,
			was, producer)
	}
	o.takeovers[epoch] = producer
}
