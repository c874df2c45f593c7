package labels

import "testing"

// pass lets time pass, up to a moment.
func pass(m *Merge, to int64) {
	for m.Clock(max(m.now, to-100_000)); m.now < to; {
		m.Clock(min(to, m.now+leastSlack))
	}
}

// TestMergeElection: a backlog waits for labels until they were asked for in vain for half of the slack, though nobody
// asked for long before. What is current does not wait.
func TestMergeElection(t *testing.T) {
	m := Merge{Slack: 10_000}
	events, others, late := m.Add(false), m.Add(false), m.Add(true)
	m.Responded(late, m.Ask(100_000))
	pass(&m, 200_000)
	m.Head(events, 1000)
	m.Head(others, 199_000)
	m.Ask(200_000)
	m.Failed(late)
	if m.Ready(events) || !m.Ready(others) {
		t.Error("a backlog runs ahead of labels after one failure")
	}
	if pass(&m, 204_999); m.Ready(events) {
		t.Error("a backlog runs ahead of labels that could be asked a moment ago")
	}
	if pass(&m, 205_000); !m.Ready(events) {
		t.Error("a backlog waits for labels that could not be asked for half of the slack")
	}
}

// TestMergeStoodStill: a time for which the process stood still is none for which a leader gave no answer.
func TestMergeStoodStill(t *testing.T) {
	m := Merge{Slack: 10_000}
	events, late := m.Add(false), m.Add(true)
	m.Responded(late, m.Ask(100_000))
	m.Head(events, 1000)
	m.Ask(100_500)
	if m.Clock(130_000); m.Ready(events) || m.Unasked(late) {
		t.Error("the answer may be there, and nobody took it")
	}
	if pass(&m, 135_000); !m.Ready(events) || !m.Unasked(late) {
		t.Error("a partition that does not answer holds up events")
	}
}

// TestMergeStart: at a start a backlog of events waits for a held label until that has been readable for the slack,
// however long after the first request the label was read and the end was told. What is current does not wait.
func TestMergeStart(t *testing.T) {
	const read, known = 1_000_400, 1_000_300
	for _, told := range []bool{true, false} { // since when the label is readable
		m, since := Merge{Slack: 10_000}, int64(read)
		events, others, late := m.Add(false), m.Add(false), m.Add(true)
		m.Ask(1_000_000)
		m.Head(late, 100)
		if told {
			m.Readable(late, known, 50)
			since = known
		}
		m.Hold(late, 100, m.Since(late, 7, read))
		m.Head(events, 20_000)
		m.Head(others, 999_000)
		if m.Ready(events) || !m.Ready(others) {
			t.Error("a backlog runs ahead of its labels")
		}
		if m.Clock(since + 9_999); m.Ready(events) || m.Ready(late) {
			t.Error("a backlog runs ahead of a label that has been readable for less than the slack")
		}
		if m.Clock(since + 10_000); !m.Ready(events) || !m.Ready(late) {
			t.Error("a backlog waits for longer than the slack")
		}
		m.Readable(late, since+11_000, 50)
		if m.Hold(late, 101, since+11_000); told && !m.Ready(events) {
			t.Error("a backlog waits for a label that came after the start")
		}
	}
}
