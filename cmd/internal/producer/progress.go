package producer

import (
	"fmt"
	"io"

	"github.com/schollz/progressbar/v3"

	"rosenblatt/cmd/internal/cli"
)

// progress shows on a terminal how much is sent: a bar with the time left if the total is known, else the number of
// events and their rate.
type progress struct {
	bar   *cli.Bar // nil if hidden
	total int64    // 0 if unknown
	bytes bool     // total counts bytes, not events
}

func newProgress(out io.Writer, f *feed) *progress {
	p, options := progressOf(f)
	p.bar = cli.NewBar(out, "sending", options...)
	return p
}

func progressOf(f *feed) (*progress, []progressbar.Option) {
	size, count := f.total()
	if size > 0 {
		return &progress{total: size, bytes: true}, []progressbar.Option{progressbar.OptionShowBytes(true)}
	}
	options := []progressbar.Option{progressbar.OptionShowIts(), progressbar.OptionSetItsString("events")}
	if count > 0 {
		options = append(options, progressbar.OptionShowCount())
	}
	return &progress{total: count}, options
}

func (p *progress) moved(by *sender) {
	switch {
	case p.bytes:
		p.bar.Set(min(by.done, p.total-1), p.total) // full at the end only
	case p.total > 0:
		p.bar.Set(by.sent, p.total)
	default:
		p.bar.Set(by.sent, 0)
		p.bar.Describe(fmt.Sprintf("sending, %d so far", by.sent)) // without a total a count would read 5/-
	}
}
