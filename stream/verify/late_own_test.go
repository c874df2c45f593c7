package verify_test

import (
	"testing"

	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// newOwnLabels is a history of a daemon that remembers one settled id: two events bear labels of their own and the same
// id, which is forgotten between them. Then label records repeat the second one's label, and contradict it.
func newOwnLabels(t *testing.T, again int) *lateHistory {
	t.Helper()
	h := newShortHistory(t)
	h.limits.Settled = 1
	own := func(value string) { h.event(0, topics.Record{Value: []byte(value)}) }
	own(`{"id":"a","label":1,"features":{"x":1}}`)
	own(`{"id":"b","label":1,"features":{"x":1}}`)
	own(`{"id":"a","label":-1,"features":{"x":1}}`)
	h.labelled("a", again)
	return h
}

// TestOwnLabelOfAForgottenID: an audit that remembers more settled ids than the daemon does not know whether the daemon
// had forgotten an id when an event of it bore its own label. Either label may be the known one.
func TestOwnLabelOfAForgottenID(t *testing.T) {
	t.Parallel()
	for _, label := range []int{-1, 1} {
		h := newOwnLabels(t, label)
		for _, settled := range []int{1, 5000} {
			r, err := h.audit(h.copied(), func(a *verify.Audit) { a.Labels.Settled = settled })
			if err != nil || !r.OK() || r.Labels.Repeats+r.Labels.DeadLetters != 1 {
				t.Errorf("label %d, with %d: %v, %+v%s", label, settled, err, r.Labels, findings(r))
			}
		}
	}
	h := newShortHistory(t)
	h.events("a")
	h.expire()
	h.event(0, topics.Record{Value: []byte(`{"id":"a","label":1,"features":{"x":1}}`)})
	h.labelled("a", -1) // late, or in conflict
	f := h.forge()
	f.records[topics.DeadLetters][0] = f.records[topics.DeadLetters][0][:1] // of the label of nobody
	f.finds("without a dead letter", false, one(verify.NoDeadLetter), nil)
}
