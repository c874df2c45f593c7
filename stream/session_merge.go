package stream

import (
	"slices"
	"time"

	"rosenblatt/stream/labels"
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
	idle    time.Duration // LabelsConfig.Idle: ends are asked for though nothing waits
	ask     chan labels.Asked
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
	held      bool // by a label of an unknown event
	further   bool // it has further chunks (scheduler.more)
}

// foundEnds are the last stable offsets that were asked for at a moment.
type foundEnds struct {
	labels.Asked
	events, labels []int64 // nil: they could not be found
}

func newMerger(st *state, c *LabelsConfig) *merger {
	if c == nil { // labels were taken away
		c = &LabelsConfig{}
	}
	m := &merger{merge: labels.Merge{Slack: c.Slack.Milliseconds()}, idle: c.Idle,
		numbers: map[topics.Topic]map[int32]int{},
		ask:     make(chan labels.Asked, 1), ends: make(chan foundEnds, 1)}
	for _, topic := range []topics.Topic{topics.Input, topics.Labels} {
		m.numbers[topic] = map[int32]int{}
		for _, p := range st.partitions(topic) {
			m.numbers[topic][p] = m.merge.Add(topic == topics.Labels)
			m.sources = append(m.sources, source{topic: topic, partition: p, to: st.positionsOf(topic)[p],
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
	if m == nil || c.handled == len(c.Records) {
		return len(c.Records)
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
	m.merge.Rest(n, c.times[c.handled])
	m.sources[n].held, m.checked, m.fresh = false, false, true
	return false
}

// take removes the first chunk of a source: it is handled.
func (m *merger) take(n int) {
	s := &m.sources[n]
	s.chunks = slices.Delete(s.chunks, 0, 1)
	m.head(n)
}

// hold notes that the next record of a source is a label of an unknown event.
func (m *merger) hold(n int, timestamp int64) {
	m.merge.Hold(n, timestamp)
	m.sources[n].held, m.checked, m.fresh = true, false, true
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

// request asks for the ends of both topics, if something waits for them.
func (m *merger) request() {
	if m == nil || m.asking || !m.fresh || m.pick() >= 0 || m.idle == 0 && !m.waits() {
		return
	}
	m.asking, m.fresh = true, false
	m.ask <- m.merge.Ask(time.Now().UnixMilli())
}

func (m *merger) waits() bool {
	return slices.ContainsFunc(m.sources, func(s source) bool { return len(s.chunks) > 0 && !s.paused })
}

// found takes the ends that were asked for. A partition of which everything below its end was handled holds nobody up.
func (m *merger) found(f foundEnds) {
	m.asking, m.checked = false, false
	for n := range m.sources {
		s := &m.sources[n]
		ends := f.events
		if s.topic == topics.Labels {
			ends = f.labels
		}
		if int(s.partition) < len(ends) && len(s.chunks) == 0 && s.to >= ends[s.partition] {
			m.merge.End(n, f.Asked)
		}
	}
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
