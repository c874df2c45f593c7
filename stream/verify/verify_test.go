package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

func events(seed uint64, n int) (out []string) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		out = append(out, fmt.Sprintf(`{"id":"e%d","label":%d,"features":{"x":%g,"y":%g}}`, i, 1-2*r.IntN(2),
			r.NormFloat64(), r.NormFloat64()))
	}
	return out
}

// ran is a task that has worked through its input.
func ran(t *testing.T, partitions, n int) *streamtest.Setup {
	t.Helper()
	s := streamtest.New(t, streamtest.Start(t), partitions)
	s.Config.BatchRecords = 8
	for p := range partitions {
		s.Cluster.Produce(t, s.Name, p, events(uint64(p), n)...)
	}
	s.MustRun(t)
	return s
}

func audit(t *testing.T, s *streamtest.Setup, log topics.Log) *verify.Result {
	t.Helper()
	p, err := model.NewProcessor(s.Config.ModelConfig)
	if err != nil {
		t.Fatal(err)
	}
	moved := int64(-1)
	r, err := verify.Audit{Log: log, Model: s.Name, From: verify.Start{Processor: p, Config: s.Config.ModelConfig},
		Moved: func(done, total int64) {
			if done < moved || done > total {
				t.Errorf("moved from %d to %d of %d", moved, done, total)
			}
			moved = done
		}}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// skewed is a log whose first look at the output's ends came too early in partition 0, as happens while a daemon
// writes: Kafka returns the ends of several partitions one after the other.
type skewed struct {
	topics.Log
	calls int
	end   int64
}

func (s *skewed) Topology(ctx context.Context) (*topics.Topology, error) {
	top, err := s.Log.Topology(ctx)
	if s.calls++; err == nil && s.calls == 1 {
		top.Output.Partitions[0].End = s.end
	}
	return top, err
}

// TestEndsOfDifferentMoments: predictions that were in the topic, but above the reported end of their partition,
// are no hole.
func TestEndsOfDifferentMoments(t *testing.T) {
	t.Parallel()
	s := ran(t, 2, 100)
	all := audit(t, s, s.Client(t))
	if !all.OK() || all.Predictions != 200 || all.Pending != 0 {
		t.Fatalf("%+v", all)
	}
	r := audit(t, s, &skewed{Log: s.Client(t), end: 30})
	if !r.OK() || r.Predictions < 129 || r.Seq != r.Predictions {
		t.Errorf("%+v, findings %+v", r, r.Findings)
	}
	if r = audit(t, s, &skewed{Log: s.Client(t), end: 0}); !r.OK() || r.Predictions < 100 {
		t.Errorf("%+v", r)
	}
}

// TestInterrupted: the context ends an audit.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	s := ran(t, 1, 50)
	p, err := model.NewProcessor(s.Config.ModelConfig)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = verify.Audit{Log: s.Client(t), Model: s.Name,
		From:  verify.Start{Processor: p, Config: s.Config.ModelConfig},
		Moved: func(int64, int64) { cancel() }}.Run(ctx)
	if err == nil || ctx.Err() == nil {
		t.Errorf("%v", err)
	}
}
