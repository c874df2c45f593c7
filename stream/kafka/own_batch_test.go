package kafka

import (
	"strings"
	"testing"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// TestOwnTopicsHaveALimitOfTheirOwn: the limit on batches of the input is not that of the topics that the task writes;
// and what is too large there is advised on by its topic, with --skip for the input only.
func TestOwnTopicsHaveALimitOfTheirOwn(t *testing.T) {
	t.Parallel()
	b := newBed(t, 0)
	for _, topic := range []string{"-in", "-out", "-dlq"} {
		b.create(b.name+topic, 1, "max.message.bytes", "10000000")
		b.put(b.name+topic, 0, recordbatch.None, strings.Repeat("x", 2<<20), "y")
	}
	c := b.client(func(o *Options) { o.MaxBatchBytes = 1 << 20 })
	input := stopOf(t, c.Open(topics.Input, 0, 0), stops.BadBatch, b.name+"-in", "--max-batch-bytes", "--skip 0:0-1")
	if strings.Contains(input.Do, "--accept") {
		t.Error(input.Do)
	}
	for _, topic := range []topics.Topic{topics.Output, topics.DeadLetters} {
		if values, _ := read(t, c.Open(topic, 0, 0), 2); len(values) != 2 {
			t.Errorf("%s: %d records", c.names.Of(topic), len(values))
		}
		var batch recordbatch.Builder
		batch.Limit = 1 << 30
		batch.Append(1, nil, make([]byte, topics.MaxOwnBatch))
		data, err := batch.Seal(-1, -1, -1, recordbatch.Zstd)
		if err != nil {
			t.Fatal(err)
		}
		b.putRaw(c.names.Of(topic), 0, data)
		gone := stops.JournalGone
		if topic == topics.DeadLetters {
			gone = stops.DeadLettersGone
		}
		stop := stopOf(t, c.Open(topic, 0, 0), stops.BadBatch, c.names.Of(topic), "below offset 3", "--accept "+gone)
		if strings.Contains(stop.Do, "--skip 0") {
			t.Error(stop.Do)
		}
	}
}
