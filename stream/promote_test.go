package stream_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// promoter promotes learners at random moments while a task runs.
type promoter struct {
	topics.Journal
	t     *stream.Task
	names []string
	r     *rand.Rand
	asked int
}

// Append implements topics.Journal: before each flight, one time of three, somebody asks for a promotion.
func (p *promoter) Append(ctx context.Context, batches []topics.Batch) error {
	if p.r.IntN(3) == 0 {
		name := p.names[p.r.IntN(len(p.names))]
		p.asked++
		go func() { _, _ = p.t.Promote(ctx, name) }() // the session may end meanwhile
	}
	return p.Journal.Append(ctx, batches)
}

// promoting lets a setup's tasks be promoted at random, besides what Adjust does.
func promoting(s *streamtest.Setup, r *rand.Rand) {
	adjust, names := s.Adjust, s.Config.ModelConfig.Learners()
	s.Adjust = func(task *stream.Task) {
		if adjust != nil {
			adjust(task)
		}
		task.Journal = &promoter{Journal: task.Journal, t: task, names: names, r: r}
	}
}

// TestPromotionsSurviveCrashes: wherever a task is killed while learners are promoted, the journal gives back the
// champion, all learners and all figures, to the bit; and `verify` finds nothing, from the start and from a checkpoint.
func TestPromotionsSurviveCrashes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(4, 12, 40)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 380))
			partitions := 1 + r.IntN(4)
			s := streamtest.New(t, streamtest.Start(t), partitions)
			withChallengers(t, s, crashChallengers[:1+seed%3]...)
			for p := range partitions {
				s.Cluster.Produce(t, s.Name, p, events(seed*10+uint64(p), 300)...)
			}
			s.Config.BatchRecords, s.Config.CheckpointInterval = 1+r.IntN(40), time.Millisecond
			s.Config.CheckpointEvery, s.Config.Grace = int64(1+r.IntN(100)), time.Minute
			crashes := crashWhilePromoting(t, s, r, 12)
			o := s.Audit(t)
			h, got := newestOf(t, s)
			sameContent(t, s.Config.ModelConfig, got, o.Proc)
			cleanAudit(t, s)
			t.Logf("%d crashes, %d predictions, %d promotions, now %s", crashes, len(o.Predictions), len(h.Promotions),
				got.Champion())
		})
	}
}

// crashWhilePromoting is crashUntilThrough with promotions at random.
func crashWhilePromoting(t *testing.T, s *streamtest.Setup, r *rand.Rand, most int) (crashes int) {
	t.Helper()
	return crashAgain(t, s, r, most, func() { promoting(s, rand.New(rand.NewPCG(r.Uint64(), 1))) })
}
