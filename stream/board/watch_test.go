package board

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"rosenblatt/stream/topics"
)

// untoldLog has a partition that nobody leads: a full look waits for it.
type untoldLog struct {
	topics.Log
	looks int
}

func (l *untoldLog) Watch(ctx context.Context, known *topics.Topology) (*topics.Topology, error) {
	if l.looks++; l.looks > 1 && known == nil {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	top := &topics.Topology{Input: topics.TopicState{Partitions: make([]topics.Bounds, 2)}}
	top.Input.Partitions[0].End, top.Input.Partitions[1].Untold = int64(l.looks), l.looks > 10
	return top, nil
}

// TestWatchGoesOn: while a partition is without a leader, a task goes on looking, and says of when its knowledge is.
func TestWatchGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, b := &untoldLog{}, New("m")
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		defer cancel()
		began := time.Now()
		if err := b.Watch(ctx, log, time.Second, func(*topics.Topology) error { return nil }); err != nil {
			t.Fatal(err)
		}
		seen := b.seen.Load()
		if seen.bounds[0].End < 150 {
			t.Errorf("%d looks in three minutes", seen.bounds[0].End)
		}
		if d := seen.at.Sub(began); d != 10*time.Second {
			t.Errorf("all that it knows is of after %v", d)
		}
	})
}
