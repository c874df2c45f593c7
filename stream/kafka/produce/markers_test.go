package produce

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"rosenblatt/stream/topics"
)

// TestOnlyOurOwnMarkerCounts: a marker of the predecessor's that comes late, or one of another producer's, does not
// fence anybody for us.
func TestOnlyOurOwnMarkerCounts(t *testing.T) {
	t.Parallel()
	v := newView(t)
	_, f := takeover(t, v)
	from := watermarks{Ends: topics.Ends{Output: []int64{0, 0}, DeadLetters: []int64{0}}}
	at, err := v.markers(timeout(t, 30*time.Second), f.Producer, from, nil)
	if err != nil || !slices.Equal(at.Output, f.Output) {
		t.Fatal(at, err)
	}
	for _, p := range []topics.Producer{{ID: f.Producer.ID, Epoch: f.Producer.Epoch + 1}, {ID: f.Producer.ID + 1,
		Epoch: f.Producer.Epoch}} {
		at, err := v.markers(deadline(t, 300*time.Millisecond), p, from, nil)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(at, err)
		}
	}
}

// TestNoPieceInARenewal: markers are written with no piece in flight, and no piece is sent under an old fence.
func TestNoPieceInARenewal(t *testing.T) {
	t.Parallel()
	v := newView(t)
	v.RenewEvery = 300 * time.Millisecond
	j, _ := takeover(t, v)
	release, err := j.Checkpoints().pause(t.Context()) // as a piece in flight does
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Renew(deadline(t, 100*time.Millisecond), true); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("renewed with a piece in flight: %v", err)
	}
	release()

	j, f := takeover(t, v)
	l := j.Checkpoints()
	l.began = l.began.Add(-time.Hour)
	if err := l.Append(deadline(t, 100*time.Millisecond), build("x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("sent under an old fence: %v", err)
	}
	v.RenewEvery = time.Hour
	j, _ = takeover(t, v)
	l = j.Checkpoints()
	l.began = l.began.Add(-2 * time.Hour)
	done := make(chan error, 1)
	go func() { done <- l.Append(timeout(t, 30*time.Second), build("x")) }()
	g, err := j.Renew(timeout(t, 30*time.Second), true)
	if err != nil || g.Checkpoints <= f.Checkpoints {
		t.Fatal(g, err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
