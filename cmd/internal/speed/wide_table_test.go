package speed

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// figures are what BenchmarkWide measures of a program.
type figures struct {
	rate     float64       // events a second from a backlog
	p50, p99 time.Duration // from event to reader
	start    time.Duration // from the process's start until an event of each partition is through
	peak     float64       // MB of memory
}

// row are the programs' figures for topics of so many partitions and a delay in each direction. Its text has medians.
type row struct {
	partitions int
	delay      time.Duration
	figures    map[string][]*figures // of each program, by round
}

// round returns the figures of a program in a round.
func (r *row) round(program string, n int) *figures {
	for len(r.figures[program]) <= n {
		r.figures[program] = append(r.figures[program], &figures{})
	}
	return r.figures[program][n]
}

type table []*row

// of returns the row of so many partitions and a delay.
func (t *table) of(partitions int, delay time.Duration) *row {
	for _, r := range *t {
		if r.partitions == partitions && r.delay == delay {
			return r
		}
	}
	r := &row{partitions: partitions, delay: delay, figures: map[string][]*figures{}}
	*t = append(*t, r)
	return r
}

// text is the table in Markdown, with the first program's figure and the others' in brackets.
func (t table) text(programs []contender) string {
	var s strings.Builder
	s.WriteString("\n| partitions | ms each way | backlog, thousand events/s | p50, ms | p99, ms | start, s |" +
		" peak, MB |\n|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range t {
		fmt.Fprintf(&s, "| %d | %d ", r.partitions, r.delay.Milliseconds())
		for _, figure := range []func(figures) float64{
			func(f figures) float64 { return f.rate / 1000 },
			func(f figures) float64 { return milliseconds(f.p50) },
			func(f figures) float64 { return milliseconds(f.p99) },
			func(f figures) float64 { return f.start.Seconds() },
			func(f figures) float64 { return f.peak },
		} {
			s.WriteString("| " + r.text(programs, figure))
		}
		s.WriteString("|\n")
	}
	return s.String()
}

func (r *row) text(programs []contender, figure func(figures) float64) (text string) {
	for i, c := range programs {
		one := "-"
		var all []float64
		for _, f := range r.figures[c.name] {
			all = append(all, figure(*f))
		}
		if slices.Sort(all); len(all) > 0 {
			one = short((all[len(all)/2] + all[(len(all)-1)/2]) / 2)
		}
		if i > 0 {
			one = "(" + one + ")"
		}
		text += one + " "
	}
	return text
}

// short is a number with two or more digits that count.
func short(v float64) string {
	switch {
	case v < 1:
		return fmt.Sprintf("%.2f", v)
	case v < 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
