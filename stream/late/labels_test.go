package late

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/learner/decision"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recall"
	"rosenblatt/stream/topics"
)

// testLate is what waits of json events, and its model.
func testLate(t *testing.T, limits labels.Limits) (*Labels, *model.Processor) {
	t.Helper()
	options := event.Defaults(event.JSON)
	options.Bits = 8
	fixed := &model.Config{Decode: options, Learner: learner.Spec{Learner: "perceptron", Bits: 8}.WithDefaults(),
		Late: &model.LateLabels{Join: model.JoinID, Decode: options}}
	proc, err := model.NewProcessor(*fixed)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(fixed, limits, &model.LabelCounts{})
	if err != nil {
		t.Fatal(err)
	}
	l.memory = 1 << 20
	return l, proc
}

// predictNumber predicts an event whose id is a number.
func (l *Labels) predictNumber(seq int64, id int) (waits bool) {
	record := &topics.Record{Offset: seq, Timestamp: 1000 * seq, Key: []byte("k"),
		Value: fmt.Appendf(nil, `{"id":%d,"features":{"x":1}}`, id)}
	var e event.Example
	arena := l.decoder.Decode(record, nil, &e)
	return l.Predicted(&Predicted{Seq: seq, At: 5000, Outcome: &model.Outcome{Prediction: model.Positive, Score: 2},
		Record: record, Example: &e, Features: e.Features(arena)})
}

// TestDuplicateBehindCheckpoint: where a checkpoint is between a duplicate's prediction and its outcome, that is the
// next entry all the same.
func TestDuplicateBehindCheckpoint(t *testing.T) {
	t.Parallel()
	limits := labels.Limits{Wait: 1000, Examples: 10, Settled: 10}
	l, _ := testLate(t, limits)
	if !l.predictNumber(1, 7) || l.predictNumber(2, 7) {
		t.Fatal("the first waits, the second does not")
	}
	header, err := json.Marshal(l.State())
	if err != nil {
		t.Fatal(err)
	}
	var saved model.LateState
	if err := json.Unmarshal(header, &saved); err != nil {
		t.Fatal(err)
	}
	l, proc := testLate(t, limits)
	l.Duplicate = saved.Duplicate
	if o := l.Make(journal.DuplicateID, 0, proc); o == nil || o.Of != 2 || o.Offset != 2 || o.Score != 2 ||
		o.Time != 2000 {
		t.Errorf("%+v", o)
	}
}

// TestSince: an example waits since its event, or since its prediction where the event's clock is ahead.
func TestSince(t *testing.T) {
	t.Parallel()
	l, _ := testLate(t, labels.Limits{Wait: 1000, Examples: 10, Settled: 10})
	l.predictNumber(1, 1)
	l.predictNumber(9, 2)
	if first := l.Waiting.First(); first.Since != 1000 || l.Waiting.After(first).Since != 5000 {
		t.Errorf("since %d and %d", first.Since, l.Waiting.After(first).Since)
	}
}

// TestRefusedLabelWaitsOn: the model refuses a label, and the example waits on.
func TestRefusedLabelWaitsOn(t *testing.T) {
	t.Parallel()
	l, proc := testLate(t, labels.Limits{Wait: 1000, Examples: 10, Settled: 10})
	proc.Family = event.Boolean
	l.predictNumber(1, 1)
	record := &topics.Record{Offset: 3, Timestamp: 9000}
	label := &LabelRecord{Partition: 2, Record: record,
		Example: &event.Example{Label: 1, Family: event.PlusMinus, Weight: event.NoWeight}}
	k, known := l.Features(l.Waiting.First())
	if !known {
		t.Fatal("its features are not known")
	}
	_, rejected := l.MakeLabelled(l.Waiting.First(), k, label, proc)
	if rejected == nil || rejected.Reason != event.BadLabel {
		t.Errorf("%v", rejected)
	}
	label.Example.Family = event.Boolean
	k, known = l.Features(l.Waiting.First())
	o, rejected := l.MakeLabelled(l.Waiting.First(), k, label, proc)
	if !known || rejected != nil || o.Kind != journal.Labelled || o.Delay != 8000 || o.LabelPartition != 2 ||
		string(o.ID) != "1" || string(o.Key) != "k" || string(o.Label) != "true" {
		t.Errorf("%+v, %v", o, rejected)
	}
}

// TestNamesWithoutRecord: the names of what a label teaches are in the model, though of its event only the features are
// kept.
func TestNamesWithoutRecord(t *testing.T) {
	t.Parallel()
	l, proc := testLate(t, labels.Limits{Wait: 1e9, Examples: 1000, Settled: 10})
	l.memory = 16 << 10
	for seq := range int64(200) {
		l.predictNumber(seq+1, int(seq+1))
	}
	e := l.Waiting.First()
	for e.Seq < 199 {
		e = l.Waiting.After(e)
	}
	k, known := l.Features(e)
	if !known || k.Record.Value != nil {
		t.Fatalf("%v: the record %s is kept", known, k.Record.Value)
	}
	negative := &event.Example{Label: -1, Family: event.PlusMinus, Weight: event.NoWeight}
	o, rejected := l.MakeLabelled(e, k, &LabelRecord{Record: &topics.Record{}, Example: negative}, proc)
	if rejected != nil {
		t.Fatal(rejected)
	}
	l.Learn(o, proc)
	if top := proc.Top(model.Positive, 1); len(top) != 1 || top[0].Name != "x" {
		t.Errorf("%+v", top)
	}
}

// TestOthersThatWait: an outcome, and an event with its own label, know what waits for labels then.
func TestOthersThatWait(t *testing.T) {
	t.Parallel()
	l, proc := testLate(t, labels.Limits{Wait: 1e9, Examples: 10, Settled: 10})
	predicted := func(seq int64, label int8, p decision.Millionths) *model.Outcome {
		r := &topics.Record{Offset: seq, Value: fmt.Appendf(nil, `{"id":%d,"features":{"x":1}}`, seq)}
		var e event.Example
		arena := l.decoder.Decode(r, nil, &e)
		e.Label, e.Family = label, event.PlusMinus
		o := &model.Outcome{Prediction: int(seq % 2), Millionths: p, Calibrated: true}
		l.Predicted(&Predicted{Seq: seq, Outcome: o, Record: r, Example: &e, Features: e.Features(arena)})
		return o
	}
	for seq := range int64(4) {
		predicted(seq+1, 0, decision.Millionths(100_000*(seq+1)))
	}
	if w := predicted(5, 1, 500_000).Waiting; w != (decision.Waiting{Positives: 2, Millionths: 1_000_000}) {
		t.Errorf("with its own label: %+v", w)
	}
	e := l.Waiting.First()
	k, _ := l.Features(e)
	negative := &event.Example{Label: -1, Family: event.PlusMinus, Weight: event.NoWeight}
	o, rejected := l.MakeLabelled(e, k, &LabelRecord{Record: &topics.Record{}, Example: negative}, proc)
	if rejected != nil {
		t.Fatal(rejected)
	}
	l.Learn(o, proc)
	if w := l.Learned().Waiting; w != (decision.Waiting{Positives: 1, Millionths: 900_000}) {
		t.Errorf("with its outcome: %+v", w)
	}
}

// TestShareOfMemory: tasks share memory evenly, those that were there before a partition was added, too.
func TestShareOfMemory(t *testing.T) {
	t.Parallel()
	l, _ := testLate(t, labels.Limits{Wait: 1e9, Examples: 1000, Settled: 10})
	l.shared = new(atomic.Int64)
	for _, tasks := range []int64{1, 4} {
		l.shared.Store(tasks)
		l.predictNumber(tasks, int(tasks))
		if l.Cache.Limit != 1<<20/tasks || l.RecallRoom() != max(1<<20/tasks*3/8, recall.Least) {
			t.Errorf("of %d tasks, one has %d bytes, and reads back %d", tasks, l.Cache.Limit, l.RecallRoom())
		}
	}
}
