package verify_test

import (
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// newReusedIDs is a history of a daemon that remembers two settled ids: twice a is settled, forgotten and used again,
// each time with the same label.
func newReusedIDs(t *testing.T) *lateHistory {
	t.Helper()
	h := newShortHistory(t)
	h.limits.Settled = 2
	for _, others := range [][]string{{"b", "c"}, {"d", "e"}, {"f", "g"}} {
		h.events("a")
		h.events(others...)
		h.labelledIn(0, "a", 1)
		for _, id := range others {
			h.labelledIn(2, id, 1)
		}
	}
	return h
}

// TestLabelOfALaterEvent: a label of an id that is used again is passed as a repeat of the first while the audit
// remembers that, and is then found to be the label of the second. It counts once.
func TestLabelOfALaterEvent(t *testing.T) {
	t.Parallel()
	h := newReusedIDs(t)
	h.labelledIn(2, "g", 1) // a repeat that stays one
	for _, settled := range []int{2, 5000} {
		r, err := h.audit(h.copied(), func(a *verify.Audit) { a.Labels.Settled = settled })
		if err != nil || !r.OK() || r.Labels.Used != 9 || r.Labels.Repeats != 1 {
			t.Errorf("with %d: %v, %+v%s", settled, err, r.Labels, findings(r))
		}
	}
}

// TestLabelOfALaterEventForged: no label is that of two events, nor that of one that does not wait; and it is
// compared as any other.
func TestLabelOfALaterEventForged(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		forge func(*lateForgery, []entry)
		kind  verify.Kind
	}{
		"twice": {func(f *lateForgery, all []entry) { f.again(all[10]) }, verify.SecondOutcome},
		"of two": {func(f *lateForgery, all []entry) {
			f.edit(all[16], `"labelOffset":2`, `"labelOffset":1`)
		}, verify.NoLabel},
		"the delay": {func(f *lateForgery, all []entry) {
			f.edit(all[10], `"delay":0`, `"delay":1`)
		}, verify.Differs},
		"of another repeat": {func(f *lateForgery, _ []entry) {
			f.records[topics.Labels][0][1].Value = []byte(`{"id":"b","label":1}`)
		}, verify.Unpredicted},
	} {
		h := newReusedIDs(t)
		h.limits.Settled = 5000 // of the audit
		all := h.entries()
		for _, seq := range []int{10, 16} {
			if o := all[seq].outcome; o == nil || o.Kind != journal.Labelled || o.LabelPartition != 0 {
				t.Fatalf("seq %d is %+v", seq, o)
			}
		}
		f := h.forge()
		row.forge(f, all)
		f.finds(name, true, one(row.kind), nil)
	}
}
