package kafka

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// withOutcomes is a client of a bed with an outcomes topic, which is created.
func (b *bed) withOutcomes() *Client {
	b.t.Helper()
	name := b.name + "-oc"
	c := b.client(func(o *Options) { o.Outcomes = name })
	made, err := c.Ensure(timeout(b.t, 30*time.Second), true)
	if err != nil || !slices.Equal(made, []string{name}) {
		b.t.Fatal(made, err)
	}
	if _, err := b.admin.cluster.DescribeOne(b.t.Context(), name); err != nil {
		b.t.Fatal(err)
	}
	return c
}

// TestOutcomesAreFenced: a takeover fences the outcomes topic as it does the output, and so does a renewal.
func TestOutcomesAreFenced(t *testing.T) {
	t.Parallel()
	b := newBed(t, 2)
	c := b.withOutcomes()
	j := c.Journal()
	takeover(t, j, topics.NoProducer)
	appendAll(t, j, topics.Outcomes, 1, "x", "y")
	f := takeover(t, c.Journal(), topics.NoProducer)
	for p := range int32(2) {
		var at recordbatch.Batch
		ctx := timeout(t, 20*time.Second)
		err := c.fetcher.Scan(ctx, c.opt.Outcomes, p, 0, func(batch *recordbatch.Batch) (bool, error) {
			if batch == nil {
				return true, nil
			}
			at = *batch
			return batch.Control && batch.ProducerID == f.Producer.ID && batch.Epoch == f.Producer.Epoch, nil
		})
		if err != nil || !at.Control || at.BaseOffset != f.Outcomes[p] {
			t.Errorf("partition %d: the marker is at %d, the fence has %d: %v", p, at.BaseOffset, f.Outcomes[p], err)
		}
	}
	_, err := appendOne(timeout(t, 30*time.Second), j, topics.Outcomes, 0, build("zombie"))
	if !stops.Is(err, stops.Fenced) {
		t.Errorf("a predecessor's batch: %v", err)
	}
	top, err := c.Topology(t.Context())
	if err != nil || top.Outcomes.Name != c.opt.Outcomes || len(top.Outcomes.Partitions) != 2 ||
		top.Outcomes.Partitions[1].End != f.Outcomes[1]+1 {
		t.Errorf("%+v, %v", top, err)
	}
}

// TestOutcomesOfOneWriter: in the outcomes topic, too, what is between two of our batches is read.
func TestOutcomesOfOneWriter(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	c := b.withOutcomes()
	j := c.Journal()
	f := takeover(t, j, topics.NoProducer)
	appendAll(t, j, topics.Outcomes, 0, "x")
	g, err := j.Renew(timeout(t, 30*time.Second), true)
	if err != nil || g.Outcomes[0] != f.Outcomes[0]+2 {
		t.Fatal(g, err)
	}
	if end := appendAll(t, j, topics.Outcomes, 0, "y"); end != g.Outcomes[0]+2 {
		t.Fatalf("end %d behind a marker at %d", end, g.Outcomes[0])
	}
	at := b.put(c.opt.Outcomes, 0, recordbatch.None, "foreign")
	_, err = appendOne(timeout(t, 30*time.Second), j, topics.Outcomes, 0, build("z"))
	if !stops.Is(err, stops.OtherWriter) || !strings.Contains(err.Error(), fmt.Sprintf("offset %d ", at)) {
		t.Fatal(err)
	}
	stopOf(t, c.Open(topics.Outcomes, 0, 99), stops.JournalGone)
}

// TestAppendBothTopics: batches of both topics of the journal go to each broker in one request.
func TestAppendBothTopics(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 0, kfake.NumBrokers(1))
	b.create(b.name+"-in", 2)
	b.create(b.name+"-out", 2)
	b.create(b.name+"-dlq", 1)
	j := b.withOutcomes().Journal()
	f := takeover(t, j, topics.NoProducer)
	requests := b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Observe: true, Count: -1})
	var batches []topics.Batch
	for _, topic := range []topics.Topic{topics.Output, topics.Outcomes} {
		for p := range int32(2) {
			batches = append(batches, topics.Batch{Topic: topic, Partition: p, Records: build(numbered("a", 3)...)})
		}
	}
	if err := j.Append(timeout(t, 30*time.Second), batches); err != nil {
		t.Fatal(err)
	}
	markers := f.Markers()
	for _, x := range batches {
		if want := (*markers.Of(x.Topic))[x.Partition] + 4; x.End != want {
			t.Errorf("topic %v partition %d ends at %d, want %d", x.Topic, x.Partition, x.End, want)
		}
	}
	if requests.Hits() != 1 {
		t.Errorf("%d requests", requests.Hits())
	}
}
