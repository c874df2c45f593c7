package labels

import (
	"math"
	"slices"
)

// notes are ends of a partition as they were at some moments, both ascending. At most one a second is kept, and of more
// than mostNotes every second one: what is concluded from fewer is concluded later.
type notes struct {
	list []note
	pace int64 // ms between two
}

// note is an end at a moment by the wall clock, ms.
type note struct{ at, end int64 }

const (
	mostNotes = 64
	notePace  = 1000
	never     = math.MinInt64
)

// due reports whether a further note may be taken now.
func (n *notes) due(now int64) bool {
	last := len(n.list) - 1
	return last < 0 || now-n.list[last].at >= max(n.pace, notePace)
}

// add takes a note, unless the last one is too new. latest says which moment of the same end counts.
func (n *notes) add(at, end int64, latest bool) {
	switch last := len(n.list) - 1; {
	case last >= 0 && (at < n.list[last].at || end < n.list[last].end):
	case last >= 0 && end == n.list[last].end:
		if latest {
			n.list[last].at = at
		}
	case n.due(at):
		n.list = append(n.list, note{at, end})
	}
	//mutation:notes-bounded
	if len(n.list) > mostNotes {
		n.pace = 2 * max(n.pace, notePace)
		kept := n.list[:0]
		for i := 0; i < len(n.list); i += 2 { // the first one and the last
			kept = append(kept, n.list[i])
		}
		n.list = kept
	}
}

// since is the first moment at which an offset was known to be below the end; false if it never was.
func (n *notes) since(offset int64) (at int64, known bool) {
	i, _ := slices.BinarySearchFunc(n.list, offset, func(x note, offset int64) int {
		if x.end <= offset {
			return -1
		}
		return 1
	})
	if i == len(n.list) {
		return 0, false
	}
	return n.list[i].at, true
}

// reach is the last moment whose end is not above a position; never if there is none. Notes that are no longer needed
// are dropped: of those that are reached all but the last one.
func (n *notes) reach(position int64) int64 {
	reached := 0
	for reached < len(n.list) && n.list[reached].end <= position {
		reached++
	}
	if reached == 0 {
		return never
	}
	at := n.list[reached-1].at
	if n.list = slices.Delete(n.list, 0, reached-1); len(n.list) <= 1 {
		n.pace = 0
	}
	return at
}
