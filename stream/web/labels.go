package web

import (
	"fmt"
	"maps"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/labels"
)

// labelsBody is about labels that come later than their events.
type labelsBody struct {
	Waiting    int              `json:"waiting"`  // predictions that wait for their label
	Oldest     *float64         `json:"oldest_s"` // how long the first of them has waited; null: none waits
	Outcomes   map[string]int64 `json:"outcomes"` // by kind, over the life of the model
	Stalled    bool             `json:"stalled"`
	Partitions []partitionBody  `json:"partitions"` // of the labels topic

	Lag        *int64           `json:"lag"`    // over all partitions; null: unknown
	Wait       float64          `json:"wait_s"` // how long a prediction waits at most
	Behind     *float64         `json:"time_s"` // how long ago label time is; null: no label was read
	Held       int              `json:"held_partitions"`
	Read       int64            `json:"read"` // label records
	Repeats    int64            `json:"repeats"`
	Tombstones int64            `json:"tombstones"`
	Rejected   map[string]int64 `json:"rejected"` // by reason, those that occurred
	NoID       int64            `json:"events_without_id"`
	Settled    int              `json:"settled"`
	Memory     int64            `json:"memory_bytes"`
	ReadBack   int64            `json:"read_back"` // by this process
	Delays     delaysBody       `json:"delays"`
}

// delaysBody is a histogram of how much later than their events labels came.
type delaysBody struct {
	Bounds []float64 `json:"bounds_s"` // the upper ones; the last count is beyond them
	Counts []int64   `json:"counts"`
	Mean   float64   `json:"mean_s"`
}

// labelsBody returns nil without later labels.
func (v *view) labelsBody() *labelsBody {
	late := v.Late
	if late == nil {
		return nil
	}
	c := &late.Counts
	b := &labelsBody{
		Waiting: late.Waiting, Oldest: v.ago(late.Oldest), Outcomes: map[string]int64{}, Stalled: v.labelsStalled(),
		Partitions: v.partitionBodies(late.Partitions), Lag: v.known(lagOf(late.Partitions)), Wait: late.Wait.Seconds(),
		Behind: v.ago(late.Time), Held: late.Held, Read: c.Read, Repeats: c.Repeats, Tombstones: c.Tombstones,
		Rejected: map[string]int64{}, NoID: c.NoID, Settled: late.Settled, Memory: late.Memory,
		ReadBack: late.ReadBack, Delays: delaysOf(&c.Delays),
	}
	for _, o := range labels.Outcomes() {
		b.Outcomes[o.String()] = c.Outcomes[o.String()]
	}
	maps.Copy(b.Rejected, c.Rejected)
	return b
}

func lagOf(partitions []board.PartitionStatus) (n int64) {
	for _, p := range partitions {
		n += p.Lag()
	}
	return n
}

func delaysOf(d *labels.Delays) delaysBody {
	b := delaysBody{Counts: d.Counts[:]}
	for _, bound := range labels.DelayBounds() {
		b.Bounds = append(b.Bounds, bound.Seconds())
	}
	if n := d.Labels(); n > 0 {
		b.Mean = float64(d.Sum) / float64(n) / 1000
	}
	return b
}

// ago returns the seconds since a time in ms since 1970; nil for 0. A time ahead of the clock is now.
func (v *view) ago(ms int64) *float64 {
	if ms == 0 {
		return nil
	}
	return new(max(0, v.now.Sub(time.UnixMilli(ms)).Seconds()))
}

// stillFor is how long label time has to stand still, with predictions due, until labels are called stalled.
const stillFor = time.Minute

func (v *view) labelsStalled() bool {
	since := v.seen.labelsStillSince
	//mutation:stalled-for-long
	return !since.IsZero() && v.now.Sub(since) >= stillFor
}

// stalledLabels says that nothing ends waiting although the clock has passed its time; empty if that is not so.
func (v *view) stalledLabels() string {
	if !v.labelsStalled() {
		return ""
	}
	late := v.Late
	at := "no label was read yet"
	if late.Time > 0 {
		at = "the newest label is " + v.since(time.UnixMilli(late.Time)) + " old"
	}
	return fmt.Sprintf("labels-stalled: %d predictions wait for labels, by the clock the oldest for %s, longer than"+
		" --label-wait %s; but %s, and none is given up before labels of a later time come", late.Waiting,
		v.since(time.UnixMilli(late.Oldest)), labels.Span(late.Wait), at)
}

// logStalledLabels logs once that labels stand still, and once that they move again. It returns what was logged last.
func (s *Server) logStalledLabels(v *view, logged bool) bool {
	text := v.stalledLabels()
	switch {
	case v.State != board.Live || (text != "") == logged:
		return logged
	case logged:
		s.Log.Info().Msg("labels move again")
	default:
		s.Log.Warn().Msg(text)
	}
	return !logged
}
