package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// TestKilledWithLabels: events over four partitions, labels over three in random order, six kills: every prediction
// has one outcome, every label one effect, and of each kind there is what was produced (faults, rows 69 and 71).
func TestKilledWithLabels(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	s, labels, flags, audit := lateTopics(t)
	const events = 6_000
	produced := produceLate(t, s, labels, events)
	killed(t, s, events, 6, 5, flags...)

	v, got := verifyJSON(t, audit...)
	if got.code != cli.ExitDone || !v.OK || v.Labels == nil || v.Predictions != events || v.Labels.Pending != 0 {
		t.Fatalf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	is := map[string]int64{"labelled": v.Labels.Outcomes["labelled"], "never": v.Labels.Waiting,
		"twice": v.Labels.Repeats, "no event": v.Labels.DeadLetters}
	for what, n := range produced {
		if is[what] != n {
			t.Errorf("%s: %d, want %d", what, is[what], n)
		}
	}
	t.Logf("%+v", *v.Labels)
}

// TestKilledDeciding: twenty kills under a rule, with labels in random order: what verify computes, probabilities and
// thresholds among it, is what was published.
func TestKilledDeciding(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	for name, rule := range map[string]string{"cost": "cost=fp:1,fn:20", "precision": "precision=0.6"} {
		t.Run(name, func(t *testing.T) {
			s, labels, flags, audit := lateTopics(t)
			const events = 6_000
			produceLate(t, s, labels, events)
			killed(t, s, events, 20, 6, append(flags, "--learner", "pa1", "--decide", rule)...)
			v, got := verifyJSON(t, audit...)
			if got.code != cli.ExitDone || !v.OK || v.Predictions != events {
				t.Fatalf("exit %d: %s%s", got.code, got.stdout, got.stderr)
			}
			shown := tailJSON(t, "--brokers", s.Cluster.Brokers[0], "--input", s.Name, "--from", "0")
			last := shown[len(shown)-1]
			if len(shown) != events || last.Threshold == nil || last.Positive == 0 {
				t.Errorf("%d predictions, the last one is %+v", len(shown), last)
			}
		})
	}
}

// TestKilledWhileRulesChange: kills under one rule, and under the next one that --accept config begins behind the
// journal of the one before, with labels in random order. An audit of each rule finds nothing, and each begins anew.
func TestKilledWhileRulesChange(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	s, labels, late, audit := lateTopics(t)
	const events, kills = 6_000, 5
	produceLate(t, s, labels, events)
	rules := []string{"sign", "cost=fp:1,fn:20", "precision=0.6", "alerts=0.05"}
	r := rand.New(rand.NewPCG(7, 3))
	for i, rule := range rules {
		flags := append(late, "--learner", "pa1", "--decide", rule, "--accept", "config")
		for k := range kills {
			n := events / len(rules)
			killedAt(t, s, s.Dir, int64(i*n+k*n/kills+r.IntN(n/kills)), flags...)
		}
		if i == len(rules)-1 {
			toTheEnd(t, s, s.Dir, flags...)
		}
		v, got := verifyJSON(t, audit...)
		if got.code != soundExit(v) || !v.OK {
			t.Fatalf("%s: exit %d: %s%s", rule, got.code, got.stdout, got.stderr)
		}
		t.Logf("%s: %d predictions audited, those after seq %d", rule, v.Predictions, v.After)
	}
	byRule := map[bool]int{}
	for _, x := range tailJSON(t, "--brokers", s.Cluster.Brokers[0], "--input", s.Name, "--from", "0") {
		byRule[x.Threshold != nil]++
	}
	if byRule[true]+byRule[false] != events || byRule[true] < events/2 || byRule[false] < events/8 {
		t.Errorf("predictions with a threshold: %v", byRule)
	}
}

// lateTopics makes topics of events, over four partitions, and of labels, over three. It returns the flags of a daemon
// for labels, and those of an audit.
func lateTopics(t *testing.T) (s *streamtest.Setup, labels string, flags, audit []string) {
	t.Helper()
	s = streamtest.New(t, streamtest.Start(t), 4)
	labels = s.Name + ".labels"
	outcomes := s.Name + ".outcomes"
	s.Cluster.Topic(t, labels, 3)
	s.Cluster.Topic(t, outcomes, 2)
	flags = slices.Clip([]string{"--labels", labels, "--outcomes", outcomes, "--label-slack", "1s"})
	return s, labels, flags, append(flags, "--brokers", s.Cluster.Brokers[0], "--input", s.Name, "--output", s.Output(),
		"--dead-letter", s.DeadLetters(), "--state", s.Dir)
}

// produceLate produces events two milliseconds apart, and their labels some ten seconds later: of some none, of some
// two, some before their event, and some of no event. It returns how many of each.
func produceLate(t *testing.T, s *streamtest.Setup, labels string, n int) map[string]int64 {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 9))
	began := time.Now().Add(-time.Hour)
	produced := map[string]int64{}
	due := make([][]kafka.Record, 2*n+25_000) // by the time of their labels, ms
	input := make([][]kafka.Record, 4)
	for i := range n {
		x, p := r.NormFloat64(), r.IntN(4)
		at := began.Add(time.Duration(2*i) * time.Millisecond)
		input[p] = append(input[p], kafka.Record{Time: at,
			Value: kafka.NewBytes(fmt.Appendf(nil, `{"id":%d,"features":{"x":%g,"y":%g}}`, i, x, r.NormFloat64()))})
		label := 1
		if x+r.NormFloat64() < 0 {
			label = -1
		}
		add := func(id, ms int) {
			due[ms] = append(due[ms], kafka.Record{Time: began.Add(time.Duration(ms) * time.Millisecond),
				Value: kafka.NewBytes(fmt.Appendf(nil, `{"id":%d,"label":%d}`, id, label))})
		}
		later := 2*i + r.IntN(20_000)
		switch what := r.IntN(100); {
		case what < 2:
			produced["never"]++
			continue
		case what < 4:
			produced["twice"]++
			add(i, later+r.IntN(1000))
		case what < 5:
			later = max(0, 2*i-r.IntN(900))
		case what < 6:
			produced["no event"]++
			add(n+i, later)
		}
		produced["labelled"]++
		add(i, later)
	}
	for p := range input {
		s.Cluster.ProduceRecords(t, s.Name, p, input[p]...)
	}
	out := make([][]kafka.Record, 3)
	for _, records := range due {
		for _, record := range records {
			p := r.IntN(3)
			out[p] = append(out[p], record)
		}
	}
	for p := range out {
		s.Cluster.ProduceRecords(t, labels, p, out[p]...)
	}
	return produced
}
