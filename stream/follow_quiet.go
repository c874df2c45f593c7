package stream

import (
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/silence"
)

// quietAfter is the time without predictions, while records wait, that is worth a line in the log.
const quietAfter = 3 * time.Second

// quiet is a time without predictions while a record waits, as people see it: nothing depends on it.
type quiet struct {
	board.Silence
	told bool
}

// note takes a look.
func (q *quiet) note(t *Task, look *silence.Look) {
	partition, offset := int32(0), int64(silence.None)
	for p, at := range look.Heads {
		if at != silence.None && (offset == silence.None || int32(p) == q.Partition) {
			partition, offset = int32(p), at
		}
	}
	switch {
	//mutation:quiet-is-over
	case look.Written || offset == silence.None:
		q.end(t)
		return
	case q.Since.IsZero() || partition != q.Partition || offset != q.Offset:
		q.Silence = board.Silence{Partition: partition, Offset: offset, Since: look.At}
	}
	q.For = look.At.Sub(q.Since)
	shown := q.Silence
	t.board.Quiet(&shown)
	if q.For >= quietAfter && !q.told {
		q.told = true
		t.Logger.Warn().Int32("partition", q.Partition).Int64("offset", q.Offset).Dur("for", q.For).
			Msg("nobody predicts: this record waits")
	}
}

// end notes that somebody predicts, that nothing waits, or that it is not known.
func (q *quiet) end(t *Task) {
	if q.told {
		t.Logger.Info().Dur("for", q.For).Msg("predictions go on")
	}
	*q = quiet{}
	t.board.Quiet(nil)
}
