package stream

import "rosenblatt/stream/journal"

// placement is what becomes of an entry that is to be placed in a flight.
type placement uint8

const (
	placed placement = iota
	full             // it belongs in the next flight; this one has not changed
	never            // it fits into no batch, even alone
)

// place adds an entry of a run to a share: encode appends it, and reports whether it fits. An entry that begins the
// flight may have a larger batch, of so many bytes, and is then alone in it.
func (f *flight) place(run journal.Run, to *share, alone int, encode func(*share) bool) placement {
	begins := len(f.layout.Runs) == 0
	switch {
	//mutation:share
	case !begins && (f.full || to.records.Len() >= f.limits.records || !f.admitsRun(run)):
		return full
	case encode(to):
		return placed
	case !begins:
		return full
	}
	to.records.Limit, f.full = alone-f.limits.promotion, true
	if encode(to) {
		return placed
	}
	return never
}

// isFull reports whether a flight that has entries takes no more, nor dead letters of records behind them.
func (f *flight) isFull() bool { return f.full && len(f.layout.Runs) > 0 }

// admitsRun reports whether the layout has room for a run.
func (f *flight) admitsRun(r journal.Run) bool {
	runs := f.layout.Runs
	if len(runs) < f.limits.runs {
		return true
	}
	last := &runs[len(runs)-1]
	return last.Kind == r.Kind && last.Partition == r.Partition
}
