package stream

import (
	"slices"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// merger has the chunks of a task with later labels, and says which is handled next (labels.Merge). It belongs to the
// learner.
type merger struct {
	merge   labels.Merge
	sources []source                       // events' partitions, then the labels'
	numbers map[topics.Topic]map[int32]int // of the sources, by partition

	next    int  // the source whose chunk may be handled, -1: none
	checked bool // next is valid
	fresh   bool // there is a head, or an end was found, since the ends were last asked for
	asking  bool
	read    labels.Stamp  // when the newest chunk was
	noted   time.Time     // when the ends were last asked for that tell what is stored
	idle    time.Duration // LabelsConfig.Idle: ends are asked for though nothing waits
	began   time.Time
	ask     chan endsAsk
	ends    chan foundEnds
}

// source is a partition that is merged.
type source struct {
	topic     topics.Topic
	partition int32
	chunks    []*chunk  // the first is the head
	to        int64     // the position behind them
	arrived   time.Time // of the newest record
	paused    bool
	held      bool  // by a label of an unknown event
	further   bool  // it has further chunks (scheduler.more)
	unasked   error // why its end is not known; nil if it was, the last time
}

// position is that of the next record to be handled.
func (s *source) position() int64 {
	if len(s.chunks) == 0 {
		return s.to
	}
	return s.chunks[0].position()
}

// endsAsk is a request for ends, and whether it is for high watermarks, too.
type endsAsk struct {
	labels.Asked
	highs bool
}

// foundEnds are ends that one leader told of, asked for at a moment; none when no more come.
type foundEnds struct {
	labels.Asked
	ends []topics.PartitionEnd
}

func newMerger(st *state.State, c *state.LabelsConfig) *merger {
	if c == nil { // labels were taken away
		c = &state.LabelsConfig{}
	}
	m := &merger{merge: labels.Merge{Slack: c.Slack.Milliseconds()}, idle: c.Idle, began: time.Now(),
		numbers: map[topics.Topic]map[int32]int{},
		ask:     make(chan endsAsk, 1), ends: make(chan foundEnds, 1)}
	for _, topic := range []topics.Topic{topics.Input, topics.Labels} {
		m.numbers[topic] = map[int32]int{}
		for _, p := range st.Partitions(topic) {
			m.numbers[topic][p] = m.merge.Add(topic == topics.Labels)
			m.sources = append(m.sources, source{topic: topic, partition: p, to: st.PositionsOf(topic)[p],
				arrived: time.Now()})
		}
	}
	return m
}

// of is the number of a partition.
func (m *merger) of(topic topics.Topic, partition int32) int { return m.numbers[topic][partition] }

// arrive takes a chunk that was read.
func (m *merger) arrive(c *chunk) {
	n := m.of(c.topic, c.Partition)
	s := &m.sources[n]
	c.readAt = m.merge.Read()
	m.read = c.readAt
	s.chunks, s.to = append(s.chunks, c), c.Next
	if len(c.Records) > 0 {
		s.arrived = c.arrived
	}
	if len(s.chunks) == 1 {
		m.head(n)
	}
}

// head tells the merge what the first chunk of a source begins with. A chunk without records is always ready.
func (m *merger) head(n int) {
	s := &m.sources[n]
	s.held, s.paused = false, false
	m.checked, m.fresh = false, true
	switch {
	case len(s.chunks) == 0:
		m.merge.Take(n)
	case len(s.chunks[0].Records) > 0:
		m.merge.HeadOf(n, s.chunks[0].times[0], s.chunks[0].readAt)
	}
}

// part returns up to which record of a chunk of a source is handled now.
func (m *merger) part(c *chunk) int {
	if c.handled == len(c.Records) {
		return c.handled
	}
	first, span := c.times[c.handled], m.merge.Span()
	for i := c.handled + 1; i < len(c.Records); i++ {
		//mutation:chunk-parts
		if c.times[i]-first > span {
			return i
		}
	}
	return len(c.Records)
}

// handled notes that the first chunk of a source is, or a part of it. It returns whether the chunk is.
func (m *merger) handled(n int) bool {
	c := m.sources[n].chunks[0]
	if c.handled == len(c.Records) {
		m.take(n)
		return true
	}
	m.release(n)
	return false
}

// release notes that the next record of a source has its turn by time.
func (m *merger) release(n int) {
	c := m.sources[n].chunks[0]
	m.merge.Rest(n, c.times[c.handled])
	m.sources[n].held, m.checked, m.fresh = false, false, true
}

// take removes the first chunk of a source: it is handled.
func (m *merger) take(n int) {
	s := &m.sources[n]
	s.chunks = slices.Delete(s.chunks, 0, 1)
	m.head(n)
}

// hold notes that the next record of a source is a label of an unknown event.
func (m *merger) hold(n int) {
	timestamp, since := m.label(n)
	m.merge.Hold(n, timestamp, since)
	m.sources[n].held, m.checked, m.fresh = true, false, true
}

// past reports whether no event comes any more for the label that is the next record of a source.
func (m *merger) past(n int) bool {
	timestamp, since := m.label(n)
	return m.merge.Past(n, timestamp, since)
}

// label returns the time of the label that is the next record of a source, and since when it is readable.
func (m *merger) label(n int) (timestamp, since int64) {
	c := m.sources[n].chunks[0]
	return c.times[c.handled], m.merge.Since(n, c.Records[c.handled].Offset, c.arrived.UnixMilli())
}

// tick tells the wall clock.
func (m *merger) tick() {
	m.merge.Clock(time.Now().UnixMilli())
	m.fresh, m.checked = true, false
}

// pause notes that the chunk of a source waits for events that are read back.
func (m *merger) pause(n int) {
	m.merge.Pause(n, time.Now().UnixMilli())
	m.sources[n].paused, m.checked = true, false
}

// resume ends all pauses.
func (m *merger) resume() {
	for n := range m.sources {
		if s := &m.sources[n]; s.paused {
			s.paused = false
			m.merge.Resume(n)
		}
	}
	m.checked = false
}

// pick returns the source whose chunk may be handled, -1 if there is none.
func (m *merger) pick() int {
	if m.checked {
		return m.next
	}
	m.checked, m.next = true, -1
	for n := range m.sources { // what is empty only moves a position
		if s := &m.sources[n]; len(s.chunks) > 0 && len(s.chunks[0].Records) == 0 {
			m.next = n
			return n
		}
	}
	if n, ok := m.merge.Next(); ok {
		m.next = n
	}
	return m.next
}

// held is how many partitions a label of an unknown event holds.
func (m *merger) held() (n int) {
	for i := range m.sources {
		if m.sources[i].held {
			n++
		}
	}
	return n
}

// leftBehind reports whether a label of a partition waits for an event that may be in an open transaction: a run to the
// end does not wait for that.
func (m *merger) leftBehind(partition int32) bool {
	//mutation:held-left-behind
	_, open := m.merge.Blocks(m.of(topics.Labels, partition))
	return open
}

// holds are the partitions of the labels that wait for events although the slack is over.
func (m *merger) holds() (all []board.LabelHold) {
	for n := range m.sources {
		events, open := m.merge.Blocks(n)
		if s := &m.sources[n]; events >= 0 {
			all = append(all, board.LabelHold{Partition: s.partition, Offset: s.position(),
				Input: m.sources[events].partition, Open: open})
		}
	}
	return all
}

// unasked are the partitions that could not be asked for long.
func (m *merger) unasked() (all []board.UnaskedPartition) {
	for n := range m.sources {
		s := &m.sources[n]
		if !m.merge.Unasked(n) {
			continue
		}
		u := board.UnaskedPartition{Topic: s.topic, Partition: s.partition}
		if s.unasked != nil {
			u.Err = s.unasked.Error()
		}
		all = append(all, u)
	}
	return all
}
