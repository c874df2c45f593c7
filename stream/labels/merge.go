package labels

// Merge says which of several sources, partitions of the events and of the labels topic, may be handled next.
//
// The obvious design handles what is read as it is read. Then a model that catches up learns something else than one
// that is current: today's events come beside yesterday's labels. The other obvious design merges by timestamps and
// waits for all partitions. Then one that is silent stops the others.
//
// So a source waits only for those that may still have something earlier, and a current event does not wait for labels.
// An event has its timestamp, a label its timestamp plus Slack, and what is earlier goes first; at the same time events
// do. What counts is the first record of what was read of a source, its head; a chunk is handled in parts of at most
// Span, and what is left of it has its turn again. A topic that is read to its end holds nobody up, if the end was
// asked for after the other topic's head was read. Partitions of one topic do not wait for each other.
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
// A label of an unknown event holds its partition: the caller calls Hold with that record in the place of Take, and
// learns from Next when the record is to be handled again, or calls Rest when the event has come before. If the event
// is still unknown then (Past), the label is a dead letter. That takes that the label has been readable for Slack, and
// that no partition of the events can have its event any more: each was read past the label's timestamp plus Slack, or
// all was read of it that was stored up to then, and up to Slack after the label was readable. What is stored may not
// be readable, in a transaction that is open; Readable and Stored note the ends that tell. Once the clock has passed
// its time, a held label holds up nobody but its own partition.
//
// A request may fail: a source that could not be asked for half of Slack is unasked. Of the labels it holds up no
// event. Of the events it holds up labels, since it may have their events; but labels that wait for it hold up no event
// once the clock has passed their time.
type Merge struct {
	Slack    int64 // ms
	sources  []source
	stamp    Stamp  // counts requests, and what was read
	now      int64  // the wall clock
	failing  int    // sources of events that were unasked when that was last looked at
	blocking [3]int // which sources last held up an event, a label, and a held label
}

type source struct {
	labels bool
	state  state
	time   int64 // of the head, with the slack of a label
	until  int64 // of labels: events up to this time need not wait for what is not read yet
	Asked        // when the head was read, or the end was asked for

	held   bool  // by a label of an unknown event
	by     int64 // of a held label: what was stored up to then must be read
	notes  notes // of the ends: of labels of what is readable, of events of what is stored
	stored int64 // of events: all that was stored up to then is handled; never
	open   bool  // of events: a transaction is

	first     int64 // of labels: when it was first known how far they are readable, by the wall clock; never: it is not
	responded int64 // the last request with an answer, or the first one, by the wall clock; never: there was none
	tried     int64 // the first request after it; never
	failed    bool  // one of those failed
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

// Behind reports whether a request was made after something was read.
func (a Asked) Behind(read Stamp) bool { return a.stamp >= read }

// Add adds a partition of the labels or of the events and returns its number: 0, 1, 2 ...
func (m *Merge) Add(labels bool) int {
	if len(m.sources) == 0 {
		m.now = never
	}
	m.sources = append(m.sources, source{labels: labels, until: never, stored: never, first: never, responded: never,
		tried: never})
	return len(m.sources) - 1
}

// Ask returns the moment of a request that is about to be made to all sources, by the wall clock now.
func (m *Merge) Ask(now int64) Asked {
	m.stamp++
	for n := range m.sources {
		s := &m.sources[n]
		if s.responded == never {
			s.responded = now
		}
		if s.tried == never {
			s.tried = now
		}
	}
	m.Clock(now)
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
func (m *Merge) Take(n int) { m.sources[n].state, m.sources[n].held = unread, false }

// Pause notes that the head of a source waits for something else than its turn, by the wall clock now. Until Resume
// what is current, of the last Slack, does not wait for it; a backlog keeps its order.
func (m *Merge) Pause(n int, now int64) {
	m.sources[n].state, m.sources[n].now = paused, m.current(now)
}

// current is the earliest time of what is current.
func (m *Merge) current(now int64) int64 { return now - max(m.Slack, leastSlack) }

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
	n = m.earliest(func(s *source) bool { return !s.held || m.ready(s) })
	if n < 0 || m.ready(&m.sources[n]) {
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

func (m *Merge) ready(s *source) bool {
	if s.state != headed {
		return false
	}
	last := &m.blocking[0]
	switch {
	case s.held:
		last = &m.blocking[2]
		if s.by > m.now {
			return false
		}
	case s.labels:
		last = &m.blocking[1]
	}
	// Most often one source holds up all of the other topic.
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
	return other.labels != s.labels && (s.labels && other.holdsUpLabel(s) || !s.labels && m.holdsUpEvent(other, s))
}

// holdsUpLabel reports whether a source of the events may have a record that goes before a label.
func (s *source) holdsUpLabel(label *source) bool {
	switch s.state {
	case headed:
		return s.before(label)
	case ended:
		//mutation:merge-asked-after
		return s.stamp < label.stamp || label.held && s.stored < label.by
	}
	return true
}

// holdsUpEvent reports whether an event has to wait for a source of the labels.
func (m *Merge) holdsUpEvent(s, event *source) bool {
	switch {
	case s.state == headed:
		return s.before(event) && !(m.now > s.time && m.waits(s) && !m.atStart(s, event))
	case s.state == paused:
		//mutation:pause-holds-backlog
		return s.before(event) && event.time < s.now
	case event.time <= s.until, m.away(s, event):
		return false
	case s.state == ended:
		return s.stamp < event.stamp
	}
	return true
}

func (s *source) before(other *source) bool {
	return s.time < other.time || s.time == other.time && !s.labels && other.labels
}
