package stream

import (
	"testing"

	"rosenblatt/stream/topics"
)

// TestJobQueue: complete jobs go out first, the oldest before; the open one only between runs; and at most maxFull wait
// when another one is opened.
func TestJobQueue(t *testing.T) {
	q := newJobQueue(&topics.Topology{})
	if out, _ := q.next(); out != nil {
		t.Fatal("a job of an empty queue")
	}
	var opened []*writeJob
	for p := range int32(maxFull + 1) {
		q.start(<-q.free(), p)
		opened = append(opened, q.open)
		if q.offer(); q.open == nil { // nobody receives
			t.Fatal("the open job is gone")
		}
		q.complete()
	}
	if q.free() != nil {
		t.Errorf("%d jobs wait, and another one may be opened", len(q.full))
	}
	for i, want := range opened {
		if out, got := q.next(); out == nil || got != want {
			t.Fatalf("job %d is not the next", i)
		}
		q.pop()
	}
	q.start(<-q.free(), 7)
	q.keep = true
	if out, _ := q.next(); out != nil {
		t.Error("the job goes out before the end of its run")
	}
	q.keep = false
	if out, got := q.next(); out == nil || got.partition != 7 {
		t.Error("the open job does not go out")
	}
	if q.pop(); q.open != nil {
		t.Error("a job that is out is still open")
	}
}
