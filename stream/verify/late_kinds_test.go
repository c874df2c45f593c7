package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// newShortHistory is a history that a test writes: one partition of events, three of labels, of which the second has
// none, two of outcomes.
func newShortHistory(t *testing.T) *lateHistory {
	t.Helper()
	h := &lateHistory{scribe: newScribe(t, 1, 3, 2)}
	h.config.Decode.Tombstones, h.config.Late.Decode.Tombstones = "skip", "skip"
	return h
}

func (h *lateHistory) events(ids ...string) {
	for _, id := range ids {
		h.event(0, topics.Record{Value: fmt.Appendf(nil, `{"id":"%s","features":{"x":1}}`, id)})
	}
}

func (h *lateHistory) labelled(id string, label int) { h.labelledIn(0, id, label) }

func (h *lateHistory) labelledIn(partition int32, id string, label int) {
	h.label(partition, topics.Record{Value: fmt.Appendf(nil, `{"id":"%s","label":%d}`, id, label)})
}

// expire lets label time pass.
func (h *lateHistory) expire() {
	h.now += h.limits.Wait + 1
	h.labelled("nobody", 1)
}

// again adds an outcome with the next seq at the end, like an earlier one but for texts in it, in pairs.
func (f *lateForgery) again(e entry, changes ...string) {
	value := string(f.records[e.topic][e.partition][e.i].Value)
	changes = append(changes, fmt.Sprintf(`"seq":%d,`, e.seq), fmt.Sprintf(`"seq":%d,`, f.h.seq+1))
	f.addOutcome(e, strings.NewReplacer(changes...).Replace(value))
}

// TestForgedKinds: forgeries of one kind each, in histories of a few entries. A forgery may have further findings.
func TestForgedKinds(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		history func(*lateHistory)
		forge   func(*lateForgery, []entry)
		kind    verify.Kind
		seq     int64 // of the finding
		alone   bool  // nothing else is found
	}{
		"twice": {func(h *lateHistory) { h.events("a"); h.labelled("a", 1) },
			func(f *lateForgery, all []entry) { f.again(all[2]) }, verify.SecondOutcome, 3, true},
		"with another score": {func(h *lateHistory) { h.events("a"); h.labelled("a", 1) },
			func(f *lateForgery, all []entry) { f.edit(all[2], `"scoreNow":0,`, `"scoreNow":0.5,`) },
			verify.Differs, 2, true},
		"a label passed over": {func(h *lateHistory) { h.events("a", "b"); h.labelled("a", 1); h.labelled("b", 1) },
			func(f *lateForgery, all []entry) { f.drop(all[3]) }, verify.LabelPassed, 1, false},
		"a duplicate without its outcome": {func(h *lateHistory) { h.events("a", "a", "b") },
			func(f *lateForgery, all []entry) { f.drop(all[3]) }, verify.NoOutcome, 2, false},
		"a duplicate of a new id": {func(h *lateHistory) {
			h.events("a")
			h.outcome(journal.DuplicateID, *h.waiting.First(), nil, nil, 0)
		}, nil, verify.Differs, 2, true},
		"of a label partition that does not exist": {func(h *lateHistory) { h.events("a"); h.labelled("a", 1) },
			func(f *lateForgery, all []entry) { f.edit(all[2], `"labelPartition":0`, `"labelPartition":9`) },
			verify.NoLabel, 2, false},
		"of a label that is gone": {func(h *lateHistory) { h.events("a", "b"); h.labelled("a", 1); h.labelled("b", 1) },
			func(f *lateForgery, _ []entry) { f.records[topics.Labels][0] = f.records[topics.Labels][0][1:] },
			verify.NoLabel, 3, false},
		"of a record that is no label": {func(h *lateHistory) { h.events("a"); h.labelled("a", 1) },
			func(f *lateForgery, _ []entry) { f.records[topics.Labels][0][0].Value = []byte("{") },
			verify.NoLabel, 2, false},
		"of a null record": {func(h *lateHistory) { h.events("a"); h.labelled("a", 1) },
			func(f *lateForgery, _ []entry) { f.records[topics.Labels][0][0].Value = nil }, verify.NoLabel, 2, false},
		"of a null record behind a label passed over": {
			func(h *lateHistory) { h.events("a", "b"); h.labelled("a", 1); h.labelled("b", 1) },
			func(f *lateForgery, all []entry) {
				f.drop(all[3])
				f.records[topics.Labels][0][1].Value = nil
			}, verify.NoLabel, 4, false},
		"of a label in conflict": {func(h *lateHistory) { h.events("a"); h.labelled("a", 1); h.labelled("a", -1) },
			func(f *lateForgery, all []entry) {
				f.records[topics.DeadLetters][0] = nil
				f.again(all[2], `"labelOffset":0`, `"labelOffset":1`, `"label":1`, `"label":-1`)
			}, verify.SecondOutcome, 3, false},
		"of a label that the model refuses": {func(h *lateHistory) {
			h.events("a", "b")
			h.labelled("a", -1)
			h.labelled("b", 0) // of another family
		}, func(f *lateForgery, all []entry) {
			f.records[topics.DeadLetters][0] = nil
			f.again(all[3], `"a"`, `"b"`, `"labelOffset":0`, `"labelOffset":1`, `"offset":0`, `"offset":1`, `"of":1`,
				`"of":2`)
		}, verify.Differs, 4, false},
		"of another seq": {func(h *lateHistory) { h.events("a", "b"); h.expire() },
			func(f *lateForgery, all []entry) { f.edit(all[3], `"of":1,`, `"of":2,`) }, verify.Differs, 3, true},
		"of another seq and place": {func(h *lateHistory) { h.events("a", "b"); h.expire(); h.events("c") },
			func(f *lateForgery, all []entry) { f.again(all[3], `"a"`, `"c"`, `"offset":0`, `"offset":9`) },
			verify.Unpredicted, 6, true},
		"in another order": {func(h *lateHistory) { h.events("a", "b"); h.expire() },
			func(f *lateForgery, all []entry) {
				f.edit(all[3], `"seq":3`, `"seq":4`)
				f.edit(all[4], `"seq":4`, `"seq":3`)
				records := f.records[topics.Outcomes][all[3].partition]
				slices.Reverse(records)
			}, verify.Order, 4, true},
		"behind one of a higher seq": {func(h *lateHistory) { h.events("a", "b"); h.expire() },
			func(f *lateForgery, all []entry) { slices.Reverse(f.records[topics.Outcomes][all[3].partition]) },
			verify.Order, 3, false},
		"behind one of a higher seq, by a label of another partition": {
			func(h *lateHistory) { h.events("a", "b"); h.labelled("a", 1); h.labelledIn(2, "b", 1) },
			func(f *lateForgery, _ []entry) { slices.Reverse(f.records[topics.Outcomes][0]) },
			verify.Order, 3, false},
		"of an earlier epoch": {func(h *lateHistory) { h.epoch = 5; h.events("a", "b"); h.expire() },
			func(f *lateForgery, all []entry) { f.edit(all[4], `@5"`, `@4"`) }, verify.Order, 4, true},
		"in another partition": {func(h *lateHistory) { h.events("a"); h.labelled("a", 1) },
			func(f *lateForgery, _ []entry) { slices.Reverse(f.records[topics.Outcomes]) }, verify.Differs, 2, true},
		"a label of an unknown event at the end": {func(h *lateHistory) { h.events("a"); h.labelled("b", 1) },
			func(f *lateForgery, _ []entry) { f.records[topics.DeadLetters][0] = nil }, verify.NoDeadLetter, 0, true},
		"a dead letter with another reason": {func(h *lateHistory) { h.events("a"); h.labelled("b", 1) },
			func(f *lateForgery, _ []entry) {
				f.records[topics.DeadLetters][0] = []topics.Record{f.h.letterOf(0, 0, event.LateLabel.String())}
			}, verify.Differs, 0, true},
		"a dead letter of a label that was not read": {
			func(h *lateHistory) { h.events("a"); h.labelled("a", 1) },
			func(f *lateForgery, all []entry) {
				f.drop(all[2])
				f.records[topics.DeadLetters][0] = []topics.Record{f.h.letterOf(0, 0, "conflicting-label")}
			}, verify.LabelPassed, 1, false},
		"a dead letter of no partition": {func(h *lateHistory) { h.events("a"); h.labelled("a", 1) },
			func(f *lateForgery, _ []entry) {
				f.records[topics.DeadLetters][0] = []topics.Record{f.h.letterOf(9, 0, "no-id")}
			}, verify.NoInput, 0, true},
		"a dead letter of no label": {func(h *lateHistory) { h.events("a"); h.labelled("b", 1); h.labelled("a", 1) },
			func(f *lateForgery, _ []entry) { f.records[topics.Labels][0] = f.records[topics.Labels][0][1:] },
			verify.NoInput, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newShortHistory(t)
			row.history(h)
			f := h.forge()
			if row.forge != nil {
				row.forge(f, h.entries())
			}
			f.finds(name, !row.alone, one(row.kind), func(f *verify.Finding) bool {
				return f.Kind == row.kind && f.Seq == row.seq
			})
		})
	}
}

// TestLabelDeadLettersNoLongerKept: what the dead-letter topic no longer keeps is no finding, however much that is.
func TestLabelDeadLettersNoLongerKept(t *testing.T) {
	t.Parallel()
	for name, change := range lateConfigs {
		for seed := range uint64(3) {
			h := newLateHistory(t, seed, 400, change)
			n := len(h.records[topics.DeadLetters][0])
			for _, gone := range []int{n, n / 2, 1} {
				f := h.forge()
				f.records[topics.DeadLetters][0] = f.records[topics.DeadLetters][0][gone:]
				f.top.DeadLetters.Partitions[0].Start = int64(gone)
				r, err := h.audit(f.recorded, nil)
				if err != nil || !r.OK() || gone == n && (r.Labels.Unkept == 0 || r.Labels.DeadLetters != 0) {
					t.Errorf("%s, seed %d, %d of %d are gone: %v, %+v%s", name, seed, gone, n, err, r.Labels,
						findings(r))
				}
			}
		}
	}
}
