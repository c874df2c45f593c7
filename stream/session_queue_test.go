package stream

import (
	"testing"

	"rosenblatt/stream/topics"
)

// TestFlightQueue: complete flights go out first, the oldest before; the open one when nothing follows at once; and at
// most maxFull wait when another one is opened.
func TestFlightQueue(t *testing.T) {
	t.Parallel()
	q := newFlightQueue(&topics.Topology{}, 100, false)
	if out, _ := q.next(); out != nil {
		t.Fatal("a flight of an empty queue")
	}
	var opened []*flight
	for range maxFull + 1 {
		q.start(<-q.free())
		opened = append(opened, q.open)
		if q.offer(); q.open == nil { // nobody receives
			t.Fatal("the open flight is gone")
		}
		q.complete()
	}
	if q.free() != nil {
		t.Errorf("%d flights wait, and another one may be opened", len(q.full))
	}
	for i, want := range opened {
		if out, got := q.next(); out == nil || got != want {
			t.Fatalf("flight %d is not the next", i)
		}
		q.pop()
	}
	q.start(<-q.free())
	q.keep = true
	if out, _ := q.next(); out != nil {
		t.Error("the flight goes out though more follows")
	}
	q.keep = false
	if out, got := q.next(); out == nil || got != q.open {
		t.Error("the open flight does not go out")
	}
	if q.pop(); q.open != nil {
		t.Error("a flight that is out is still open")
	}
}
