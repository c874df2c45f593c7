package stream_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/verify"
)

// TestPromotionsFollowed: a follower takes over with the learner that was promoted, and with all others, and its
// journal is that of the model.
func TestPromotionsFollowed(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 2))
	withChallengers(t, s, crashChallengers...)
	s.Config.CheckpointInterval = time.Hour
	p := killed(s)
	a := member(t, s, s.Dir)
	a.rounds <- 1
	fed := int64(0)
	feed := func(m *standby, n int, seed uint64) {
		for p := range 2 {
			s.Cluster.Produce(t, s.Name, p, events(seed+uint64(p), n)...)
		}
		fed += int64(2 * n)
		streamtest.Await(t, "they are predicted", func() bool {
			st := m.Status()
			return st.State == board.Live && st.Counts.Read+st.Counts.Tombstones >= fed && st.Unacknowledged == 0
		})
	}
	a.isLive(t)
	feed(a, 50, 1)
	other := *s
	other.Adjust = nil
	b := member(t, &other, t.TempDir())
	promote := func(m *standby, name string) {
		go func() { _, _ = m.Promote(t.Context(), name) }()
		streamtest.Await(t, "it is promoted", func() bool {
			feed(m, 5, 3)
			return m.Status().Learners[0].Name == name
		})
	}
	promote(a, "c1")
	feed(a, 50, 5)
	promote(a, "b")
	feed(a, 50, 7)
	b.await(t, board.Following, a.Status().Seq)
	if got := b.Status(); got.Learners[0].Name != "b" || len(got.Promotions) != 2 {
		t.Errorf("the follower has %s, %+v", got.Learners[0].Name, got.Promotions)
	}
	if _, err := b.Promote(t.Context(), "c1"); !errors.Is(err, stream.ErrNotLive) {
		t.Errorf("a follower promotes: %v", err)
	}
	p.left.Store(0)
	s.Cluster.Produce(t, s.Name, 0, events(9, 1)...)
	if err := <-a.ended; !errors.Is(err, errPlug) {
		t.Fatal(err)
	}
	b.rounds <- 2
	b.isLive(t)
	feed(b, 20, 11)
	promote(b, "learner")
	feed(b, 20, 13)
	b.stop()
	if err := <-b.ended; err != nil {
		t.Fatal(err)
	}
	own := *b.setup
	own.Adjust = nil
	o := own.Audit(t)
	_, got := newestOf(t, &own)
	sameContent(t, s.Config.ModelConfig, got, o.Proc)
	cleanAudit(t, &own)
	if len(got.Promotions()) != 3 {
		t.Errorf("%+v", got.Promotions())
	}

	// The checkpoint topic alone gives all back, and so does an empty folder with the journal.
	third := own
	third.Dir, third.Config.UntilEnd = t.TempDir(), true
	third.MustRun(t)
	_, restored := newestOf(t, &third)
	sameContent(t, s.Config.ModelConfig, restored, o.Proc)
}

// isLive waits until the member predicts.
func (m *standby) isLive(t testing.TB) {
	t.Helper()
	streamtest.Await(t, "it is live", func() bool { return m.Status().State == board.Live })
}

// TestLatePromotionsSurviveCrashes: where labels come later, too. What waited was published by one learner and is
// learned under another one; `verify` makes the same of it, from the start.
func TestLatePromotionsSurviveCrashes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(3, 8, 30)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 381))
			partitions, labels := 1+r.IntN(3), 1+r.IntN(2)
			s := lateSetup(t, partitions, labels, 1)
			withChallengers(t, s, "pa1:C=0.1 scale:none decide:recall=0.7", "b=arow decide:precision=0.6", "logistic")
			newLateStream(seed, 500, partitions, labels).produce(t, s)
			s.Config.BatchRecords = 1 + r.IntN(30)
			s.Config.CheckpointEvery = 1 + int64(r.IntN(60))
			crashes := crashWhilePromoting(t, s, r, 12)
			h, got := newestOf(t, s)
			proc, err := s.Config.NewProcessor()
			if err != nil {
				t.Fatal(err)
			}
			limits := state.LabelsConfig{Limits: h.Late.Ever.Limits, Slack: s.Config.Labels.Slack, Memory: 1 << 20}
			a, err := verify.Audit{Log: s.Client(t), Model: s.Name, Labels: limits,
				From: verify.Start{Processor: proc, Config: s.Config.ModelConfig}}.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range a.Findings {
				t.Errorf("verify: %+v", f)
			}
			sameModels(t, s.Config.ModelConfig, got, proc)
			t.Logf("%d crashes, seq %d, %d promotions, now %s", crashes, a.Seq, len(h.Promotions), got.Champion())
		})
	}
}

// sameModels compares the weights, calibrations and cuts of all learners. An audit counts no figures of what has no
// label.
func sameModels(t testing.TB, c model.Config, got, want *model.Processor) {
	t.Helper()
	a, b := contentOf(t, c, got), contentOf(t, c, want)
	n := 0
	for name := range a {
		if strings.Contains(name, "score") || name == "contest" || name == "state" {
			continue
		}
		if n++; a[name] != b[name] {
			t.Errorf("%s is %.200q, want %.200q", name, a[name], b[name])
		}
	}
	if n < 4*(1+len(c.Challengers)) || got.Champion() != want.Champion() {
		t.Errorf("%d sections; %s is the champion, want %s", n, got.Champion(), want.Champion())
	}
}
