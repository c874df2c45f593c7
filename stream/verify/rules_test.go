package verify_test

import (
	"fmt"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// TestNullFeatures: a tombstone by its null features has neither a prediction nor a dead letter.
func TestNullFeatures(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	decode := &s.Config.ModelConfig.Decode
	decode.FeaturesField, decode.Tombstones = "payload.after", event.SkipTombstones
	s.Cluster.Produce(t, s.Name, 0, `{"label":1,"payload":{"after":{"x":1}}}`, `{"payload":{"after":null}}`,
		`{"label":0,"payload":{"after":{"x":2}}}`)
	s.MustRun(t)
	if r := audit(t, s, s.Client(t)); !r.OK() || r.Predictions != 2 {
		t.Errorf("%+v, findings %+v", r, r.Findings)
	}
}

// TestRefusedForAnotherEvent: a label was refused since the labels of other events had made the last classes. A label
// behind it came before its event, and waited for nothing.
func TestRefusedForAnotherEvent(t *testing.T) {
	t.Parallel()
	h := &lateHistory{scribe: newScribe(t, 1, 2, 1)}
	lateConfigs["classes"](h.scribe)
	h.events("a", "b", "c")
	h.labelledIn(1, "a", 1)
	h.labelledIn(1, "b", 2)
	h.labelledIn(0, "c", 3) // one class too many
	h.labelledIn(0, "d", 1) // no example
	h.events("d", "e")
	h.labelledIn(0, "e", 1)
	r, err := h.audit(h.copied(), nil)
	if err != nil || !r.OK() || r.Labels.Used != 3 || r.Labels.DeadLetters != 2 {
		t.Errorf("%v, %+v%s", err, r.Labels, findings(r))
	}
}

// TestConflictWithALostOutcome: a process dead-lettered a label that conflicts with an outcome of its last flight,
// which was lost with it. The process behind it takes the dead letter as given, whichever of its outcomes comes first.
func TestConflictWithALostOutcome(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"b", "a"} {
		h := &lateHistory{scribe: newScribe(t, 1, 2, 1)}
		for _, id := range []string{"a", "b", "c"} {
			h.event(0, topics.Record{Value: fmt.Appendf(nil, `{"id":"%s","features":{"x":1}}`, id)})
		}
		h.label(1, topics.Record{Value: []byte(`{"id":"c","label":1}`)})
		lost := h.append(topics.Labels, 0, topics.Record{Value: []byte(`{"id":"a","label":-1}`)})
		h.deadLetter(topics.Labels, 0, &lost, event.ConflictingLabel)
		h.epoch++
		partition := map[string]int32{"b": 0, "a": 1}
		h.label(partition[first], topics.Record{Value: fmt.Appendf(nil, `{"id":"%s","label":1}`, first)})
		other := map[string]string{"b": "a", "a": "b"}[first]
		h.label(partition[other], topics.Record{Value: fmt.Appendf(nil, `{"id":"%s","label":1}`, other)})
		r, err := h.audit(h.copied(), nil)
		if err != nil || !r.OK() || r.Labels.Used != 3 {
			t.Errorf("%s first: %v, %+v%s", first, err, r.Labels, findings(r))
		}
	}
}

// TestConflictWithAnOutcomeToCome: as before, and the outcome is not published again by the time that a checkpoint of
// the next process has read the dead-lettered label.
func TestConflictWithAnOutcomeToCome(t *testing.T) {
	t.Parallel()
	h := &lateHistory{scribe: newScribe(t, 1, 2, 1)}
	h.event(0, topics.Record{Value: []byte(`{"id":"a","features":{"x":1}}`)})
	lost := h.append(topics.Labels, 0, topics.Record{Value: []byte(`{"id":"a","label":-1}`)})
	h.label(1, topics.Record{Value: []byte(`{"id":"nobody","label":1}`)})
	h.deadLetter(topics.Labels, 0, &lost, event.ConflictingLabel)
	h.event(0, topics.Record{Value: []byte(`{"id":"b","features":{"x":1}}`)})
	h.label(1, topics.Record{Value: []byte(`{"id":"b","label":1}`)})
	h.epoch++
	r, err := h.audit(h.copied(), nil)
	if err != nil || !r.OK() || r.Labels.Waiting != 1 {
		t.Errorf("%v, %+v%s", err, r.Labels, findings(r))
	}
}
