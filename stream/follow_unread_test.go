package stream_test

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// TestFollowWhatIsUnread: a follower says what it cannot read on, once a minute in the log, until it can.
func TestFollowWhatIsUnread(t *testing.T) {
	t.Parallel()
	needsFake(t)
	for what, topic := range map[string]func(*streamtest.Setup) string{
		"the checkpoint topic cannot be read on": func(s *streamtest.Setup) string { return s.State },
		"the journal cannot be followed":         func(s *streamtest.Setup) string { return s.Output() },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := quick(t, streamtest.New(t, streamtest.Start(t), 1))
			log, f := &lines{text: what}, *s
			f.Log = zerolog.New(log)
			b := member(t, &f, t.TempDir())
			b.await(t, board.Following, 0)
			refused := s.Cluster.Fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: topic(s), Count: -1,
				Err: kerr.TopicAuthorizationFailed})
			streamtest.Await(t, "it says so", func() bool { return strings.HasPrefix(b.Status().Unread, what) })
			streamtest.Await(t, "some looks", func() bool { return refused.Hits() > 5 })
			refused.Remove()
			streamtest.Await(t, "it is read on", func() bool { return b.Status().Unread == "" })
			if n := log.n.Load(); n != 1 {
				t.Errorf("%d lines in the log", n)
			}
		})
	}
}
