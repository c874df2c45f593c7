package labels

import "math"

// Merge says which of several sources, partitions of the events and of the labels topic, may be handled next. An event
// has its timestamp, a label its timestamp plus Slack, and what is earlier goes first; at the same time events do.
// What counts is the first record of what was read of a source, its head; a chunk is handled in parts of at most Span,
// and what is left of it has its turn again. A topic that is read to its end holds nobody up, if the end was asked for
// after the other topic's head was read. Partitions of one topic do not wait for each other.
//
// Nor does an event wait for a partition of the labels whose end was asked for at most half of Slack before the event's
// timestamp, by the wall clock: a label that goes before it and was not there then comes more than half of Slack late.
// So what is current need not wait for a request each time.
//
//	asked := m.Ask(now)        // before each request
//	m.Head(source, timestamp)  // it returned records
//	m.End(source, asked)       // it returned none
//	source, ok := m.Next()
//	m.Rest(source, timestamp)  // a part of its chunk is handled, up to the record with this timestamp
//	m.Take(source)             // its chunk is handled
//
// A label of an unknown event holds its partition: the caller calls Hold with the timestamp of that record in the place
// of Take, and learns from Next when the record is to be handled again. If the event is still unknown then (Past), the
// label is a dead letter.
type Merge struct {
	Slack    int64 // ms
	sources  []source
	stamp    Stamp  // counts requests, and what was read
	blocking [2]int // which sources last held up an event and a label
}

type source struct {
	labels bool
	state  state
	held   bool
	time   int64 // of the head, with the slack of a label
	until  int64 // of labels: events up to this time need not wait for what is not read yet
	Asked        // when the head was read, or the end was asked for
}

type state uint8

const (
	unread state = iota // nothing is known: it holds the other topic up
	headed
	ended
	paused
)

// Stamp orders requests and what was read.
type Stamp uint64

// Asked is the moment of a request.
type Asked struct {
	stamp Stamp
	now   int64
}

// Add adds a partition of the labels or of the events and returns its number: 0, 1, 2 ...
func (m *Merge) Add(labels bool) int {
	m.sources = append(m.sources, source{labels: labels, until: math.MinInt64})
	return len(m.sources) - 1
}

// Ask returns the moment of a request that is about to be made, by the wall clock now.
func (m *Merge) Ask(now int64) Asked {
	m.stamp++
	return Asked{m.stamp, now}
}

// Head notes that records of a source were read, the first one of which has this timestamp.
func (m *Merge) Head(n int, timestamp int64) { m.HeadOf(n, timestamp, m.Read()) }

// HeadOf is Head for records that were read earlier, behind others of the source.
func (m *Merge) HeadOf(n int, timestamp int64, read Stamp) {
	m.Rest(n, timestamp)
	m.sources[n].stamp = read
}

// Read returns the moment at which records were read.
func (m *Merge) Read() Stamp {
	m.stamp++
	return m.stamp
}

// End notes that a request found the end of a source.
func (m *Merge) End(n int, asked Asked) {
	s := &m.sources[n]
	s.state, s.Asked, s.until = ended, asked, max(asked.now, asked.now+m.Slack/2) // now may be the highest number
}

// Rest notes that the head of a source is handled in part: its next record has this timestamp. It was read with the
// first.
func (m *Merge) Rest(n int, timestamp int64) {
	s := &m.sources[n]
	if s.state, s.held, s.time = headed, false, timestamp; s.labels {
		s.time += m.Slack
	}
}

// Take notes that what was read of a source is handled.
func (m *Merge) Take(n int) { m.sources[n].state = unread }

// Hold notes that a label of this timestamp, of an unknown event, is the next record of a source.
func (m *Merge) Hold(n int, timestamp int64) {
	m.Rest(n, timestamp)
	m.sources[n].held = true
}

// Pause notes that the head of a source waits for something else than its turn, by the wall clock now. Until Resume
// what is current, of the last Slack, does not wait for it; a backlog keeps its order.
func (m *Merge) Pause(n int, now int64) {
	m.sources[n].state, m.sources[n].now = paused, now-max(m.Slack, leastSlack)
}

// leastSlack is how far, in ms, what is current may be behind the wall clock.
const leastSlack = 1000

// Span is how much later, in ms, a record may be than the first one that is handled with it: events of many hours may
// be one chunk.
func (m *Merge) Span() int64 { return m.Slack / 2 }

// Resume ends a Pause.
func (m *Merge) Resume(n int) { m.sources[n].state = headed }

// Next returns the earliest source that may be handled; false if none may before more is read, or asked for again.
func (m *Merge) Next() (n int, ok bool) {
	// Where all is known the earliest head may be handled, unless it is held: there is one to check.
	if n = m.earliest(func(*source) bool { return true }); n < 0 || m.ready(&m.sources[n]) {
		return n, n >= 0
	}
	n = m.earliest(m.ready)
	return n, n >= 0
}

// earliest returns the source with the earliest head of those that may have it, -1 if there is none.
func (m *Merge) earliest(may func(*source) bool) int {
	n := -1
	for i := range m.sources {
		if s := &m.sources[i]; s.state == headed && (n < 0 || s.before(&m.sources[n])) && may(s) {
			n = i
		}
	}
	return n
}

// Ready reports whether a source may be handled now, though it may not be the earliest.
func (m *Merge) Ready(n int) bool { return m.ready(&m.sources[n]) }

// Past reports whether events are read past a label that was read of a source and has this timestamp, or to their ends
// with the wall clock past it. Then an event that is unknown comes no more.
func (m *Merge) Past(n int, timestamp int64) bool {
	label := source{labels: true, state: headed, held: true, time: timestamp + m.Slack, Asked: m.sources[n].Asked}
	return m.ready(&label)
}

func (m *Merge) ready(s *source) bool {
	if s.state != headed {
		return false
	}
	// Most often one source holds up all of the other topic.
	last := &m.blocking[0]
	if s.labels {
		last = &m.blocking[1]
	}
	if m.holdsUp(*last, s) {
		return false
	}
	for i := range m.sources {
		if m.holdsUp(i, s) {
			*last = i
			return false
		}
	}
	return true
}

func (m *Merge) holdsUp(i int, s *source) bool {
	other := &m.sources[i]
	return other.labels != s.labels && other.holdsUp(s)
}

// holdsUp reports whether a source of the other topic may have a record that goes first.
func (s *source) holdsUp(other *source) bool {
	switch {
	case s.state == headed:
		return s.before(other)
	case s.state == paused:
		//mutation:pause-holds-backlog
		return s.before(other) && other.time < s.now
	case s.labels && other.time <= s.until:
		return false
	case s.state == ended:
		//mutation:merge-asked-after
		return s.stamp < other.stamp || other.held && s.now <= other.time
	}
	return true
}

func (s *source) before(other *source) bool {
	return s.time < other.time || s.time == other.time && !s.labels && other.labels
}
