package labels

import "testing"

// TestMergeOrder: what was there when all was read comes in the order of time, events first at the same time.
func TestMergeOrder(t *testing.T) {
	m := Merge{Slack: 10}
	events, late := m.Add(false), m.Add(true)
	if _, ok := m.Next(); ok {
		t.Error("next before anything was read")
	}
	m.Head(events, 110)
	if _, ok := m.Next(); ok {
		t.Error("an event before the labels were read")
	}
	m.Head(late, 100)
	if n, ok := m.Next(); !ok || n != events {
		t.Error("a label before an event at the same time")
	}
	m.Take(events)
	m.Head(events, 111)
	if n, ok := m.Next(); !ok || n != late {
		t.Error("an event before an earlier label")
	}
}

// TestMergeEnd: an end holds nobody up if it was asked for after the other topic's head was read.
func TestMergeEnd(t *testing.T) {
	m := Merge{}
	events, late := m.Add(false), m.Add(true)
	asked := m.Ask(0)
	m.Head(events, 100)
	m.End(late, asked)
	if m.Ready(events) {
		t.Error("the labels' end was asked for before the event was read: a label may have come in between")
	}
	m.End(late, m.Ask(0))
	if !m.Ready(events) {
		t.Error("an event waits for labels read to their end")
	}
}

// TestMergeBehind: an end that was asked for after several heads were read holds up none of them.
func TestMergeBehind(t *testing.T) {
	m := Merge{}
	events, late := m.Add(false), m.Add(true)
	m.Head(late, 100)
	second := m.Read()
	m.End(events, m.Ask(0))
	third := m.Read()
	m.Take(late)
	if m.HeadOf(late, 101, second); !m.Ready(late) {
		t.Error("a label waits for events that were read to their end after it")
	}
	m.Take(late)
	if m.HeadOf(late, 102, third); m.Ready(late) {
		t.Error("the events' end was asked for before the label was read")
	}
}

// TestMergeHold: a label of an unknown event waits for events past it, or for the wall clock where there are none.
func TestMergeHold(t *testing.T) {
	m := Merge{Slack: 10}
	events, late := m.Add(false), m.Add(true)
	m.Head(late, 100)
	m.End(events, m.Ask(105))
	if n, ok := m.Next(); !ok || n != late || m.Past(late, 100) {
		t.Error("the label is due, and its event may come until 110")
	}
	m.Hold(late, 100)
	m.End(events, m.Ask(110))
	if _, ok := m.Next(); ok {
		t.Error("a held label at 110, its event may have this time")
	}
	m.Head(events, 110)
	if n, ok := m.Next(); !ok || n != events {
		t.Error("a held label holds its partition only")
	}
	m.Take(events)
	m.End(events, m.Ask(111))
	if n, ok := m.Next(); !ok || n != late || !m.Past(late, 100) {
		t.Error("a held label behind the time of its event")
	}
}

// TestPause: a source that waits for something else holds up nothing that is current, and has its turn again behind it.
func TestPause(t *testing.T) {
	var m Merge
	events, late := m.Add(false), m.Add(true)
	m.Head(late, 10)
	m.Head(events, 50)
	want := func(n int, ok bool) {
		t.Helper()
		if got, has := m.Next(); has != ok || ok && got != n {
			t.Errorf("next %d %v, want %d %v", got, has, n, ok)
		}
	}
	want(late, true)
	m.Pause(late, 2000)
	want(0, false) // in a backlog the later event keeps its place
	m.Pause(late, 1050)
	want(events, true)
	m.Take(events)
	want(0, false)
	m.Head(events, 60)
	m.Resume(late)
	want(late, true)
}

// TestMergeCurrent: an event waits for the end of labels only if that was asked for more than half of the slack before
// its time.
func TestMergeCurrent(t *testing.T) {
	m := Merge{Slack: 10}
	events, late := m.Add(false), m.Add(true)
	next := func(timestamp int64, want bool) {
		t.Helper()
		m.Head(events, timestamp)
		if n, ok := m.Next(); (ok && n == events) != want {
			t.Errorf("an event at %d is next: %v, want %v", timestamp, !want, want)
		}
		m.Take(events)
	}
	next(90, false)
	m.End(late, m.Ask(100))
	next(105, true)
	next(106, false)
	m.Head(late, 94)
	next(104, true)
	next(105, false)
	m.Head(events, 105)
	m.Take(late)
	if n, ok := m.Next(); !ok || n != events {
		t.Error("an event at 105, when the label before it is handled")
	}
}
