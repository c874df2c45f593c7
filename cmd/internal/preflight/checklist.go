package preflight

import (
	"fmt"
	"io"
)

// checklist prints one line for each step.
type checklist struct {
	out    io.Writer
	color  bool
	failed int
}

// Colors of a terminal, by number (ECMA-48, SGR).
const (
	red    = 31
	green  = 32
	yellow = 33
)

func (l *checklist) line(verdict string, color int, what, text string) {
	if l.color {
		fmt.Fprintf(l.out, "\x1b[%dm%-5s\x1b[0m %-12s %s\n", color, verdict, what, text)
		return
	}
	fmt.Fprintf(l.out, "%-5s %-12s %s\n", verdict, what, text)
}

func (l *checklist) ok(what, format string, args ...any) {
	l.line("ok", green, what, fmt.Sprintf(format, args...))
}

// note is about optional or unchecked things.
func (l *checklist) note(what, found, do string) {
	l.line("note", yellow, what, found+": "+do)
}

func (l *checklist) fail(what, found, do string) {
	l.failed++
	l.line("FAIL", red, what, found+": "+do)
}

func (l *checklist) summarize() {
	switch l.failed {
	case 0:
		fmt.Fprintln(l.out, "All is in order.")
	case 1:
		fmt.Fprintln(l.out, "One thing is wrong.")
	default:
		fmt.Fprintf(l.out, "%d things are wrong. Begin with the first: others may come from it.\n", l.failed)
	}
}
