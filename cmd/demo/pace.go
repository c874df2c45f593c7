package main

import (
	"time"

	"rosenblatt/stream/board"
)

// maxLag is in events.
const maxLag = 50_000

// tick is the interval of batches. The broker keeps an index entry for each in memory, so batches of one event are to
// be few.
const tick = 25 * time.Millisecond

// overhead is added to the bytes of each event, to cover its prediction, or its dead letter with all headers.
const overhead = 512

// pace limits what is sent: by the rate, the daemon's lag, and retention. Recovery starts from the newest checkpoint,
// so everything after it must remain in the topics. The group's offset is its position, committed once it is durable.
type pace struct {
	rate    float64 // events a second; 0: unlimited
	covered func() int64

	began   time.Time // of the present stretch without a pause
	last    time.Time // when something was due
	given   float64   // events sent in it
	end     int64     // the log's end
	batches []batch   // not known to be covered by a checkpoint
	bytes   int64     // of those
}

type batch struct {
	end   int64 // the log's end after it
	bytes int64
}

func (p *pace) sent(n int, bytes int64) {
	p.end += int64(n)
	p.given += float64(n)
	bytes += overhead * int64(n)
	p.bytes += bytes
	p.batches = append(p.batches, batch{p.end, bytes})
}

// due is how many events may be sent now; if 0, the caller asks again after the pause.
func (p *pace) due(now time.Time, s *board.Status) (n int, pause time.Duration) {
	const blocked = 5 * time.Millisecond
	room := maxLag - (p.end - position(s))
	if s.State != board.Live || room <= 0 || !p.retained() {
		p.began = time.Time{} // no burst afterwards
		return 0, blocked
	}
	if p.rate == 0 {
		return int(min(room, maxLag)), 0
	}
	if p.began.IsZero() {
		p.began, p.given = now, 0
	}
	ready := now.Sub(p.began).Seconds()*p.rate + 1 - p.given // the first one at once
	if ready > p.rate+1 {                                    // the machine slept, or the feeder stalled
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

// retained reports whether more may be sent with what no checkpoint covers yet.
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

func position(s *board.Status) int64 {
	if len(s.Partitions) == 0 {
		return 0
	}
	return s.Partitions[0].Position
}
