package kafka

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// twoLeaders makes an input of 60 records under one leader, and 40 under another one.
func twoLeaders(t *testing.T) *bed {
	b := fakeBed(t, 1, kfake.NumBrokers(2))
	in := b.name + "-in"
	b.put(in, 0, recordbatch.None, numbered("a", 60)...)
	b.move(in, 0)
	b.put(in, 0, recordbatch.None, numbered("b", 40)...)
	return b
}

// move makes the other one of two nodes the leader.
func (b *bed) move(topic string, partition int32) {
	b.t.Helper()
	if err := b.fake.MoveTopicPartition(topic, partition, 1-b.fake.LeaderFor(topic, partition)); err != nil {
		b.t.Fatal(err)
	}
	b.admin.cluster.Refresh()
}

// endEpochs lets brokers say that every leader epoch ended there.
func (b *bed) endEpochs(end int64) {
	b.fake.ControlKey(int16(kmsg.OffsetForLeaderEpoch), func(req kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		res := req.ResponseKind().(*kmsg.OffsetForLeaderEpochResponse)
		for _, t := range req.(*kmsg.OffsetForLeaderEpochRequest).Topics {
			topic := kmsg.NewOffsetForLeaderEpochResponseTopic()
			topic.Topic = t.Topic
			for _, p := range t.Partitions {
				of := kmsg.NewOffsetForLeaderEpochResponseTopicPartition()
				of.Partition, of.LeaderEpoch, of.EndOffset = p.Partition, p.LeaderEpoch, end
				topic.Partitions = append(topic.Partitions, of)
			}
			res.Topics = append(res.Topics, topic)
		}
		return res, nil, true
	})
}

// TestOtherLeader: records of another leader than before are read on, unless the epoch of the one before ended below
// what was read. A run is of one epoch.
func TestOtherLeader(t *testing.T) {
	t.Parallel()
	b := twoLeaders(t)
	c := b.client(nil)
	r := c.Open(topics.Input, 0, 0).(*reader)
	first, last := int32(-1), int32(-1)
	var run topics.Run
	for ctx := timeout(t, 30*time.Second); run.Next < 100; {
		if err := r.Read(ctx, &run, 1000); err != nil {
			t.Fatal(err)
		}
		switch {
		case len(run.Records) == 0:
		case run.Records[0].Offset == 0 && run.Next == 60:
			first = run.Leader
		case run.Records[0].Offset == 60 && run.Next == 100:
			last = run.Leader
		default:
			t.Fatalf("a run of offsets %d to %d", run.Records[0].Offset, run.Next)
		}
	}
	if first < 0 || last <= first || r.reached != (topics.Reached{Offset: 100, Leader: last}) {
		t.Errorf("epochs %d and %d, reached %v", first, last, r.reached)
	}
	b.endEpochs(59)
	replaced := c.Open(topics.Input, 0, 0)
	read(t, replaced, 60)
	stopOf(t, replaced, stops.BeyondEnd, "from offset 59 on", "up to offset 60")
}

// TestReadBefore: a reader is told what was read by another one, before it meets the first record.
func TestReadBefore(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1, kfake.NumBrokers(2))
	for topic, name := range map[topics.Topic]string{topics.Input: stops.BeyondEnd, topics.Output: stops.JournalGone,
		topics.DeadLetters: stops.DeadLettersGone} {
		c := b.client(nil)
		of := c.names.Of(topic)
		b.put(of, 0, recordbatch.None, numbered("a", 10)...)
		first := c.Open(topic, 0, 0).(*reader)
		read(t, first, 10)
		b.move(of, 0)
		b.put(of, 0, recordbatch.None, numbered("b", 10)...)
		r := b.client(nil).Open(topic, 0, 10).(*reader)
		r.After(first.reached)
		b.endEpochs(5)
		stopOf(t, r, name, "from offset 5 on", "up to offset 10")
		b.fake.DropControl()
	}
}

// TestEpochEnds: what brokers say of the epochs of read records and of written ends.
func TestEpochEnds(t *testing.T) {
	t.Parallel()
	b := twoLeaders(t)
	c, ctx := b.client(nil), timeout(t, 30*time.Second)
	r := c.Open(topics.Input, 0, 0).(*reader)
	read(t, r, 60)
	ends, err := c.EpochEnds(ctx, topics.Input, []topics.Reached{{Offset: 50, Leader: r.reached.Leader}})
	if err != nil || len(ends) != 1 || ends[0] != 60 {
		t.Errorf("%v, %v", ends, err)
	}
	if ends, err = c.EpochEnds(ctx, topics.Input, make([]topics.Reached, 1)); err != nil || ends[0] >= 0 {
		t.Errorf("of nothing: %v, %v", ends, err)
	}
	f := takeover(t, c.Journal(), topics.NoProducer)
	at := f.Ends()
	at.Output[1]++ // it is not written yet
	leaders, err := c.LeadersOf(ctx, at)
	if err != nil || len(leaders.Output) != 2 || leaders.Output[0] < 0 || leaders.Output[1] >= 0 ||
		len(leaders.DeadLetters) != 1 {
		t.Errorf("%+v, %v", leaders, err)
	}
}
