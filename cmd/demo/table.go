package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
)

const legend = "no-change, majority: the accuracy of guessing the last, the commonest label"

// Columns are as wide as their heads; a wider number shifts the row.
const (
	heads  = "   examples accuracy last 1,000 no-change majority events/s    lag checkpoints"
	layout = "%11s %8s %10s %9s %8s %8s %6s %11s\n"
)

// Of a rare label the figures are over the last 10,000.
const (
	rareLegend = "precision, recall, cost of 1,000 events (a false alarm 1, a missed fraud 20) and AP (average\n" +
		"precision): over the last 10,000; never: the cost of no alarm; chance: the AP by chance"
	rareHeads  = "   examples precision   recall   cost  never      AP  chance waiting events/s    lag checkpoints"
	rareLayout = "%11s %9s %8s %6s %6s %7s %7s %7s %8s %6s %11s\n"
	rareCost   = "fp:1,fn:20"
)

const (
	rowEvery    = 5 * time.Second
	sampleEvery = 250 * time.Millisecond
	headEvery   = 30 // rows, on a terminal, where the head scrolls away
)

// table prints a row at 1, 2, 4, 8 ... examples, and after some seconds without one.
type table struct {
	out      io.Writer
	terminal bool
	rare     bool // rows are about the positive label

	rows        int
	predictions int64 // in the last row
	printed     time.Time
	samples     []sample // of the last seconds, oldest first
	noted       int64    // rejected events in the last row about them
}

type sample struct {
	at          time.Time
	predictions int64
}

// run prints a row for each of the marks.
func (t *table) run(ctx context.Context, status func() *board.Status, marks <-chan *board.Status) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	t.printed = time.Now()
	for {
		select {
		case s := <-marks:
			t.row(s)
		case <-tick.C:
			s := status()
			t.flush(marks) // first, since they are older
			t.add(s)
		case <-ctx.Done():
			return
		}
	}
}

func (t *table) flush(marks <-chan *board.Status) {
	for {
		select {
		case s := <-marks:
			t.row(s)
		default:
			return
		}
	}
}

// add prints a row if there was none for some time, or the first one of a model that continues.
func (t *table) add(s *board.Status) {
	if s.State != board.Live || s.Counts.Predictions < t.predictions {
		return
	}
	t.sample(s)
	if t.rows == 0 && s.Counts.Predictions > 0 || time.Since(t.printed) >= rowEvery {
		t.row(s)
	}
}

func (t *table) sample(s *board.Status) {
	t.samples = append(t.samples, sample{s.At, s.Counts.Predictions})
	for len(t.samples) > 2 && s.At.Sub(t.samples[1].at) >= rowEvery {
		t.samples = t.samples[1:]
	}
}

func (t *table) row(s *board.Status) {
	if t.rows == 0 || t.terminal && t.rows%headEvery == 0 {
		fmt.Fprintln(t.out, map[bool]string{true: rareHeads, false: heads}[t.rare])
	}
	t.rows++
	if t.rare {
		t.rareRow(s)
		return
	}
	fmt.Fprintf(t.out, layout, humanize.Comma(s.Counts.Predictions), percent(s.Score.Accuracy),
		percent(s.Score.Last.Accuracy),
		baseline(s, "no-change"), baseline(s, "majority"), t.speed(s), humanize.Comma(s.Lag()),
		humanize.Comma(s.Checkpoints))
	t.noted = t.end(s)
}

// rareRow has figures of the positive label.
func (t *table) rareRow(s *board.Status) {
	f, waiting := &s.Score.Last10000, "-"
	cost, _ := metrics.ParseCost(rareCost) // it is well-formed
	if s.Late != nil {
		waiting = humanize.Comma(int64(s.Late.Waiting))
	}
	fmt.Fprintf(t.out, rareLayout, humanize.Comma(s.Counts.Predictions), percent(f.Precision), percent(f.Recall),
		thousand(cost.Of(&f.Confusion)), thousand(cost.Never(&f.Confusion)),
		three(f.AveragePrecision), three(f.Positives), waiting, t.speed(s), humanize.Comma(s.Lag()),
		humanize.Comma(s.Checkpoints))
	t.noted = t.end(s)
}

// thousand is the cost of 1,000 events, "-" without examples.
func thousand(o metrics.Optional) string {
	x, known := o.Get()
	if !known {
		return "-"
	}
	return strconv.FormatFloat(1000*x, 'f', 1, 64)
}

// three is a figure with three decimals, "-" without examples.
func three(o metrics.Optional) string {
	x, known := o.Get()
	if !known {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// end ends a row: it says how many events were rejected, at first and whenever their number has doubled, and returns
// the number that was said last.
func (t *table) end(s *board.Status) (noted int64) {
	t.predictions, t.printed = s.Counts.Predictions, time.Now()
	// At first, and whenever the number has doubled.
	if n := cli.Total(s.Counts.Rejected); n >= max(1, 2*t.noted) {
		fmt.Fprintf(t.out, "  rejected so far: %s\n", reasons(s))
		return n
	}
	return t.noted
}

// speed is in examples a second; "-" before the first samples.
func (t *table) speed(s *board.Status) string {
	if len(t.samples) == 0 {
		t.sample(s)
	}
	from := t.samples[0]
	took := s.At.Sub(from.at)
	if took < sampleEvery {
		return "-"
	}
	return humanize.Comma(int64(float64(s.Counts.Predictions-from.predictions)/took.Seconds() + 0.5))
}

func summary(out io.Writer, s *board.Status) {
	if s.Score.Examples > 0 {
		learned, _, _ := strings.Cut(s.Learner, ":")
		fmt.Fprintf(out, "\n  %-11s %8s %12s\n", "", "accuracy", "mistakes")
		for _, r := range append([]metrics.Row{s.Score.Row}, s.Score.Baselines...) {
			if r.Name == "" {
				r.Name = learned
			}
			fmt.Fprintf(out, "  %-11s %8s %12s\n", r.Name, percent(r.Accuracy), humanize.Comma(r.Mistakes))
		}
	}
	if cli.Total(s.Counts.Rejected) > 0 {
		fmt.Fprintf(out, "\n  rejected: %s\n", reasons(s))
	}
}

// percent is "-" without examples.
func percent(part metrics.Optional) string {
	x, known := part.Get()
	if !known {
		return "-"
	}
	return strconv.FormatFloat(100*x, 'f', 2, 64) + " %"
}

func baseline(s *board.Status, name string) string {
	for _, r := range s.Score.Baselines {
		if r.Name == name {
			return percent(r.Accuracy)
		}
	}
	return "-"
}

// reasons is in the order of the checks: "12 (syntax 3, bad-label 9)".
func reasons(s *board.Status) string {
	var parts []string
	for _, r := range event.Reasons() {
		if k := s.Counts.Rejected[r.String()]; k > 0 {
			parts = append(parts, r.String()+" "+humanize.Comma(k))
		}
	}
	return fmt.Sprintf("%s (%s)", humanize.Comma(cli.Total(s.Counts.Rejected)), strings.Join(parts, ", "))
}
