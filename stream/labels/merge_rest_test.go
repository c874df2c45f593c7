package labels

import "testing"

// TestMergeRest: the rest of a chunk was read with its beginning. It is behind labels that go first, and no further
// request is needed.
func TestMergeRest(t *testing.T) {
	m := Merge{Slack: 10}
	events, labels, others := m.Add(false), m.Add(true), m.Add(true)
	m.Head(events, 100)
	m.Head(labels, 500)
	m.End(others, m.Ask(0))
	m.Rest(events, 505)
	if n, ok := m.Next(); !ok || n != events {
		t.Errorf("%d, %v, want the events", n, ok)
	}
	m.Rest(events, 511)
	if n, ok := m.Next(); !ok || n != labels {
		t.Errorf("%d, %v, want the labels", n, ok)
	}
	m.Rest(labels, 600)
	if n, ok := m.Next(); !ok || n != events {
		t.Errorf("%d, %v, want the events", n, ok)
	}
}
