package stream_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// replace makes what is produced to partition 0 of a topic from here on that of another leader, and lets the broker say
// that the epoch of the one before ended at an offset, so many times: what was above it was replaced. In truth it is
// still there, so later answers are right ones.
func replace(t *testing.T, c *streamtest.Cluster, topic string, end int64, times int) {
	t.Helper()
	was := c.Fake.PartitionInfo(topic, 0).Epoch
	if err := c.Fake.MoveTopicPartition(topic, 0, c.Fake.LeaderFor(topic, 0)); err != nil {
		t.Fatal(err)
	}
	c.Fake.ControlKey(int16(kmsg.OffsetForLeaderEpoch), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.Fake.KeepControl()
		asked := req.(*kmsg.OffsetForLeaderEpochRequest).Topics[0]
		if times == 0 || asked.Topic != topic || asked.Partitions[0].LeaderEpoch != was {
			return nil, nil, false
		}
		times--
		res := req.ResponseKind().(*kmsg.OffsetForLeaderEpochResponse)
		res.Topics = []kmsg.OffsetForLeaderEpochResponseTopic{{Topic: topic,
			Partitions: []kmsg.OffsetForLeaderEpochResponseTopicPartition{{LeaderEpoch: was, EndOffset: end}}}}
		return res, nil, true
	})
}

// TestReplacedAtAStart: the input has grown past the position, and what was read before it is no longer there. With
// --accept, the model goes on where the records are other ones; the journal behind the checkpoint is of records that
// are gone.
func TestReplacedAtAStart(t *testing.T) {
	t.Parallel()
	needsFake(t)
	for name, older := range map[string]bool{"": false, "an older checkpoint": true} {
		t.Run(name, func(t *testing.T) {
			s := streamtest.New(t, streamtest.Start(t), 1)
			s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
			before, other := s.MustRun(t).Status().Seq, int64(30)
			if older {
				kept := t.TempDir()
				if err := os.CopyFS(kept, os.DirFS(s.Dir)); err != nil {
					t.Fatal(err)
				}
				s.Cluster.Produce(t, s.Name, 0, events(2, 20)...)
				before, other = s.MustRun(t).Status().Seq, 50
				s.Dir = kept
			}
			replace(t, s.Cluster, s.Name, 90, 2) // for the stop, and where it is accepted
			s.Cluster.Produce(t, s.Name, 0, events(3, 20)...)
			wantStop(t, s, stops.BeyondEnd, "from offset 90 on", "up to offset 100", "--accept beyond-end")
			seq := accepted(t, s, stops.BeyondEnd).Status().Seq
			if added := seq - before; added < other*9/10 || added > other { // some are no events
				t.Errorf("%d predictions of %d other records", added, other)
			}
			if again := s.MustRun(t).Status().Seq; again != seq {
				t.Errorf("another start goes from seq %d to %d", seq, again)
			}
		})
	}
}

// TestReplacedBehindDeadLetters: recovery passes the records of dead letters without reading them. Where those were
// replaced, it is noticed all the same.
func TestReplacedBehindDeadLetters(t *testing.T) {
	t.Parallel()
	needsFake(t)
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.MustRun(t)
	old := t.TempDir()
	if err := os.CopyFS(old, os.DirFS(s.Dir)); err != nil {
		t.Fatal(err)
	}
	s.Cluster.Produce(t, s.Name, 0, "{", "{", "{", "{", "{")
	s.MustRun(t)
	s.Dir = old
	s.MustRun(t)
	replace(t, s.Cluster, s.Name, 12, 1)
	s.Cluster.Produce(t, s.Name, 0, good(20)...)
	wantStop(t, s, stops.BeyondEnd, "from offset 12 on", "up to offset 15")
}

// TestWrittenReplaced: what a task has written is other records now, up to the end that the checkpoint has.
func TestWrittenReplaced(t *testing.T) {
	t.Parallel()
	needsFake(t)
	for topic, name := range map[topics.Topic]string{topics.Output: stops.JournalGone,
		topics.DeadLetters: stops.DeadLettersGone} {
		s := streamtest.New(t, streamtest.Start(t), 1)
		s.Cluster.Produce(t, s.Name, 0, append(events(1, 50), "{", "{")...)
		s.MustRun(t)
		of := s.Output()
		if topic == topics.DeadLetters {
			of = s.DeadLetters()
		}
		replace(t, s.Cluster, of, 1, 1)
		s.Cluster.Produce(t, of, 0, events(2, 10)...)
		wantStop(t, s, name, "from offset 1 on", "--accept "+name)
	}
}

// TestReplacedWhileRunning: the input is cut and grows past the position of a task that is live, and idle since its
// start: it has not read a record itself.
func TestReplacedWhileRunning(t *testing.T) {
	t.Parallel()
	needsFake(t)
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
	s.MustRun(t)
	s.Config.UntilEnd = false
	task := s.Task(t)
	_, ended := streamtest.Background(t, task.Run)
	streamtest.Await(t, "it is live", func() bool { return task.Status().State == "live" })
	replace(t, s.Cluster, s.Name, 90, 1)
	s.Cluster.Produce(t, s.Name, 0, events(2, 20)...)
	select {
	case err := <-ended:
		if !stops.Is(err, stops.BeyondEnd) || !strings.Contains(err.Error(), "from offset 90 on") {
			t.Error(err)
		}
	case <-streamtest.Timeout(t, 30*time.Second).Done():
		t.Errorf("it goes on: %+v", task.Status().Partitions)
	}
}

// TestReplacedForMembers: the leader epochs are in the checkpoint that a member without a folder restores from the
// topic, and in that of one that has only followed.
func TestReplacedForMembers(t *testing.T) {
	t.Parallel()
	needsFake(t)
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
	s.MustRun(t)
	follower := t.TempDir()
	f := member(t, s, follower)
	f.await(t, board.Following, s.MustRun(t).Status().Seq)
	s.Cluster.Produce(t, s.Name, 0, events(2, 50)...)
	f.await(t, board.Following, s.MustRun(t).Status().Seq)
	streamtest.Await(t, "it has saved", func() bool {
		files, err := filepath.Glob(filepath.Join(follower, s.Name, fmt.Sprintf("checkpoint-%d", f.Status().Seq)))
		return err == nil && len(files) == 1
	})
	f.stop()
	<-f.ended
	replace(t, s.Cluster, s.Name, 120, 2)
	s.Cluster.Produce(t, s.Name, 0, events(3, 50)...)
	for _, dir := range []string{t.TempDir(), follower} {
		s.Dir = dir
		wantStop(t, s, stops.BeyondEnd, "from offset 120 on", "up to offset 150")
	}
}
