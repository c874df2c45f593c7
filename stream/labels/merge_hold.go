package labels

// Clock tells the wall clock, ms.
func (m *Merge) Clock(now int64) {
	//mutation:clock-back
	if now < m.now-clockBack {
		m.turnBack(now)
	}
	m.stoodStill(now)
	m.now, m.failing = max(m.now, now), 0
	for n := range m.sources {
		if s := &m.sources[n]; !s.labels && m.unasked(s) {
			m.failing++
		}
	}
}

// stoodStill takes the time for which this process stood still off that for which sources gave no answer: it was
// suspended, or waited for something else, and nobody took answers.
func (m *Merge) stoodStill(now int64) {
	still := now - m.now - leastSlack
	if m.now == never || still <= 0 {
		return
	}
	for n := range m.sources {
		//mutation:stood-still
		if s := &m.sources[n]; s.tried != never {
			s.tried, s.responded = min(now, s.tried+still), min(now, s.responded+still)
		}
	}
}

// clockBack is how far, in ms, the wall clock may go back without consequences.
const clockBack = 1000

// turnBack forgets all moments: the wall clock was set back, and they would be in the future.
func (m *Merge) turnBack(now int64) {
	m.now = now
	for n := range m.sources {
		s := &m.sources[n]
		s.notes, s.stored = notes{}, never
		s.until, s.first = min(s.until, now), min(s.first, now)
		s.responded, s.tried = min(s.responded, now), min(s.tried, now)
		if s.held {
			s.by = m.by(s.time-m.Slack, now)
		}
	}
}

// Hold notes that a label of an unknown event is the next record of a source. It has this timestamp, and is readable
// since a moment by the wall clock, as Since tells.
func (m *Merge) Hold(n int, timestamp, since int64) {
	m.Rest(n, timestamp)
	m.sources[n].held, m.sources[n].by = true, m.by(timestamp, since)
}

// by is up to when the event of a label may be stored for the label to find it.
func (m *Merge) by(timestamp, since int64) int64 { return max(timestamp, since) + m.Slack }

// Past reports whether no event comes any more for a label that was read of a source, has this timestamp and is
// readable since a moment.
func (m *Merge) Past(n int, timestamp, since int64) bool {
	label := source{labels: true, state: headed, held: true, time: timestamp + m.Slack, Asked: m.sources[n].Asked,
		by: m.by(timestamp, since)}
	return m.ready(&label)
}

// Since is since when a label is known to be readable that is at an offset of a source and was read at a moment.
func (m *Merge) Since(n int, offset, read int64) int64 {
	//mutation:readable-since
	if at, known := m.sources[n].notes.since(offset); known {
		return min(at, read)
	}
	return read
}

// Readable notes that the records of a source of the labels could be read up to an end, at the moment now.
func (m *Merge) Readable(n int, now, end int64) {
	s := &m.sources[n]
	if s.first == never {
		s.first = now
	}
	s.notes.add(now, end, false)
}

// Stored notes that what was stored in a source of the events when a request was made is below an end, the high
// watermark, and that all up to a last stable offset could be read later.
func (m *Merge) Stored(n int, asked Asked, end, stable int64) {
	m.sources[n].notes.add(asked.now, end, true)
	m.sources[n].open = stable < end
}

// Handled notes that all below a position of a source is handled.
func (m *Merge) Handled(n int, position int64) {
	s := &m.sources[n]
	s.stored = max(s.stored, s.notes.reach(position))
}

// Responded notes that a source was told of in the answer to a request.
func (m *Merge) Responded(n int, asked Asked) {
	s := &m.sources[n]
	s.responded, s.tried, s.failed = max(s.responded, asked.now), never, false
}

// Failed notes that a source could not be asked.
func (m *Merge) Failed(n int) { m.sources[n].failed = m.sources[n].tried != never }

// Unasked reports whether a source could not be asked for half of the slack.
func (m *Merge) Unasked(n int) bool { return m.unasked(&m.sources[n]) }

// unasked counts from the last answer. A request without an answer counts as failed after a second.
func (m *Merge) unasked(s *source) bool {
	//mutation:unasked
	return s.tried != never && (s.failed || m.now-s.tried >= leastSlack) &&
		m.now-s.responded >= max(m.Slack/2, leastSlack)
}

// away reports whether an event need not wait for a source of the labels that is unasked. A backlog waits until that
// was asked in vain for half of the slack: in a backlog nobody asks for long, and one failure is none of a leader that
// is away.
func (m *Merge) away(s, event *source) bool {
	//mutation:backlog-of-an-election
	return m.unasked(s) && (event.time >= m.current(m.now) || m.now-s.tried >= max(m.Slack/2, leastSlack))
}

// Blocks returns a source of the events for which the held label of a source waits although its time has passed, and
// whether that has an open transaction, which may have the event. It returns -1 if the label waits for none.
func (m *Merge) Blocks(n int) (events int, open bool) {
	label := &m.sources[n]
	for i := range m.sources {
		s := &m.sources[i]
		if label.held && m.now >= label.by && !s.labels && s.holdsUpLabel(label) {
			return i, s.open && !m.unasked(s)
		}
	}
	return -1, false
}

// waits reports whether a label waits for something else than its turn: for its event, or for a partition that cannot
// be asked.
func (m *Merge) waits(label *source) bool {
	//mutation:held-label-holds-events
	if label.held {
		return true
	}
	for n := 0; m.failing > 0 && n < len(m.sources); n++ {
		if s := &m.sources[n]; !s.labels && m.unasked(s) && s.holdsUpLabel(label) {
			return true
		}
	}
	return false
}

// atStart reports whether an event of a backlog waits for a held label after all, up to the label's time: at a start,
// since it was not known how long labels have been readable, and much would be predicted before what they teach. The
// start ends Slack after that was first known: the labels that were readable then have had their time. It does not end
// Slack after the first request, since a slow machine reads labels and has its answer later. A follower knows it: what
// it is first told counts as at a start.
func (m *Merge) atStart(label, event *source) bool {
	//mutation:start-of-a-backlog
	return label.held && m.now < label.by && (label.first == never || m.now < label.first+m.Slack) &&
		event.time < m.current(m.now)
}
