package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/report"
)

// replayShow shows on a terminal how a replay gets on: a row at 1, 2, 4, 8 ... examples, and a bar with the time left below.
type replayShow struct {
	mu    sync.Mutex // rows come from the learners, moves from the reader
	out   io.Writer
	table *report.Progress
	bar   *progressbar.ProgressBar
	row   func(answered int64, reports []metrics.Report) // nil when nothing is shown
	moved func(done, total int64)                        // likewise
}

// watchReplay shows progress on a terminal; elsewhere nothing.
func watchReplay(p *cli.Program, learners []replay.Learner) *replayShow {
	s := &replayShow{}
	if !cli.IsTerminal(p.Stderr) {
		return s
	}
	names := make([]string, len(learners))
	for i := range learners {
		names[i] = learners[i].Name
	}
	s.start(p.Stderr, names)
	return s
}

func (s *replayShow) start(out io.Writer, names []string) {
	s.out, s.table = out, report.NewProgress(out, names)
	s.row = func(answered int64, reports []metrics.Report) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.clear()
		s.table.Row(answered, reports)
	}
	s.moved = func(done, total int64) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.bar == nil {
			s.bar = newBar(out, total)
		}
		if total > 0 && s.bar.GetMax64() != total {
			s.bar.ChangeMax64(total)
		}
		_ = s.bar.Set64(min(done, s.bar.GetMax64())) // it fails when the terminal does
	}
}

// newBar makes a bar, or a spinner when the whole is not known.
func newBar(out io.Writer, total int64) *progressbar.ProgressBar {
	if total <= 0 {
		total = -1
	}
	return progressbar.NewOptions64(total, progressbar.OptionSetWriter(out), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetPredictTime(true), progressbar.OptionShowElapsedTimeOnFinish(),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetDescription("replaying"),
		progressbar.OptionSetSpinnerChangeInterval(0)) // else a goroutine draws beside us
}

func (s *replayShow) clear() {
	if s.bar != nil {
		_ = s.bar.Clear() // it fails when the terminal does
	}
}

// end takes the bar away.
func (s *replayShow) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	if s.table != nil {
		fmt.Fprintln(s.out)
	}
}
