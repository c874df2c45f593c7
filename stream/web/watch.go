package web

import (
	"slices"
	"sync"
	"time"

	dto "github.com/prometheus/client_model/go"

	"rosenblatt/stream/board"
)

// watch finds since when a task makes no progress, and its rates.
type watch struct {
	mu           sync.Mutex
	moved        int64             // sum of the positions in the last status
	stalledSince time.Time         // zero if positions advance or there is no lag
	open         []openTransaction // by partition
	unsavedSince time.Time         // zero if the newest checkpoint has all predictions
	savedSeq     int64             // of the newest checkpoint in the last status
	lateSince    time.Time         // zero if what was awaited has been acknowledged
	awaited      int64             // seq, at lateSince
	labels       labelWatch
	later        laterWatch
	holds        holdWatch
	drifts       driftWatch
	paces        []pace // the last ten seconds, one a second, oldest first
	pacing       string // the state that they are of
}

type pace struct {
	at          time.Time
	predictions int64
	positions   []int64 // by partition

	latency, processing *dto.Histogram // so far
}

// labelWatch finds since when no event has had a label.
type labelWatch struct {
	begun       bool
	examples    int64     // labelled, in the last status
	predictions int64     // predictions when examples last changed
	since       time.Time // of the first prediction since; zero if there is none
}

// laterWatch finds since when label time stands still although predictions are due. While labels come, some always are
// due by the clock: label time is as far behind it as the newest label that was read.
type laterWatch struct {
	time  int64     // label time in the last status
	since time.Time // zero if nothing is due, or label time has advanced
}

type rates struct {
	stalledSince, unsavedSince time.Time
	lateSince                  time.Time
	unlabelledSince            time.Time
	labelsStillSince           time.Time
	driftedAt                  time.Time           // zero: no drift began in this process
	unlabelled                 int64               // predictions since the last label
	perSecond                  float64             // predictions, over the last ten seconds
	learned                    float64             // likewise, those of others that a follower has learned
	records                    []float64           // read per second, by partition; without partitions that are too new
	open                       []openTransaction   // by partition
	holds                      map[int32]time.Time // since when, by partition of the labels
	latency, processing        *quantiles          // as stream.Timings, over the last ten seconds; nil: of nothing
}

// openTransaction is a partition whose last stable offset a transaction holds. Its times are those of the listings of
// its ends, so an outage of the brokers does not count.
type openTransaction struct {
	stable    int64 // the last stable offset
	since, at time.Time
}

func (o openTransaction) duration() time.Duration { return o.at.Sub(o.since) }

const maxPaces = 10 // a second or more apart

// add adds a status. Any goroutine may call it, at any rate.
func (w *watch) add(st *board.Status, now time.Time) rates {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.addInput(st, now)
	w.addOpen(st)
	w.addSaved(st, now)
	w.addLate(st, now)
	w.labels.add(st, now)
	w.later.add(st, now)
	holds := w.holds.add(st, now)
	w.drifts.add(st, now)
	w.addPace(st, now)
	predictions, records := w.perSecond(st, now)
	learned := 0.0
	//mutation:follower-predicts
	if st.State == board.Following {
		predictions, learned = 0, predictions
	}
	latency, processing := w.latencies(st)
	return rates{stalledSince: w.stalledSince, unsavedSince: w.unsavedSince, lateSince: w.lateSince,
		driftedAt: w.drifts.at, labelsStillSince: w.later.since, unlabelledSince: w.labels.since,
		unlabelled: st.Counts.Predictions - w.labels.predictions, perSecond: predictions, learned: learned,
		records: records,
		open:    slices.Clone(w.open), holds: holds, latency: latency, processing: processing}
}

func (w *watch) addInput(st *board.Status, now time.Time) {
	var at, readable int64
	for _, p := range st.Partitions {
		at += p.Position
		readable += p.Readable()
	}
	if st.State != board.Live || readable == 0 || at != w.moved {
		w.stalledSince = time.Time{}
	}
	if st.State == board.Live && readable > 0 && w.stalledSince.IsZero() {
		w.stalledSince = now
	}
	w.moved = at
}

// addOpen measures from the listing that first showed a last stable offset below the high watermark. A transaction that
// ends moves it, whatever other one is open.
func (w *watch) addOpen(st *board.Status) {
	was := w.open
	w.open = make([]openTransaction, len(st.Partitions))
	for i, p := range st.Partitions {
		if st.State != board.Live || st.EndsAt.IsZero() || p.StableLag == 0 {
			continue
		}
		o := openTransaction{stable: p.End, since: st.EndsAt, at: st.EndsAt}
		if i < len(was) && !was[i].since.IsZero() && was[i].stable == p.End {
			o.since = was[i].since
		}
		w.open[i] = o
	}
}

// addSaved measures from the first unsaved prediction: no checkpoint is written while nothing changes.
func (w *watch) addSaved(st *board.Status, now time.Time) {
	if st.State != board.Live || st.Seq <= st.Saved.Seq || st.Saved.Seq != w.savedSeq {
		w.unsavedSince = time.Time{}
	}
	if st.State == board.Live && st.Seq > st.Saved.Seq && w.unsavedSince.IsZero() {
		w.unsavedSince = now
	}
	w.savedSeq = st.Saved.Seq
}

// addLate measures from the first look at which the oldest prediction without an acknowledgement, or one after it, had
// been made.
func (w *watch) addLate(st *board.Status, now time.Time) {
	if st.State != board.Live || st.Unacknowledged == 0 || st.Seq-st.Unacknowledged >= w.awaited {
		w.lateSince = time.Time{}
	}
	if st.State == board.Live && st.Unacknowledged > 0 && w.lateSince.IsZero() {
		w.lateSince, w.awaited = now, st.Seq
	}
}

// add measures from the first prediction after the last label. A model that does not learn needs none, and where
// labels come later, predictions wait for theirs.
func (w *labelWatch) add(st *board.Status, now time.Time) {
	examples, predictions := st.Score.Examples, st.Counts.Predictions
	switch {
	case st.State == board.Recovering, st.State == board.Stopped, st.Config.NoLearn, st.Late != nil,
		examples != w.examples, !w.begun && examples > 0:
		w.examples, w.predictions, w.since = examples, predictions, time.Time{}
	case predictions > w.predictions && w.since.IsZero():
		w.since = now
	}
	w.begun = true
}

func (w *laterWatch) add(st *board.Status, now time.Time) {
	late := st.Late
	if late == nil || st.State != board.Live || !late.Stalled || late.Time != w.time {
		w.since = time.Time{}
	}
	if late == nil {
		return
	}
	if w.time = late.Time; late.Stalled && st.State == board.Live && w.since.IsZero() {
		w.since = now
	}
}

// addPace starts over when the task begins to predict or to follow: recovery does not count.
func (w *watch) addPace(st *board.Status, now time.Time) {
	//mutation:follower-has-a-pace
	counts := st.State == board.Live || st.State == board.Following
	if !counts || st.State != w.pacing {
		w.paces = w.paces[:0]
	}
	if w.pacing = st.State; !counts {
		return
	}
	if n := len(w.paces); n > 0 && now.Sub(w.paces[n-1].at) < time.Second {
		return
	}
	if len(w.paces) == maxPaces {
		copy(w.paces, w.paces[1:])
		w.paces = w.paces[:maxPaces-1]
	}
	at := make([]int64, len(st.Partitions))
	for i, p := range st.Partitions {
		at[i] = p.Position
	}
	p := pace{at: now, predictions: st.Counts.Predictions, positions: at}
	if st.Timings != nil {
		p.latency, p.processing = bucketsOf(st.Timings.Latency), bucketsOf(st.Timings.Processing)
	}
	w.paces = append(w.paces, p)
}

func (w *watch) perSecond(st *board.Status, now time.Time) (predictions float64, records []float64) {
	if len(w.paces) == 0 {
		return 0, nil
	}
	first := w.paces[0]
	took := now.Sub(first.at).Seconds()
	if took < 0.5 {
		return 0, nil
	}
	for i, at := range first.positions[:min(len(first.positions), len(st.Partitions))] {
		records = append(records, float64(max(0, st.Partitions[i].Position-at))/took)
	}
	return float64(max(0, st.Counts.Predictions-first.predictions)) / took, records
}

func (w *watch) latencies(st *board.Status) (latency, processing *quantiles) {
	if len(w.paces) == 0 || st.Timings == nil {
		return nil, nil
	}
	first := w.paces[0]
	return quantilesSince(first.latency, bucketsOf(st.Timings.Latency)),
		quantilesSince(first.processing, bucketsOf(st.Timings.Processing))
}
