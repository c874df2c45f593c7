package main

import (
	"fmt"
	"io"
	"time"

	"rosenblatt/cmd/internal/cli"

	"github.com/schollz/progressbar/v3"
)

// produceShow shows on a terminal how sending gets on.
type produceShow struct {
	bar     *progressbar.ProgressBar // nil when nothing is shown
	out     io.Writer
	bytes   bool // it counts bytes of the file, not events
	endless bool // nobody knows how many there will be
}

// progress shows a bar with the time left where it is known how much there is, else the number of events and their rate;
// nothing where there is no terminal.
func progress(p *cli.Program, f *feed) *produceShow {
	if !cli.IsTerminal(p.Stderr) {
		return &produceShow{}
	}
	return newProduceShow(p.Stderr, f)
}

func newProduceShow(out io.Writer, f *feed) *produceShow {
	size, count := f.total()
	options := []progressbar.Option{
		progressbar.OptionSetWriter(out), progressbar.OptionSetWidth(30), progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(), progressbar.OptionSetDescription("sending"),
		progressbar.OptionSetSpinnerChangeInterval(0), // else a goroutine draws beside us
	}
	switch {
	case size > 0:
		return &produceShow{bar: progressbar.NewOptions64(size, append(options, progressbar.OptionShowBytes(true))...), out: out, bytes: true}
	case count == 0:
		count = -1
	}
	options = append(options, progressbar.OptionShowIts(), progressbar.OptionSetItsString("events"))
	if count > 0 {
		options = append(options, progressbar.OptionShowCount())
	}
	return &produceShow{bar: progressbar.NewOptions64(count, options...), out: out, endless: count < 0}
}

func (s *produceShow) moved(by *sender) {
	switch {
	case s.bar == nil:
	case s.bytes:
		_ = s.bar.Set64(min(by.done, s.bar.GetMax64()-1)) // it fails when the terminal does; it is full at the end only
	default:
		if s.endless { // a count of so many of nobody knows how many would read 5/-
			s.bar.Describe(fmt.Sprintf("sending, %d so far", by.sent))
		}
		_ = s.bar.Set64(by.sent)
	}
}

// end takes the bar away.
func (s *produceShow) end() {
	if s.bar != nil {
		_ = s.bar.Clear()             // likewise
		fmt.Fprint(s.out, "\r\x1b[K") // and what the terminal itself has put behind it: ^C
	}
}
