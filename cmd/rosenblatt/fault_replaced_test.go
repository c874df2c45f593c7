package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
)

// TestFaultRecordsReplaced: the only replica of a topic loses the second half of its log, and producers write on past
// the old end: by offsets alone nothing is wrong. It is a named stop at a start, for `verify`, and in a daemon that is
// live; with --accept, all that the input holds instead is predicted (row 92).
func TestFaultRecordsReplaced(t *testing.T) {
	faults(t)
	n, err := newNodes("-n", "1")
	if err != nil {
		t.Fatal(err)
	}
	s := n.setup(t, 1)
	verify := func() outcome {
		return call(t, "", "verify", "--brokers", strings.Join(s.Cluster.Brokers, ","), "--input", s.Name, "--state",
			s.Dir, "--bits", "12")
	}
	replace := func(topic string, more func()) (end int64) {
		n.kill(t, 1)
		n.cut(t, 1, topic)
		n.up(t)
		n.leader(t, topic)
		if end = bounds(t, s).Input.Partitions[0].End; topic != s.Name {
			end = bounds(t, s).DeadLetters.Partitions[0].End
		}
		more()
		return end
	}
	p := start(t, s, s.Dir)
	for i := range 10 {
		supply(t, s, 60, uint64(i))
	}
	p.caughtUp(t, 600)
	p.term(t)
	verify().want(t, cli.ExitDone, "verified: ", "")

	end := replace(s.Name, func() { supply(t, s, 900, 50) })
	if now := bounds(t, s).Input.Partitions[0].End; end >= 600 || now <= 600 {
		t.Fatalf("the log ended at %d, and at %d now", end, now)
	}
	words := []string{"leader epoch", fmt.Sprintf("from offset %d on", end), "offset 600", "--accept beyond-end"}
	start(t, s, s.Dir).stopped(t, stops.BeyondEnd, words...)
	verify().want(t, cli.ExitFailed, "", "leader epoch")
	p = start(t, s, s.Dir, "--accept", stops.BeyondEnd)
	p.caughtUp(t, 600+900)
	verify().want(t, cli.ExitPartial, "18 dead letters, 0 pending, of 900 input offsets: 0 differs", "")

	p.signal(t, syscall.SIGSTOP)
	end = replace(s.Name, func() { supply(t, s, 3000, 51) })
	p.signal(t, syscall.SIGCONT)
	p.stopped(t, stops.BeyondEnd, "leader epoch", fmt.Sprintf("from offset %d on", end))
	p = start(t, s, s.Dir, "--accept", stops.BeyondEnd)
	p.await(t, "it is live and through", func(s daemonStatus) bool {
		return s.State == board.Live && s.Lag == 0 && s.Read >= 600+900+3000
	})
	p.term(t)
	verify().want(t, cli.ExitPartial, "60 dead letters, 0 pending, of 3000 input offsets: 0 differs", "")

	end = replace(s.DeadLetters(), func() { s.Cluster.Produce(t, s.DeadLetters(), 0, make([]string, 300)...) })
	start(t, s, s.Dir).stopped(t, stops.DeadLettersGone, "leader epoch", fmt.Sprintf("from offset %d on", end))
}
