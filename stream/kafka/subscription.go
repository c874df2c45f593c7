package kafka

import "time"

// resultsAhead is how many results of a partition wait for its reader at most; of the backlogs of a wide topic fewer.
const resultsAhead = 2

type topicPartition struct {
	topic     string
	partition int32
}

// A subscription is a partition that a reader reads on from an offset.
type subscription struct {
	fetchPartition              // at is the first offset of the next request
	disconnect     bool         // use another connection after a request
	results        chan fetched // has room: nobody waits to send
	began          time.Time

	// The fetcher's mu guards the rest.
	asked  time.Time // time of the reader's last call
	full   bool      // not requested until the reader has room, or asks
	behind bool      // more was there as of the last result
	ended  bool      // no further result comes
	report bool      // the next result is delivered even without records: the reader told of an outage
	quiet  backoff
	until  time.Time // not requested before
}

func newSubscription(topic string, partition int32, at int64) *subscription {
	return &subscription{
		fetchPartition: fetchPartition{topic: topic, partition: partition, at: at},
		began:          time.Now(),
		results:        make(chan fetched, resultsAhead+2), // and an error, and one without records
	}
}

// over ends a subscription whose reader is gone, and tells whether it has ended.
func (s *subscription) over(now time.Time) bool {
	s.ended = s.ended || now.Sub(s.asked) > lease
	return s.ended
}

// deliver passes a result to the reader and moves on. Of a backlog, so many results may wait before the reader asks for
// more; at the end of the log one that is not read in turns has to ask. It returns false if the result has no records.
func (s *subscription) deliver(r fetched, ahead int) (served bool) {
	switch {
	case s.ended:
		return false
	case r.err != nil:
		s.end(r.err)
		return true
	case r.result == nil, len(r.result.data) == 0 && !s.report:
		return false
	}
	s.report = false
	s.results <- r
	if len(r.result.data) == 0 {
		return false
	}
	after := endOfBatches(r.result.data, s.at)
	s.ended = after == s.at // the reader decides what to do about it
	s.at, s.behind = after, after < r.result.end()
	//mutation:end-not-requested
	s.full = len(s.results) >= resultsAhead || len(s.results) >= ahead && s.behind || !s.behind && !s.inTurns
	return true
}

// grow doubles the limit of a partition that has records, of which nothing came though the response had room.
func (s *subscription) grow(r *fetchResult, most, room int32) (grown bool) {
	next := min(2*most, fullFetch)
	//mutation:limit-grows
	if r == nil || s.at >= r.end() || room <= most || next <= most {
		return false
	}
	s.least = next
	return true
}

// pause keeps a partition out of requests for a moment if its broker responds at once, with nothing: between the last
// stable offset and the high watermark.
func (s *subscription) pause(r *fetchResult) bool {
	if r == nil || s.at < r.stable || s.at >= r.high {
		s.quiet.reset()
		return false
	}
	s.until = time.Now().Add(s.quiet.grow(quietPause))
	return true
}

// sizeOf is how many bytes of records came.
func sizeOf(results []fetched) (size int32) {
	for i := range results {
		if r := results[i].result; r != nil {
			size += int32(len(r.data))
		}
	}
	return size
}

func (s *subscription) end(err error) {
	if !s.ended {
		s.ended = true
		s.results <- fetched{err: err}
	}
}
