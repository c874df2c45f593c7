package kafka

import (
	"testing"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A takeover fences the dead-letter topic, too: at the offset that the fence names there is a marker of its id and
// epoch.
func TestDeadLettersAreFenced(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	c := b.client(nil)
	j := c.Journal()
	takeover(t, j, topics.NoProducer)
	appendAll(t, j, topics.DeadLetters,
		0, "x")
	f := takeover(t, c.Journal(), topics.NoProducer)
	var at recordbatch.Batch
	ctx := timeout(t, 20*time.Second)
	err := c.fetcher.Scan(ctx, b.name+"-dlq", 0, 0, func(batch *recordbatch.Batch) (bool, error) {
		at = *batch
		return batch.Control && batch.ProducerID == f.Producer.ID && batch.Epoch == f.Producer.Epoch, nil
	})
	if err != nil || at.BaseOffset != f.DeadLetters[0] {
		t.Errorf("the marker is at %d, the fence has %d: %v", at.BaseOffset, f.DeadLetters[0], err)
	}
}
