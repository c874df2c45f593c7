package labels

import (
	"slices"
	"testing"
)

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

// TestMergeHold: a label of an unknown event waits for events past it, or for all that was stored up to its time.
func TestMergeHold(t *testing.T) {
	m := Merge{Slack: 10}
	events, late := m.Add(false), m.Add(true)
	ended := func(now int64) {
		asked := m.Ask(now)
		m.Stored(events, asked, 5, 5)
		m.Handled(events, 5)
		m.End(events, asked)
	}
	m.Head(late, 100)
	ended(105)
	if n, ok := m.Next(); !ok || n != late || m.Past(late, 100, 90) {
		t.Error("the label is due, and its event may come until 110")
	}
	m.Hold(late, 100, 90)
	ended(109)
	if _, ok := m.Next(); ok {
		t.Error("a held label at 109, its event may be stored at 110")
	}
	m.Head(events, 110)
	if n, ok := m.Next(); !ok || n != events {
		t.Error("a held label holds its partition only")
	}
	m.Take(events)
	ended(110)
	if n, ok := m.Next(); !ok || n != late || !m.Past(late, 100, 90) {
		t.Error("a held label behind the time of its event")
	}
}

// TestMergeReadable: a label of an unknown event with an old timestamp waits until it has been readable for the slack.
// Labels that were readable together wait together.
func TestMergeReadable(t *testing.T) {
	m := Merge{Slack: 10_000}
	events, late := m.Add(false), m.Add(true)
	ended := func(now int64) {
		asked := m.Ask(now)
		m.Readable(late, now, 50)
		m.Stored(events, asked, 5, 5)
		m.Handled(events, 5)
		m.End(events, asked)
	}
	ended(1_000_000)
	m.Head(late, 100)
	ended(1_005_000)
	if since := m.Since(late, 7, 1_004_000); since != 1_000_000 || m.Past(late, 100, since) {
		t.Errorf("the label at 7 is readable since %d, and past", since)
	}
	m.Hold(late, 100, 1_000_000)
	m.Head(events, 5_000_000)
	if m.Clock(1_009_999); m.Ready(late) {
		t.Error("events are read past it, and it has been readable for 9,999 ms")
	}
	m.Take(events)
	if ended(1_009_999); m.Ready(late) {
		t.Error("it has been readable for 9,999 ms")
	}
	if ended(1_010_000); !m.Ready(late) {
		t.Error("it has been readable for the slack")
	}
	m.Rest(late, 101)
	if !m.Past(late, 101, m.Since(late, 49, 1_009_000)) || m.Past(late, 101, m.Since(late, 50, 1_009_000)) {
		t.Error("the label at 49 has been readable as long, that at 50 has not")
	}
}

// TestMergeTransaction: what is stored and cannot be read holds a label of an unknown event for as long as it takes,
// but no event once the clock has passed the label's time. Labels that were readable together then end together.
func TestMergeTransaction(t *testing.T) {
	m := Merge{Slack: 10_000}
	open, others, late := m.Add(false), m.Add(false), m.Add(true)
	now := int64(1_000_000)
	ask := func(stored, readable int64) {
		now += 1000
		asked := m.Ask(now)
		m.Readable(late, now, 100)
		m.Stored(open, asked, stored, readable)
		m.Stored(others, asked, 0, 0)
		for n, at := range map[int]int64{open: readable, others: 0} {
			m.Responded(n, asked)
			m.Handled(n, at)
			m.End(n, asked)
		}
	}
	m.Head(late, now)
	m.Hold(late, now, now)
	for i := range int64(600) {
		ask(10+i, 10)
		m.Head(others, now)
		if !m.Ready(others) {
			t.Fatalf("an event waits for a held label after %d s", i)
		}
		m.Take(others)
		if n := len(m.sources[open].notes.list); n > mostNotes {
			t.Fatalf("%d notes are kept", n)
		}
		if m.Ready(late) {
			t.Fatalf("the label is past after %d s, and its event may be in the transaction", i)
		}
	}
	if events, isOpen := m.Blocks(late); events != open || !isOpen {
		t.Errorf("it waits for %d %v, want the open transaction", events, isOpen)
	}
	ask(1000, 610) // it has ended, and another one is open
	if !m.Ready(late) {
		t.Error("all is read that was stored in the slack after the label")
	}
	for offset := range int64(100) {
		if m.Rest(late, now-600_000); !m.Past(late, now-600_000, m.Since(late, offset, now)) {
			t.Fatalf("the label at %d waits again", offset)
		}
	}
}

// TestMergeUnasked: a partition of the labels that could not be asked for half of the slack holds up no event; one of
// the events holds up labels, and these no event once the clock has passed their time.
func TestMergeUnasked(t *testing.T) {
	m := Merge{Slack: 10_000}
	lost, others, late, quiet := m.Add(false), m.Add(false), m.Add(true), m.Add(true)
	ask := func(now int64, failing ...int) {
		pass(&m, now)
		asked := m.Ask(now)
		for n := range 4 {
			if slices.Contains(failing, n) {
				m.Failed(n)
				continue
			}
			m.Responded(n, asked)
			if m.sources[n].state != headed {
				m.End(n, asked)
			}
		}
		m.Clock(now)
	}
	ask(100_000)
	m.Head(others, 105_001)
	ask(104_999, quiet)
	if m.Ready(others) || m.Unasked(quiet) {
		t.Error("labels that could be asked a moment ago hold up events")
	}
	if ask(105_000, quiet); !m.Ready(others) || !m.Unasked(quiet) {
		t.Error("labels that could not be asked for half of the slack hold up events")
	}
	if ask(105_001); !m.Ready(others) || m.Unasked(quiet) {
		t.Error("they can be asked again")
	}
	m.Take(others)
	m.Head(late, 105_000)
	ask(110_000, lost)
	m.Head(others, 115_001)
	if ask(115_000, lost); m.Ready(late) || m.Ready(others) {
		t.Error("events wait for a label until its time")
	}
	if ask(115_001, lost); m.Ready(late) || !m.Ready(others) {
		t.Error("a label that waits for a partition that cannot be asked holds up events behind its time")
	}
	m.Take(others)
	ask(116_000)
	if m.Head(others, 115_900); !m.Ready(late) {
		t.Error("a label waits for a partition that was read to its end")
	}
}

// TestMergeClockBack: where the wall clock is set back, a held label waits for the slack once more, and no longer.
func TestMergeClockBack(t *testing.T) {
	m := Merge{Slack: 10_000}
	events, late := m.Add(false), m.Add(true)
	ended := func(now int64) {
		asked := m.Ask(now)
		m.Stored(events, asked, 0, 0)
		m.Handled(events, 0)
		m.Responded(events, asked)
		m.End(events, asked)
	}
	ended(5_000_000)
	m.Head(late, 1_000_000)
	m.Hold(late, 1_000_000, 5_000_000)
	if ended(1_400_000); m.Ready(late) {
		t.Error("a label is past at once")
	}
	if ended(1_410_000); !m.Ready(late) {
		t.Error("a label waits for a moment of the clock as it was before")
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
