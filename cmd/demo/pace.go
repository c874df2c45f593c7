package main

import (
	"time"

	"rosenblatt/stream"
)

// maxLag is how many events the feeder may be ahead of the daemon.
const maxLag = 50_000

// tick is how often batches are sent at a pace: seldom enough that slow streams are not all batches of one event, for
// the broker keeps an index entry for each batch in memory.
const tick = 25 * time.Millisecond

// overhead is counted for each event beside its own bytes. An event and overhead are together at least what its answer,
// or its dead letter with all its headers, takes.
const overhead = 512

// pace says how many events may be sent now: not more a second than the user wants, not too far ahead of the daemon,
// and not more than retention allows. The daemon recovers from its newest checkpoint, so everything behind that must
// stay in the topics; the group's offset is where that checkpoint stands, for it is committed once the checkpoint is
// durable.
type pace struct {
	rate    float64 // events a second; 0 for as many as may be
	covered func() int64

	began   time.Time // of the present run without a pause
	last    time.Time // when something was due
	given   float64   // events sent in it
	end     int64     // the log's end
	batches []batch   // sent, and not known to be covered by a checkpoint
	bytes   int64     // of those
}

// batch is one batch that was sent.
type batch struct {
	end   int64 // the log's end behind it
	bytes int64
}

// sent tells that n events were sent.
func (p *pace) sent(n int, bytes int64) {
	p.end += int64(n)
	p.given += float64(n)
	bytes += overhead * int64(n)
	p.bytes += bytes
	p.batches = append(p.batches, batch{p.end, bytes})
}

// due is how many events may be sent now; when it is 0, ask again after the pause.
func (p *pace) due(now time.Time, s *stream.Status) (n int, pause time.Duration) {
	const blocked = 5 * time.Millisecond
	room := maxLag - (p.end - position(s))
	if s.State != stream.Live || room <= 0 || !p.retained() {
		p.began = time.Time{} // what was missed is not made up for in a burst
		return 0, blocked
	}
	if p.rate == 0 {
		return int(min(room, maxLag)), 0
	}
	if p.began.IsZero() {
		p.began, p.given = now, 0
	}
	ready := now.Sub(p.began).Seconds()*p.rate + 1 - p.given // the first one at once
	if ready > p.rate+1 {                                    // a sleep of the machine, or a stall
		p.began, p.given, ready = now, 0, 1
	}
	soon := tick - now.Sub(p.last)
	if ready < 1 {
		soon = max(soon, time.Duration((1-ready)/p.rate*float64(time.Second)), time.Millisecond)
	}
	if soon > 0 && ready < batchEvents {
		return 0, min(soon, 200*time.Millisecond)
	}
	p.last = now
	return int(min(int64(ready), room)), 0
}

// retained tells whether what no checkpoint covers is little enough for more to come.
func (p *pace) retained() bool {
	if p.bytes < unsaved {
		return true
	}
	covered, done := p.covered(), 0
	for done < len(p.batches) && p.batches[done].end <= covered {
		p.bytes -= p.batches[done].bytes
		done++
	}
	p.batches = append(p.batches[:0], p.batches[done:]...)
	return p.bytes < unsaved
}

// position is how far the daemon is in the topic's one partition.
func position(s *stream.Status) int64 {
	if len(s.Partitions) == 0 {
		return 0
	}
	return s.Partitions[0].Position
}
