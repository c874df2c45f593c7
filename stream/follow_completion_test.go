package stream_test

import (
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// TestFollowChangeBehindCompletion: a member takes over with other settings, completes what the last flight lacks, and
// only then has their checkpoint in the topic. One that follows has loaded the newest checkpoint by then, because of
// the completion's epoch, and loads the one with the settings, too, before it learns an entry made under them.
func TestFollowChangeBehindCompletion(t *testing.T) {
	t.Parallel()
	s := withTopic(t, wide(t, 3))
	cut(t, s, 2, func(i int, b *topics.Batch) int {
		if i > 0 {
			return b.Records.Len()
		}
		return 0
	})
	s.Config.CheckpointInterval, s.Config.CheckpointEvery = time.Hour, 0
	other := *s
	other.Config.ModelConfig.Learner.Rate = 0.25
	other.Config.Accept = tokensOf(t, &other, stops.ConfigDiffers)

	follower := member(t, s, copied(t, s.Dir))
	streamtest.Await(t, "following", func() bool { return follower.Status().State == board.Following })
	learned := follower.Status().Seq
	topic := &waitingTopic{release: make(chan struct{})}
	topic.waits.Store(true)
	writer := member(t, topic.of(&other), copied(t, s.Dir))
	writer.rounds <- 1
	streamtest.Await(t, "the completion is learned", func() bool {
		st := follower.Status()
		return st.State == board.Following && st.Seq > learned
	})
	if writer.Status().State == board.Live {
		t.Fatal("its checkpoint is not in the topic, and it is live")
	}
	close(topic.release)
	total, seq := int64(0), int64(0)
	for p := range 3 {
		s.Cluster.Produce(t, s.Name, p, good(20)...)
	}
	for _, b := range boundsOf(t, s).Input.Partitions {
		total += b.End
	}
	streamtest.Await(t, "predictions", func() bool {
		st := writer.Status()
		seq = st.Seq
		return st.State == board.Live && st.Unacknowledged == 0 && st.Counts.Read == total
	})
	follower.await(t, board.Following, seq)
	if writer.sum(t) != follower.sum(t) {
		t.Error("the follower has another model")
	}
	if a := follower.Status().Accepted; len(a) != 1 || a[0].Name != stops.ConfigDiffers {
		t.Errorf("accepted: %+v", a)
	}
}
