package stream_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// diary keeps the lines of a log.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) Write(line []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, string(line))
	return len(line), nil
}

// with returns the lines that contain a text.
func (d *diary) with(text string) (found []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, line := range d.lines {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

// TestChosenAtOnce: a member that the group chooses does not say that it follows. Nobody had predicted before a first
// start; what the next one has seen nobody predict for is told with its unit.
func TestChosenAtOnce(t *testing.T) {
	t.Parallel()
	s := quick(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	own, log := *s, &diary{}
	own.Log = zerolog.New(log)
	first := member(t, &own, s.Dir)
	streamtest.Await(t, "silence", func() bool { return first.Status().Silence != nil })
	if at := first.Status(); at.TakingOver || at.State != board.Following {
		t.Errorf("taking over %v, %s", at.TakingOver, at.State)
	}
	streamtest.Await(t, "it says that it follows", func() bool { return len(log.with(`"following"`)) == 1 })
	first.rounds <- 1
	first.await(t, board.Live, 10)
	if took := log.with(`"took over"`); len(took) != 1 || strings.Contains(took[0], "nobodyPredictedFor") {
		t.Errorf("%q", took)
	}
	if at := first.Status(); at.LiveSince.IsZero() || at.TakingOver || at.Silence != nil {
		t.Errorf("%v, %v, %v", at.LiveSince, at.TakingOver, at.Silence)
	}
	first.stop()
	<-first.ended
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	log = &diary{}
	own.Log = zerolog.New(log)
	second := member(t, &own, s.Dir)
	streamtest.Await(t, "silence", func() bool { return second.Status().Silence != nil })
	second.rounds <- 2
	second.await(t, board.Live, 20)
	if took := log.with(`"took over"`); len(took) != 1 || !strings.Contains(took[0], `s","message"`) ||
		!strings.Contains(took[0], `"nobodyPredictedFor":"`) {
		t.Errorf("%q", took)
	}
	second.stop()
	<-second.ended
	log = &diary{}
	own.Log = zerolog.New(log)
	third := member(t, &own, s.Dir)
	third.rounds <- 3
	third.await(t, board.Live, 20)
	if n := len(log.with(`"following"`)); n != 0 {
		t.Errorf("%d lines: it follows", n)
	}
}
