package stream

import (
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/silence"
)

const (
	// quietAfter is the time without predictions, while records wait, that is worth a line in the log.
	quietAfter = 3 * time.Second
	// quietAgain is how long after a line there is another one.
	quietAgain = time.Minute
	// nothingWaits is how many looks in a row find nothing that waits where that is so: after a checkpoint was loaded,
	// the first ones have not read any input yet.
	nothingWaits = 10
)

// quiet is a time without predictions while a record waits, as people see it: nothing depends on it but the name of a
// takeover's cause. It outlasts that a follower loads another checkpoint.
type quiet struct {
	board.Silence
	told time.Time // the last line of the log, by the time of a look; zero: there is none
	none int       // looks in a row that found nothing that waits
}

// note takes a look. learned: entries were since the one before; positions are those in the input. awaits says why
// nobody asks for the member that has the task, or nothing.
func (q *quiet) note(t *Task, look *silence.Look, learned bool, positions []int64, awaits func() string) {
	at := q.waits(look)
	//mutation:markers-end-it
	over := learned || q.none >= nothingWaits
	//mutation:passed-ends-it
	if over || !q.Since.IsZero() && int(q.Partition) < len(positions) && positions[q.Partition] > q.Offset {
		q.end(t)
	}
	switch {
	case q.Since.IsZero() && at.Offset == silence.None:
		return
	case q.Since.IsZero():
		at.Since = look.At
		q.Silence = at
	}
	q.For = look.At.Sub(q.Since)
	shown := q.Silence
	t.board.Quiet(&shown)
	//mutation:quiet-told-again
	if q.For < quietAfter || !q.told.IsZero() && look.At.Sub(q.told) < quietAgain {
		return
	}
	q.told = look.At
	e := t.Logger.Warn().Int32("partition", q.Partition).Int64("offset", q.Offset).Stringer("for", rounded(q.For))
	if why := awaits(); why != "" {
		e = e.Str("why", why)
	}
	e.Msg("nobody predicts: this record waits")
}

// waits returns the first record that waits.
func (q *quiet) waits(look *silence.Look) board.Silence {
	for p, offset := range look.Heads {
		if offset != silence.None {
			q.none = 0
			return board.Silence{Partition: int32(p), Offset: offset}
		}
	}
	q.none++
	return board.Silence{Offset: silence.None}
}

// end notes that somebody predicts, or that nothing waits.
func (q *quiet) end(t *Task) {
	if !q.told.IsZero() {
		t.Logger.Info().Stringer("for", rounded(q.For)).Msg("predictions go on")
	}
	q.forget(t)
}

// forget notes that nothing is known of what waits.
func (q *quiet) forget(t *Task) {
	*q = quiet{none: q.none}
	t.board.Quiet(nil)
}

// rounded is a duration as logs show it, with its unit.
func rounded(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
