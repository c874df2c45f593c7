package verify_test

import (
	"errors"
	"testing"
	"time"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// start is the checkpoint of a history as it is now, which ends with it.
func (h *lateHistory) start() verify.Start {
	s := verify.Start{Processor: h.proc, Config: h.config, Seq: h.seq, Waiting: h.waiting, LabelTime: &h.clock,
		Ends: topics.Ends{Output: h.lengths(topics.Output), Outcomes: h.lengths(topics.Outcomes),
			DeadLetters: h.lengths(topics.DeadLetters)},
		Positions: h.lengths(topics.Input), LabelPositions: h.lengths(topics.Labels)}
	return s
}

func (h *lateHistory) lengths(t topics.Topic) (n []int64) {
	for _, records := range h.records[t] {
		n = append(n, int64(len(records)))
	}
	return n
}

// TestOutcomesFromACheckpoint: what a daemon writes is sound from any checkpoint on.
func TestOutcomesFromACheckpoint(t *testing.T) {
	t.Parallel()
	for name, change := range lateConfigs {
		for seed := range uint64(3) {
			h := newLateHistory(t, seed, 500, change)
			for _, things := range []int{100, 350, 499} {
				from := newLateHistory(t, seed, things, change).start()
				r, err := h.audit(h.copied(), func(a *verify.Audit) { a.From = from })
				if err != nil || !r.OK() || r.Seq != h.seq || r.Labels.Waiting != int64(h.waiting.Len()) {
					t.Errorf("%s, seed %d, from %d on: %v%s", name, seed, things, err, findings(r))
				}
			}
		}
	}
}

// TestTooEarlyFromACheckpoint: label time is that of a partition which has stood still since before the checkpoint.
func TestTooEarlyFromACheckpoint(t *testing.T) {
	t.Parallel()
	write := func() *lateHistory {
		h := &lateHistory{scribe: newScribe(t, 1, 2, 1)}
		h.events("a")
		h.labelled("nobody", 1)
		h.label(1, topics.Record{Value: []byte(`{"id":"nobody","label":1}`)})
		return h
	}
	h := write()
	h.now += 10 * h.limits.Wait
	h.labelled("nobody", 1)
	h.outcome(journal.Expired, *h.waiting.First(), nil, nil, 0)
	r, err := h.audit(h.copied(), func(a *verify.Audit) { a.From = write().start() })
	if err != nil || r.Counts[verify.TooEarly] != 1 {
		t.Errorf("%v%s", err, findings(r))
	}
}

// TestDuplicateFromACheckpoint: a checkpoint may be between a duplicate's prediction and its outcome.
func TestDuplicateFromACheckpoint(t *testing.T) {
	t.Parallel()
	h := newShortHistory(t)
	h.events("a", "a", "b")
	before := newShortHistory(t)
	before.events("a")
	from := before.start()
	next := *before.waiting.First()
	next.Seq, next.Offset, from.Seq = 2, 1, 2
	from.Duplicate, from.Positions[0], from.Ends.Output[0] = &next, 2, 2
	r, err := h.audit(h.copied(), func(a *verify.Audit) { a.From = from })
	if err != nil || !r.OK() || r.Labels.Outcomes["duplicate"] != 1 {
		t.Errorf("%v%s", err, findings(r))
	}
}

// TestNullLabels: null label records are passed as --tombstones says, and move label time.
func TestNullLabels(t *testing.T) {
	t.Parallel()
	h := newShortHistory(t)
	h.events("a")
	h.now += h.limits.Wait + 1
	h.label(0, topics.Record{Key: []byte("k")})
	r, err := h.audit(h.copied(), nil)
	if err != nil || !r.OK() || r.Labels.Nulls != 1 || r.Labels.Outcomes["expired"] != 1 {
		t.Errorf("%v, %+v%s", err, r.Labels, findings(r))
	}
}

// TestIdleLabels: with --labels-idle, a partition of labels may count as read up to now.
func TestIdleLabels(t *testing.T) {
	t.Parallel()
	h := newShortHistory(t)
	h.events("a")
	h.labelled("nobody", 1)
	h.now += h.limits.Wait + 1
	h.clock.See(h.now, h.now)
	h.clock.Idle(0, h.now, 0)
	h.due()
	for _, idle := range []time.Duration{0, time.Minute} {
		r, err := h.audit(h.copied(), func(a *verify.Audit) { a.Labels.Idle = idle })
		if err != nil || r.Labels.Outcomes["expired"] != 1 || r.OK() != (idle > 0) {
			t.Errorf("%v: %v%s", idle, err, findings(r))
		}
	}
}

// TestEventsDeletedSince: an audit from a checkpoint ends where it needs an event that waited then and was deleted
// since; an end of waiting from which nothing was learned needs none.
func TestEventsDeletedSince(t *testing.T) {
	t.Parallel()
	for end, change := range map[string]func(*scribe){
		"labelled": nil,
		"assumed":  func(s *scribe) { s.config.Late.Assume = "-1" },
		"expired":  nil,
		"by key":   func(s *scribe) { s.config.Late.Join = model.JoinKey },
	} {
		write := func() *lateHistory {
			h := newShortHistory(t)
			if change != nil {
				change(h.scribe)
			}
			h.event(0, topics.Record{Key: []byte("a"), Value: []byte(`{"id":"a","x":1}`), Timestamp: h.now})
			return h
		}
		h, from := write(), write().start()
		if end == "labelled" {
			h.labelled("a", 1)
		}
		h.now += h.limits.Wait + 1
		h.label(0, topics.Record{Key: []byte("nobody"), Value: []byte(`{"id":"nobody","label":1}`), Timestamp: h.now})
		log := h.copied()
		log.records[topics.Input][0] = nil
		log.top.Input.Partitions[0].Start = 1
		r, err := h.audit(log, func(a *verify.Audit) { a.From = from })
		if stop, _ := errors.AsType[*stops.Error](err); end == "labelled" || end == "assumed" {
			if stop == nil || stop.Name != stops.InputGone || r.Seq != h.seq {
				t.Errorf("%s: %v", end, err)
			}
		} else if err != nil || !r.OK() || r.Labels.Outcomes["expired"] != 1 {
			t.Errorf("%s: %v%s", end, err, findings(r))
		}
	}
}
