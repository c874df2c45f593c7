package training

import (
	"fmt"
	"io"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/batch"
)

// passTable prints a row at passes 1, 2, 4, 8 ... and at the last one.
type passTable struct {
	out     io.Writer
	heldOut bool
	next    int
	last    batch.Pass
	shown   int // number of the last pass in the table
}

func (t *passTable) pass(p batch.Pass) {
	if t.next == 0 {
		t.next = 1
		fmt.Fprintf(t.out, "%8s %10s %10s %10s %12s %10s%s\n", "pass", "updates", "so far", "mistakes", "loss",
			"change", cli.When(t.heldOut, "  validation error"))
	}
	t.last = p
	if p.Number == t.next {
		t.next *= 2
		t.row()
	}
}

func (t *passTable) row() {
	p := &t.last
	t.shown = p.Number
	fmt.Fprintf(t.out, "%8d %10d %10d %10d %12.6g %9.3g%%%s\n", p.Number, p.Updates, p.TotalUpdates, p.Mistakes, p.Loss,
		100*p.Change,
		cli.When(t.heldOut, fmt.Sprintf("  %.4f", p.ValidationError)))
}

func (t *passTable) end() {
	if t.last.Number > t.shown {
		t.row()
	}
}
