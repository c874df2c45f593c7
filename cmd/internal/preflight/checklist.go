package preflight

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// checklist prints one line for each step.
type checklist struct {
	out    io.Writer
	color  bool
	failed int
	warned []string // what warnings are about
	noted  int
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
	l.noted++
	l.line("note", yellow, what, withAdvice(found, do))
}

// warn is about what a daemon starts with, and most likely should not.
func (l *checklist) warn(what, found, do string) {
	//mutation:check-counts-warnings
	l.warned = append(l.warned, what)
	l.line("warn", yellow, what, withAdvice(found, do))
}

func (l *checklist) fail(what, found, do string) {
	l.failed++
	l.line("FAIL", red, what, withAdvice(found, do))
}

// withAdvice is what was found and what to do about it, once where what was found says it, too.
func withAdvice(found, do string) string {
	if strings.Contains(found, do) {
		return found
	}
	return found + ": " + do
}

// summarize says the worst that was found.
func (l *checklist) summarize() {
	switch {
	case l.failed == 1:
		fmt.Fprintln(l.out, "One thing is wrong.")
	case l.failed == 0 && len(l.warned) > 0:
		fmt.Fprintf(l.out, "A daemon would start, but heed %s: %s.\n", english.Plural(len(l.warned), "warning", ""),
			strings.Join(slices.Compact(l.warned), ", "))
	case l.failed == 0 && l.noted > 0:
		fmt.Fprintf(l.out, "Nothing is wrong, with %s above.\n", english.Plural(l.noted, "note", ""))
	case l.failed == 0:
		fmt.Fprintln(l.out, "All is in order.")
	default:
		fmt.Fprintf(l.out, "%d things are wrong. Begin with the first: others may come from it.\n", l.failed)
	}
}
