package stream

import (
	"maps"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/event"
	"rosenblatt/stream/survey"
)

// rejections counts and logs what this process rejects of a topic: the first record of each reason, then once a minute
// how many there were since. The owner of the state owns it.
type rejections struct {
	labels bool                   // label records, else events
	split  bool                   // each partition has a model of its own
	row    int64                  // up to the newest record, without one that was predicted
	last   event.Reason           // of the newest
	since  map[event.Reason]int64 // rejected since logged; a reason is a key from its first record on
	logged time.Time
}

// logRejected is the time between two lines with counts.
const logRejected = time.Minute

func (r *rejections) add(log *zerolog.Logger, at place, why *event.Error) {
	r.row++
	r.last = why.Reason
	if _, met := r.since[why.Reason]; met {
		r.since[why.Reason]++
		return
	}
	if r.since == nil {
		r.since, r.logged = map[event.Reason]int64{}, time.Now()
	}
	r.since[why.Reason] = 0
	advice := survey.Advice(why.Reason)
	if r.labels {
		advice = survey.LabelAdvice(why.Reason, r.split)
	}
	log.Warn().Stringer("reason", why.Reason).Int32("partition", at.partition).Int64("offset", at.offset).
		Str("error", clip(why.Message())).Str("do", advice).
		Msg(r.one() + " is rejected, the first for this reason")
}

// report logs the counts if it is time, or at the end.
func (r *rejections) report(log *zerolog.Logger, end bool) {
	if len(r.since) == 0 || !end && time.Since(r.logged) < logRejected {
		return
	}
	counts, total := zerolog.Dict(), int64(0)
	for _, reason := range slices.Sorted(maps.Keys(r.since)) {
		if n := r.since[reason]; n > 0 {
			counts.Int64(reason.String(), n)
			total += n
			r.since[reason] = 0
		}
	}
	if total > 0 {
		took := time.Since(r.logged).Round(time.Second).String()
		what := "events"
		if r.labels {
			what = "labels"
		}
		log.Warn().Int64(what, total).Dict("reasons", counts).Str("within", took).Msg("more " + what + " were rejected")
	}
	r.logged = time.Now()
}

func (r *rejections) one() string {
	if r.labels {
		return "a label"
	}
	return "an event"
}
