package web

import (
	"sync"
	"time"

	"rosenblatt/stream"
)

// watch remembers earlier looks at the task, as far as one look alone cannot tell: since when nothing moves, and how fast
// it goes.
type watch struct {
	mu           sync.Mutex
	moved        int64     // sum of the positions at the last look
	stalledSince time.Time // the first look since then with records ahead; zero: it moves, or nothing lies ahead
	unsavedSince time.Time // the first look with answers that the newest checkpoint lacks; zero: there are none
	savedSeq     int64     // of the newest checkpoint at the last look
	paces        []pace    // the last ten seconds, one a second, oldest first
}

// pace is how many answers there were at a moment.
type pace struct {
	at        time.Time
	seq       int64
	positions []int64 // by partition
}

// sight is what a watch knows after a look.
type sight struct {
	stalledSince, unsavedSince time.Time
	perSecond                  float64   // answers, over the last ten seconds
	records                    []float64 // passed per second, by partition; shorter than the partitions while it cannot be told
}

const paces = 10 // kept, a second or more apart

// look takes note of a status. Looks may come as often as they like, from any goroutine.
func (w *watch) look(st *stream.Status, now time.Time) sight {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lookInput(st, now)
	w.lookSaved(st, now)
	w.lookPace(st, now)
	answers, records := w.perSecond(st, now)
	return sight{w.stalledSince, w.unsavedSince, answers, records}
}

func (w *watch) lookInput(st *stream.Status, now time.Time) {
	var at int64
	for _, p := range st.Partitions {
		at += p.Position
	}
	if st.State != stream.Live || st.Lag() == 0 || at != w.moved {
		w.stalledSince = time.Time{}
	}
	if st.State == stream.Live && st.Lag() > 0 && w.stalledSince.IsZero() {
		w.stalledSince = now
	}
	w.moved = at
}

// lookSaved measures from when answers began to wait, not from the last checkpoint: none is made while nothing moves.
func (w *watch) lookSaved(st *stream.Status, now time.Time) {
	if st.State != stream.Live || st.Seq <= st.Saved.Seq || st.Saved.Seq != w.savedSeq {
		w.unsavedSince = time.Time{}
	}
	if st.State == stream.Live && st.Seq > st.Saved.Seq && w.unsavedSince.IsZero() {
		w.unsavedSince = now
	}
	w.savedSeq = st.Saved.Seq
}

// lookPace starts anew when the state is not live: what recovery learns again is no pace.
func (w *watch) lookPace(st *stream.Status, now time.Time) {
	if st.State != stream.Live {
		w.paces = w.paces[:0]
		return
	}
	if n := len(w.paces); n > 0 && now.Sub(w.paces[n-1].at) < time.Second {
		return
	}
	if len(w.paces) == paces {
		copy(w.paces, w.paces[1:])
		w.paces = w.paces[:paces-1]
	}
	at := make([]int64, len(st.Partitions))
	for i, p := range st.Partitions {
		at[i] = p.Position
	}
	w.paces = append(w.paces, pace{now, st.Seq, at})
}

func (w *watch) perSecond(st *stream.Status, now time.Time) (answers float64, records []float64) {
	if len(w.paces) == 0 {
		return 0, nil
	}
	first := w.paces[0]
	took := now.Sub(first.at).Seconds()
	if took < 0.5 { // too short to tell
		return 0, nil
	}
	for i, at := range first.positions[:min(len(first.positions), len(st.Partitions))] {
		records = append(records, float64(max(0, st.Partitions[i].Position-at))/took)
	}
	return float64(max(0, st.Seq-first.seq)) / took, records
}
