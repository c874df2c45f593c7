package verify_test

import (
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// labelAt handles a label of no event with a timestamp.
func (h *lateHistory) labelAt(ms int64) {
	h.label(0, topics.Record{Value: []byte(`{"id":"nobody","label":1}`), Timestamp: ms})
}

// TestLabelTimeAhead: a timestamp far ahead of the wall clock moves label time once it is not far ahead any more. A
// partition without records does not hold label time.
func TestLabelTimeAhead(t *testing.T) {
	t.Parallel()
	const hour = 60 * 60 * 1000
	for name, row := range map[string]struct {
		history func(*lateHistory)
		early   int64 // findings
	}{
		"a partition without records": {func(h *lateHistory) {
			h.events("a", "b")
			h.labelled("a", 1)
			h.expire()
		}, 0},
		"ahead": {func(h *lateHistory) {
			h.events("a")
			h.labelAt(h.now + 2*hour)
			h.outcome(journal.Expired, *h.waiting.First(), nil, nil, 0)
		}, 1},
		"no longer ahead": {func(h *lateHistory) {
			h.events("a")
			at := h.now + 2*hour
			h.now += hour + hour/2
			h.labelAt(at)
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			h := newShortHistory(t)
			row.history(h)
			r, err := h.audit(h.copied(), nil)
			if err != nil || r.Labels.Outcomes["expired"] != 1 || r.Counts[verify.TooEarly] != row.early ||
				r.OK() != (row.early == 0) {
				t.Errorf("%v, %+v%s", err, r.Labels, findings(r))
			}
		})
	}
}

// TestPassedLabelIsLearned: of a label whose outcome alone is missing, what was learned is not.
func TestPassedLabelIsLearned(t *testing.T) {
	t.Parallel()
	h := newShortHistory(t)
	h.events("a", "b")
	h.labelled("a", -1)
	h.labelled("b", 1)
	f := h.forge()
	f.drop(h.entries()[3])
	f.finds("the outcome of a is dropped", false, map[verify.Kind]int64{verify.LabelPassed: 1, verify.Hole: 1}, nil)
}

// TestLabelsEndEarly: the labels topic must not end below what was read of it.
func TestLabelsEndEarly(t *testing.T) {
	t.Parallel()
	h := newShortHistory(t)
	h.events("a")
	h.labelled("a", 1)
	_, err := h.audit(h.copied(), func(a *verify.Audit) { a.Floor.LabelPositions[0] = 2 })
	if !stops.Is(err, stops.BeyondEnd) {
		t.Error(err)
	}
}

// TestSomeLabelDeadLettersNoLongerKept: of the first label the dead letter is no longer kept, of the last it is
// missing.
func TestSomeLabelDeadLettersNoLongerKept(t *testing.T) {
	t.Parallel()
	h := newShortHistory(t)
	h.events("a")
	for range 3 {
		h.labelled("nobody", 1)
	}
	f := h.forge()
	f.records[topics.DeadLetters][0] = f.records[topics.DeadLetters][0][1:2]
	f.top.DeadLetters.Partitions[0] = topics.Bounds{Start: 1, Stable: 2, End: 2}
	r, err := h.audit(f.recorded, nil)
	if err != nil || r.Counts[verify.NoDeadLetter] != 1 || r.Labels.Unkept != 1 || r.Labels.DeadLetters != 1 {
		t.Errorf("%v, %+v%s", err, r.Labels, findings(r))
	}
}
