package verify

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"rosenblatt/stream/topics"
)

// script is a Reader whose reads pass these numbers of offsets.
type script []int64

// Read implements topics.Reader.
func (s *script) Read(_ context.Context, c *topics.Run, _ int) error {
	c.Next += (*s)[0]
	*s = (*s)[1:]
	return nil
}

// TestPatience: a partition may return nothing for two minutes while it is asked; how long nobody asked does not
// count.
func TestPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &patientReader{Reader: &script{1, 0, 0, 1, 0, 0, 0},
			topic: topics.TopicState{Partitions: make([]topics.Bounds, 1)}}
		var run topics.Run
		for i, x := range []struct {
			busy  time.Duration // before the read
			fails bool
		}{{}, {busy: time.Hour}, {busy: patience}, {busy: time.Hour}, {busy: time.Hour}, {busy: patience},
			{busy: time.Second, fails: true}} {
			time.Sleep(x.busy)
			if err := p.Read(t.Context(), &run, 1); (err != nil) != x.fails {
				t.Errorf("read %d: %v", i, err)
			}
		}
	})
}
