package fetch

import (
	"time"

	"rosenblatt/stream/kafka/cluster"
)

// resultsAhead is how many results of a partition wait for its reader at most; of the backlogs of a wide topic fewer.
const resultsAhead = 2

// TopicPartition names a partition.
type TopicPartition struct {
	Topic     string
	Partition int32
}

// A Subscription is a partition that a reader reads on from an offset.
type Subscription struct {
	Partition               // At is the first offset of the next request
	Disconnect bool         // use another connection after a request
	Results    chan Fetched // has room: nobody waits to send
	began      time.Time

	// The fetcher's mu guards the rest.
	asked  time.Time // time of the reader's last call
	full   bool      // not requested until the reader has room, or asks
	behind bool      // more was there as of the last result
	ended  bool      // no further result comes
	Report bool      // the next result is delivered even without records: the reader told of an outage
	quiet  cluster.Backoff
	until  time.Time // not requested before
}

// NewSubscription makes one for Subscribe.
func NewSubscription(topic string, partition int32, at int64) *Subscription {
	return &Subscription{
		Partition: Partition{Topic: topic, Number: partition, At: at},
		began:     time.Now(),
		Results:   make(chan Fetched, resultsAhead+2), // and an error, and one without records
	}
}

// over ends a subscription whose reader is gone, and tells whether it has ended.
func (s *Subscription) over(now time.Time) bool {
	s.ended = s.ended || now.Sub(s.asked) > lease
	return s.ended
}

// deliver passes a result to the reader and moves on. Of a backlog, so many results may wait before the reader asks for
// more; at the end of the log one that is not read in turns has to ask. It returns false if the result has no records.
func (s *Subscription) deliver(r Fetched, ahead int) (served bool) {
	switch {
	case s.ended:
		return false
	case r.Err != nil:
		s.end(r.Err)
		return true
	case r.Result == nil, len(r.Result.Data) == 0 && !s.Report:
		return false
	}
	s.Report = false
	s.Results <- r
	if len(r.Result.Data) == 0 {
		return false
	}
	after := endOfBatches(r.Result.Data, s.At)
	s.ended = after == s.At // the reader decides what to do about it
	s.At, s.behind = after, after < r.Result.End()
	//mutation:end-not-requested
	s.full = len(s.Results) >= resultsAhead || len(s.Results) >= ahead && s.behind || !s.behind && !s.InTurns
	return true
}

// grow doubles the limit of a partition that has records, of which nothing came though the response had room.
func (s *Subscription) grow(r *Result, most, room int32) (grown bool) {
	next := min(2*most, fullFetch)
	//mutation:limit-grows
	if r == nil || s.At >= r.End() || room <= most || next <= most {
		return false
	}
	s.least = next
	return true
}

// pause keeps a partition out of requests for a moment if its broker responds at once, with nothing: between the last
// stable offset and the high watermark.
func (s *Subscription) pause(r *Result) bool {
	if r == nil || s.At < r.stable || s.At >= r.High {
		s.quiet.Reset()
		return false
	}
	s.until = time.Now().Add(s.quiet.Grow(quietPause))
	return true
}

// sizeOf is how many bytes of records came.
func sizeOf(results []Fetched) (size int32) {
	for i := range results {
		if r := results[i].Result; r != nil {
			size += int32(len(r.Data))
		}
	}
	return size
}

func (s *Subscription) end(err error) {
	if !s.ended {
		s.ended = true
		s.Results <- Fetched{Err: err}
	}
}
