package verify_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// lateForgery is a copy of a history that is changed.
type lateForgery struct {
	*recorded
	h *lateHistory
}

func (h *lateHistory) forge() *lateForgery { return &lateForgery{h.copied(), h} }

// edit replaces a text in an entry.
func (f *lateForgery) edit(e entry, old, now string) {
	r := &f.records[e.topic][e.partition][e.i]
	if bytes.Count(r.Value, []byte(old)) != 1 {
		f.h.t.Fatalf("%s is not once in %s", old, r.Value)
	}
	r.Value = bytes.Replace(r.Value, []byte(old), []byte(now), 1)
}

func (f *lateForgery) drop(e entry) {
	f.records[e.topic][e.partition] = remove(f.records[e.topic][e.partition], e.i)
}

// addOutcome adds an outcome at the end.
func (f *lateForgery) addOutcome(e entry, value string) {
	f.records[e.topic][e.partition] = append(f.records[e.topic][e.partition],
		topics.Record{Key: f.records[e.topic][e.partition][e.i].Key, Value: []byte(value), Timestamp: f.h.now})
}

// finds audits the forgery, and wants findings of these kinds and so many of each, and, unless among, no others.
func (f *lateForgery) finds(name string, among bool, want map[verify.Kind]int64, about func(*verify.Finding) bool) {
	f.h.t.Helper()
	for _, topic := range topics.Written {
		f.renumber(topic)
	}
	r, err := f.h.audit(f.recorded, nil)
	if err != nil {
		f.h.t.Errorf("%s: %v", name, err)
		return
	}
	for _, kind := range verify.Kinds() {
		if r.Counts[kind] < want[kind] || !among && r.Counts[kind] != want[kind] {
			f.h.t.Errorf("%s: %d of kind %s, want %d%s", name, r.Counts[kind], kind, want[kind], findings(r))
			return
		}
	}
	if about != nil && !slices.ContainsFunc(r.Findings, about) {
		f.h.t.Errorf("%s: it is not what was forged%s", name, findings(r))
	}
}

func one(kind verify.Kind) map[verify.Kind]int64 { return map[verify.Kind]int64{kind: 1} }

// found matches a finding about an entry.
func (e entry) found(kind verify.Kind) func(*verify.Finding) bool {
	return func(f *verify.Finding) bool { return f.Kind == kind && f.Seq == e.seq }
}

func outcomeScore(name string, score float64) string {
	text, _ := json.Marshal(score)
	return fmt.Sprintf(`"%s":%s,`, name, text)
}

// TestForgedOutcomes: every outcome of a history is forged in every way. Each forgery is found and named.
func TestForgedOutcomes(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*scribe){"plain": nil, "assume": lateConfigs["assume"],
		"evicting": lateConfigs["evicting"]} {
		t.Run(name, func(t *testing.T) { forgeOutcomes(newLateHistory(t, 3, 300, change)) })
	}
}

func forgeOutcomes(h *lateHistory) {
	first := h.entries()[1] // a prediction before anything was learned
	f := h.forge()
	f.edit(first, `"untrained":true,`, "")
	f.finds("trained", false, one(verify.Differs), first.found(verify.Differs))
	for _, e := range h.entries()[1:] {
		if e.outcome == nil {
			continue
		}
		o := e.outcome
		name := fmt.Sprintf("%v of seq %d: ", o.Kind, e.seq)
		value := string(h.records[e.topic][e.partition][e.i].Value)

		f := h.forge()
		f.edit(e, outcomeScore("score", o.Score), outcomeScore("score", math.Nextafter(o.Score, 9)))
		f.finds(name+"score", false, one(verify.Differs), e.found(verify.Differs))

		f = h.forge()
		f.edit(e, fmt.Sprintf(`"time":%d,`, o.Time), fmt.Sprintf(`"time":%d,`, o.Time+1))
		f.finds(name+"time", false, one(verify.Differs), e.found(verify.Differs))

		f = h.forge()
		if o.Untrained {
			f.edit(e, `"untrained":true,`, "")
		} else {
			f.edit(e, `"updated":`, `"untrained":true,"updated":`)
		}
		f.finds(name+"untrained", false, one(verify.Differs), e.found(verify.Differs))

		f = h.forge()
		all := f.records[e.topic][e.partition]
		f.records[e.topic][e.partition] = slices.Insert(all, e.i+1, all[e.i])
		f.finds(name+"twice", false, one(verify.SecondOutcome), e.found(verify.SecondOutcome))

		f = h.forge()
		twice := verify.SecondOutcome
		if o.Kind == journal.DuplicateID {
			twice = verify.Foreign // it is not behind its prediction
		}
		f.addOutcome(e, strings.Replace(value, fmt.Sprintf(`"seq":%d,`, e.seq), fmt.Sprintf(`"seq":%d,`, h.seq+1), 1))
		f.finds(name+"twice, at the end", false, one(twice), nil)

		f = h.forge()
		f.drop(e)
		f.finds(name+"dropped", true, one(verify.Hole), e.found(verify.Hole))
		switch o.Kind {
		case journal.Labelled:
			forgeLabelled(h, e, name)
		case journal.Assumed:
			f = h.forge()
			f.edit(e, `"label":-1,`, `"label":1,`)
			f.finds(name+"label", false, one(verify.Differs), e.found(verify.Differs))
		case journal.Expired:
			f = h.forge()
			f.edit(e, `"outcome":"expired"`, `"outcome":"evicted"`)
			f.finds(name+"as evicted", false, one(verify.TooEarly), e.found(verify.TooEarly))
		}
	}
}

// forgeLabelled forges an outcome by a label.
func forgeLabelled(h *lateHistory, e entry, name string) {
	o := e.outcome
	f := h.forge()
	f.edit(e, outcomeScore("scoreNow", o.ScoreNow), outcomeScore("scoreNow", math.Nextafter(o.ScoreNow, 9)))
	f.finds(name+"score now", false, one(verify.Differs), e.found(verify.Differs))

	f = h.forge()
	f.edit(e, fmt.Sprintf(`"label":%s,`, o.Label), `"label":5,`)
	f.finds(name+"label", false, one(verify.Differs), e.found(verify.Differs))

	f = h.forge()
	f.edit(e, fmt.Sprintf(`"labelOffset":%d,`, o.LabelOffset), `"labelOffset":99999,`)
	f.finds(name+"label that does not exist", true, one(verify.NoLabel), e.found(verify.NoLabel))

	f = h.forge()
	f.drop(e)
	f.finds(name+"dropped", true, one(verify.LabelPassed), func(f *verify.Finding) bool {
		return f.Kind == verify.LabelPassed && f.Seq == o.Of && f.Label.Partition == o.LabelPartition &&
			f.Label.Offset == o.LabelOffset
	})

	f = h.forge()
	f.records[topics.DeadLetters][0] = append(f.records[topics.DeadLetters][0],
		h.letterOf(o.LabelPartition, o.LabelOffset, "conflicting-label"))
	f.finds(name+"dead-lettered, too", true, nil, func(f *verify.Finding) bool {
		// A dead letter of another process is final: then the outcome is without a label.
		return f.Seq == e.seq && (f.Kind == verify.Duplicate || f.Kind == verify.NoLabel)
	})
}

func (h *lateHistory) letterOf(partition int32, offset int64, reason string) topics.Record {
	return topics.Record{Headers: rawHeaders("rosenblatt.reason", reason, "rosenblatt.topic", h.top.Labels.Name,
		"rosenblatt.partition", fmt.Sprint(partition), "rosenblatt.offset", fmt.Sprint(offset),
		"rosenblatt.model", journal.ModelAt(scribeModel, h.epoch), "rosenblatt.output", h.top.Output.Name)}
}

// TestForgedOutcomeOfNothing: an outcome of no prediction is found, whatever it says.
func TestForgedOutcomeOfNothing(t *testing.T) {
	t.Parallel()
	h := newLateHistory(t, 3, 300, nil)
	for _, kind := range []string{"expired", "evicted", "duplicate"} {
		f := h.forge()
		f.records[topics.Outcomes][0] = append(f.records[topics.Outcomes][0], topics.Record{Timestamp: h.now,
			Value: fmt.Appendf(nil, `{"id":"nothing","outcome":"%s","prediction":1,"score":0,"updated":false,`+
				`"partition":0,"offset":1,"time":5,"of":%d,"seq":%d,"model":"m@%d"}`, kind, h.seq, h.seq+1, h.epoch)})
		f.finds(kind, false, one(verify.Unpredicted), nil)
	}
	h.label(0, topics.Record{Value: []byte(`{"id":"nothing","label":1}`)})
	f := h.forge()
	f.records[topics.DeadLetters][0] = f.records[topics.DeadLetters][0][:len(f.records[topics.DeadLetters][0])-1]
	f.records[topics.Outcomes][0] = append(f.records[topics.Outcomes][0], topics.Record{Timestamp: h.now,
		Value: fmt.Appendf(nil, `{"id":"nothing","outcome":"labelled","label":1,"prediction":1,"score":0,`+
			`"mistake":false,"updated":false,"scoreNow":0,"delay":1,"partition":0,"offset":1,"time":5,"of":%d,`+
			`"labelPartition":0,"labelOffset":%d,"seq":%d,"model":"m@%d"}`, h.seq,
			len(h.records[topics.Labels][0])-1, h.seq+1, h.epoch)})
	f.finds("labelled", true, one(verify.Unpredicted), nil)
}

// TestTooEarly: what ended before the time that the setting says is found, and all of it.
func TestTooEarly(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]journal.Kind{"plain": journal.Expired, "assume": journal.Assumed,
		"evicting": journal.Evicted} {
		h := newLateHistory(t, 5, 600, func(s *scribe) {
			if s.epoch = 7; lateConfigs[name] != nil {
				lateConfigs[name](s)
			}
		})
		n := int64(0)
		for _, e := range h.entries()[1:] {
			if e.outcome != nil && e.outcome.Kind == kind {
				n++
			}
		}
		r, err := h.audit(h.copied(), func(a *verify.Audit) { a.Labels.Wait, a.Labels.Examples = 1<<40, 1<<20 })
		if err != nil || n == 0 || r.Counts[verify.TooEarly] < n {
			t.Errorf("%s: %v, %d of %d%s", name, err, r.Counts[verify.TooEarly], n, findings(r))
		}
		for of, says := range map[int64]bool{0: false, 1 << 40: false, 6: true} {
			r, err := h.audit(h.copied(), func(a *verify.Audit) {
				a.Labels.Wait, a.Labels.Examples, a.LimitsOf = 1<<40, 1<<20, of
			})
			if err != nil || strings.Contains(findings(r), "the limits since are not known") != says {
				t.Errorf("%s, limits of epoch %d: %v%s", name, of, err, findings(r))
			}
		}
	}
}

// TestTooEarlyByLittle: an example that ends one millisecond of label time too soon is found.
func TestTooEarlyByLittle(t *testing.T) {
	t.Parallel()
	for _, early := range []int64{0, 1} {
		h := &lateHistory{scribe: newScribe(t, 1, 2, 1)}
		h.limits.Wait -= early
		h.event(0, topics.Record{Value: []byte(`{"id":"a","features":{"x":1}}`), Timestamp: h.now})
		for i, id := range []string{"b", "c", "d"} {
			h.event(0, topics.Record{Value: fmt.Appendf(nil, `{"id":"%s","features":{"x":1}}`, id), Timestamp: h.now})
			h.label(int32(i%2), topics.Record{Value: fmt.Appendf(nil, `{"id":"%s","label":1}`, id)})
		}
		h.limits.Wait += early
		h.now += h.limits.Wait + 1 - early
		h.label(0, topics.Record{Value: []byte(`{"id":"nobody","label":1}`), Timestamp: h.now + 500})
		h.label(1, topics.Record{Value: []byte(`{"id":"nobody","label":1}`)})
		r, err := h.audit(h.copied(), nil)
		if err != nil || r.Labels.Outcomes["expired"] != 1 || r.Counts[verify.TooEarly] != early {
			t.Errorf("early by %d: %v, %+v%s", early, err, r.Labels, findings(r))
		}
	}
}

// TestForgedLabelDeadLetters: a dead letter of a label record that is missing, twice, or of another reason is found.
func TestForgedLabelDeadLetters(t *testing.T) {
	t.Parallel()
	h := newLateHistory(t, 4, 400, func(s *scribe) { s.epoch = 7 })
	reasons := map[string]int{}
	for i, r := range h.records[topics.DeadLetters][0] {
		headers := headersOf(r.Headers)
		if headers["rosenblatt.topic"] != h.top.Labels.Name {
			continue
		}
		name := fmt.Sprintf("dead letter %d, %s: ", i, headers["rosenblatt.reason"])
		about := func(kind verify.Kind) func(*verify.Finding) bool {
			return func(f *verify.Finding) bool {
				return f.Kind == kind && fmt.Sprint(f.Label.Partition) == headers["rosenblatt.partition"] &&
					fmt.Sprint(f.Label.Offset) == headers["rosenblatt.offset"]
			}
		}
		reasons[headers["rosenblatt.reason"]]++
		f := h.forge()
		f.records[topics.DeadLetters][0] = remove(f.records[topics.DeadLetters][0], i)
		f.finds(name+"dropped", true, one(verify.NoDeadLetter), about(verify.NoDeadLetter))

		f = h.forge()
		f.records[topics.DeadLetters][0] = append(f.records[topics.DeadLetters][0], r)
		f.finds(name+"twice", false, one(verify.Duplicate), about(verify.Duplicate))
	}
	if len(reasons) < 5 {
		t.Errorf("only %v", reasons)
	}
	f := h.forge()
	f.records[topics.DeadLetters][0] = append(f.records[topics.DeadLetters][0], h.letterOf(1, 99999, "syntax"))
	f.finds("of no label", false, one(verify.NoInput), nil)
}
