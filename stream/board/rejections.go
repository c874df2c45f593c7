package board

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/survey"
	"rosenblatt/stream/topics"
)

// rejections counts and logs what this process rejects of a topic: the first record of each reason, then once a minute
// how many there were since. The owner of the state owns it.
type rejections struct {
	labels bool                   // label records, else events
	split  bool                   // each partition has a model of its own
	newest Rejecting              // of the newest records
	ring   [newestRecords]bool    // which of them were rejected
	at     int                    // the oldest of the ring
	since  map[event.Reason]int64 // rejected since logged; a reason is a key from its first record on
	advice map[event.Reason]string
	apart  string // of labels: their ids and those of events are of two kinds, and what to do
	logged time.Time
}

// Rejecting is what of the newest records of a topic, in this process, was rejected.
type Rejecting struct {
	InRow  int64        // up to the newest, without one in between that was accepted
	Last   event.Reason // of the newest
	Advice string       // about it
	Bad    int          // of the last Of records
	Of     int          // at most 100
}

// newestRecords bounds Rejecting.Of.
const newestRecords = 100

// logRejected is the time between two lines with counts.
const logRejected = time.Minute

// accept notes a record that was predicted, or a label that an event has.
func (r *rejections) accept() {
	r.newest.InRow = 0
	r.note(false)
}

func (r *rejections) note(rejected bool) {
	switch was := r.ring[r.at]; {
	case r.newest.Of < newestRecords:
		r.newest.Of++
	case was:
		r.newest.Bad--
	}
	if rejected {
		r.newest.Bad++
	}
	r.ring[r.at] = rejected
	r.at = (r.at + 1) % newestRecords
}

// notAgain is added to advice about settings: they hold for what is read from then on.
const notAgain = "; what was rejected is not read again: a new model, with another --model and --output, reads it"

// add notes a rejected record; o is how its topic is read.
func (r *rejections) add(log *zerolog.Logger, at topics.Place, o *event.Options, value []byte, why *event.Error) {
	r.newest.InRow++
	r.note(true)
	if r.since == nil {
		r.since, r.logged, r.advice = map[event.Reason]int64{}, time.Now(), map[event.Reason]string{}
	}
	n, met := r.since[why.Reason]
	switch {
	case met:
	case r.labels:
		r.advice[why.Reason] = survey.LabelAdvice(o, why.Reason, why.Message(), value, r.split)
	default:
		r.advice[why.Reason] = survey.Advice(o, why.Reason, value)
		//mutation:not-read-again
		if strings.Contains(r.advice[why.Reason], "--") {
			r.advice[why.Reason] += notAgain
		}
	}
	advice := r.advice[why.Reason]
	if r.apart != "" && why.Reason == event.NoExample { // which may change with each record
		advice = r.apart
	}
	//mutation:advice-by-seconds
	if strings.HasSuffix(why.Message(), labels.Seconds) {
		advice = labels.InMilliseconds
	}
	r.newest.Last, r.newest.Advice = why.Reason, advice
	if met {
		r.since[why.Reason] = n + 1
		return
	}
	r.since[why.Reason] = 0
	log.Warn().Stringer("reason", why.Reason).Int32("partition", at.Partition).Int64("offset", at.Offset).
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
