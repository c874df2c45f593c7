package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
)

// IsTerminal reports whether w is a terminal.
func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// Bar shows the progress of a long command on a terminal. A nil Bar shows nothing.
type Bar struct {
	out     io.Writer
	bar     *progressbar.ProgressBar
	options []progressbar.Option
}

// NewBar makes a bar that is drawn at the first Set; nil if out is not a terminal.
func NewBar(out io.Writer, activity string, options ...progressbar.Option) *Bar {
	if !IsTerminal(out) {
		return nil
	}
	return DrawnBar(out, activity, options...)
}

// DrawnBar makes a bar whatever out is.
func DrawnBar(out io.Writer, activity string, options ...progressbar.Option) *Bar {
	return &Bar{out: out, options: append([]progressbar.Option{
		progressbar.OptionSetWriter(out), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionSetPredictTime(true), progressbar.OptionShowElapsedTimeOnFinish(),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetDescription(activity),
		progressbar.OptionSetSpinnerChangeInterval(0), // otherwise a goroutine draws, too
	}, options...)}
}

// Set shows how much is done; a total of 0 is unknown. Errors of the terminal are ignored.
func (b *Bar) Set(done, total int64) {
	if b == nil {
		return
	}
	if total <= 0 {
		total = -1
	}
	if b.bar == nil {
		b.bar = progressbar.NewOptions64(total, b.options...)
	}
	if total > 0 {
		done = min(done, total)
		if b.bar.GetMax64() != total {
			b.bar.ChangeMax64(total)
		}
	}
	_ = b.bar.Set64(done)
}

// Describe replaces the text in front of the bar.
func (b *Bar) Describe(activity string) {
	if b != nil && b.bar != nil {
		b.bar.Describe(activity)
	}
}

// State returns what the bar shows.
func (b *Bar) State() progressbar.State { return b.bar.State() }

// Clear removes the bar until the next Set.
func (b *Bar) Clear() {
	if b != nil && b.bar != nil {
		_ = b.bar.Clear()
	}
}

// End removes the bar, and ^C, which the terminal may have written after it.
func (b *Bar) End() {
	if b != nil && b.bar != nil {
		b.Clear()
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
