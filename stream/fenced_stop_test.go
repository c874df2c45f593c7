package stream_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// stalls is a setup whose tasks can be kept from reading the input, and do not look for another writer.
func stalls(s *streamtest.Setup) (*streamtest.Setup, *stalledInput) {
	log, own := &stalledInput{}, *s
	own.Wrap = func(l topics.Log) topics.Log { log.Log = l; return log }
	own.Config.WatchEvery = time.Hour
	return &own, log
}

// TestFencedMeetsWhatIsGone: a process that was replaced, and does not know it, needs records that nobody needs any
// more. It ends as fenced, which needs nobody to act.
func TestFencedMeetsWhatIsGone(t *testing.T) {
	t.Parallel()
	replacedBy := func(s *streamtest.Setup) {
		if _, err := s.Client(t).Journal().Takeover(t.Context(), topics.NoProducer); err != nil {
			t.Error(err)
		}
	}
	for name, play := range map[string]func(*streamtest.Setup) <-chan error{
		"live": func(s *streamtest.Setup) <-chan error {
			own, log := stalls(s)
			task, _, done := live(t, own)
			s.Cluster.Produce(t, s.Name, 0, good(10)...)
			streamtest.Await(t, "ten records", func() bool { return task.Status().Acknowledged == 10 })
			log.stall()
			replacedBy(s)
			s.Cluster.Produce(t, s.Name, 0, good(50)...)
			s.Cluster.DeleteRecords(t, s.Name, 0, 30)
			log.resume()
			return done
		},
		"in recovery": func(s *streamtest.Setup) <-chan error {
			s.Cluster.Produce(t, s.Name, 0, good(10)...)
			s.Adjust = func(task *stream.Task) {
				task.Journal = &hookJournal{Journal: task.Journal, append: func(context.Context, int) error {
					replacedBy(s)
					s.Cluster.DeleteRecords(t, s.Name, 0, 5)
					return topics.ErrIndeterminate
				}}
			}
			_, _, done := live(t, s)
			return done
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := <-play(streamtest.New(t, streamtest.Start(t), 1))
			if !stops.Is(err, stops.Fenced) || !strings.Contains(err.Error(), stops.InputGone) {
				t.Errorf("it ends with %v", err)
			}
		})
	}
}

// TestFencedMemberMeetsWhatIsGone: a member follows the one that has replaced it.
func TestFencedMemberMeetsWhatIsGone(t *testing.T) {
	t.Parallel()
	s := quick(t, streamtest.New(t, streamtest.Start(t), 1))
	own, log := stalls(s)
	a, b := member(t, own, s.Dir), member(t, s, t.TempDir())
	a.rounds <- 1
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	a.await(t, board.Live, 10)
	b.await(t, board.Following, 10)
	log.stall()
	b.rounds <- 2
	b.await(t, board.Live, 10)
	s.Cluster.Produce(t, s.Name, 0, good(50)...)
	streamtest.Await(t, "its checkpoint", func() bool {
		saved := b.Status().Saved
		return saved.Seq == 60 && saved.Topic != nil
	})
	s.Cluster.DeleteRecords(t, s.Name, 0, 60)
	log.resume()
	a.await(t, board.Following, 60)
	if a.sum(t) != b.sum(t) {
		t.Error("they have different models")
	}
}

// TestStopUnknownToTheCoordinator: where brokers do not tell who the writer is, a stop says so, and what to look at.
func TestStopUnknownToTheCoordinator(t *testing.T) {
	t.Parallel()
	needsFake(t)
	s := streamtest.New(t, streamtest.Start(t), 1)
	own, log := stalls(s)
	task, _, done := live(t, own)
	streamtest.Await(t, "it is live", func() bool { return task.Status().State == board.Live })
	log.stall()
	s.Cluster.Fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.DescribeTransactions}, Count: -1,
		Err: kerr.TransactionalIDAuthorizationFailed})
	s.Cluster.Produce(t, s.Name, 0, good(50)...)
	s.Cluster.DeleteRecords(t, s.Name, 0, 30)
	log.resume()
	err := <-done
	if !stops.Is(err, stops.InputGone) {
		t.Fatal(err)
	}
	for _, words := range []string{"not known whether another process", "no other process has this output",
		"--accept input-gone"} {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("it does not say %q: %v", words, err)
		}
	}
}
