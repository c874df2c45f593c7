package stream_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/streamtest"
)

// hourAgo is a time that no merge waits for.
func hourAgo() int64 { return time.Now().Add(-time.Hour).UnixMilli() }

// withoutLabels are events without a label, with the ids e0, e1 ...
func withoutLabels(n int) (values []string) {
	for i := range n {
		values = append(values, fmt.Sprintf(`{"id":"e%d","features":{"x":%d,"y":1}}`, i, i-n/2))
	}
	return values
}

func labelFor(i, label int) string { return fmt.Sprintf(`{"id":"e%d","label":%d}`, i, label) }

// reasonsOf are the reasons of a setup's dead letters by the topic of the record and its place.
func reasonsOf(t *testing.T, s *streamtest.Setup) map[string]event.Reason {
	t.Helper()
	reasons := map[string]event.Reason{}
	for _, r := range rawDeadLetters(t, s) {
		l, ok := journal.ParseDeadLetter(&r)
		at := fmt.Sprintf("%s/%d@%d", l.Topic, l.Partition, l.Offset)
		if _, twice := reasons[at]; !ok || twice || l.Output != s.Output() {
			t.Errorf("%s is dead-lettered twice, or its dead letter is no one's: %+v", at, l)
		}
		reasons[at] = l.Reason
	}
	return reasons
}

// badLabels are label records with the reasons for which they are rejected.
var badLabels = []struct {
	value  string
	reason event.Reason
}{
	{"", event.Empty}, {"null", event.Empty}, {"{", event.Syntax}, {"7", event.Syntax}, {`["e1",1]`, event.Syntax},
	{"\xff", event.Encoding}, {`{"label":1}`, event.NoID}, {`{"id":null,"label":1}`, event.NoID},
	{`{"id":"e1"}`, event.NoLabel}, {`{"id":"e1","label":null}`, event.NoLabel},
	{`{"id":"e1","label":"yes"}`, event.BadLabel}, {`{"id":"e1","label":2}`, event.BadLabel},
	{`{"id":"e1","label":[1]}`, event.BadLabel},
	{`{"id":"e1","label":1,"weight":-1}`, event.BadWeight}, {`{"id":"e1","label":1,"weight":"7"}`, event.BadWeight},
	{`{"id":"e1","label":1,"weight":1e31}`, event.OutOfRange},
	{`{"id":"e1","id":"e1","label":1}`, event.DuplicateField},
	{`{"id":7,"label":1}`, event.NoExample}, {`{"id":"nobody","label":1}`, event.NoExample},
	{`{"id":` + streamtest.LongID(1<<19) + `,"label":1}`, event.NoExample},
	{`{"id":` + streamtest.LongID(1<<20) + `,"label":1}`, event.TooLarge},
}

// TestBadLabels: each is dead-lettered with its reason and topic, nothing is learned of it, and a recovery finds it.
func TestBadLabels(t *testing.T) {
	t.Parallel()
	s := streamtest.NewLater(t, streamtest.Start(t), 2, 3)
	s.Cluster.SetConfig(t, s.Kafka.Labels, "max.message.bytes", "4194304")
	began := hourAgo()
	s.Cluster.ProduceAt(t, s.Name, 1, began, append(withoutLabels(10), `{"id":"7","features":{"x":1}}`)...)
	s.MustRun(t)
	old := t.TempDir()
	if err := os.CopyFS(old, os.DirFS(s.Dir)); err != nil {
		t.Fatal(err)
	}
	want := map[string]event.Reason{}
	for i, l := range badLabels {
		want[fmt.Sprintf("%s/%d@%d", s.Kafka.Labels, i%3, i/3)] = l.reason
		s.Cluster.ProduceAt(t, s.Kafka.Labels, i%3, began+60_000, l.value)
	}
	before := s.MustRun(t).Status()
	check := func(st *board.Status) {
		t.Helper()
		got := reasonsOf(t, s)
		for at, reason := range want {
			if got[at] != reason {
				t.Errorf("%s is rejected as %q, want %q", at, got[at], reason)
			}
		}
		l := st.Counts.Labels
		if len(got) != len(want) || learned(st) != 0 || st.Score.Updates != 0 || st.Counts.Read != 11 ||
			len(st.Counts.Rejected) != 0 || l.Read != int64(len(want)) || l.Rejected["no-example"] != 3 {
			t.Errorf("%d dead letters, %+v, %+v, %+v", len(got), st.Score, st.Counts, l)
		}
	}
	check(before)
	if r := before.Late.Rejects; r.InRow != int64(len(want)) || r.Bad != len(want) || r.Of != r.Bad || r.Advice == "" {
		t.Errorf("rejects %+v", r)
	}
	s.Dir = old // killed before it saved
	check(s.MustRun(t).Status())
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, began+120_000, labelFor(1, 1), `{"id":"7","label":-1}`)
	st := s.MustRun(t).Status()
	if r := st.Late.Rejects; r.InRow != 0 || r.Of != 2 {
		t.Errorf("rejects %+v", r)
	}
	if learned(st) != 2 || st.Counts.Labels.Outcomes["labelled"] != 2 {
		t.Errorf("the examples did not wait on: %+v, %+v", st.Score, st.Counts.Labels)
	}
}

// TestLabelsOfAnotherKind: where ids of one side are numbers and those of the other text, that is what the log and the
// page advise; where only one label is so, it is not.
func TestLabelsOfAnotherKind(t *testing.T) {
	t.Parallel()
	for ids, apart := range map[string]bool{`7,8`: true, `"e1",7`: false, `"a","b"`: false,
		`7,"e1","x"`: false} {
		s := streamtest.NewLater(t, streamtest.Start(t), 1, 1)
		began := hourAgo()
		s.Cluster.ProduceAt(t, s.Name, 0, began, withoutLabels(5)...)
		for id := range strings.SplitSeq(ids, ",") {
			s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, began+60_000, `{"id":`+id+`,"label":1}`)
		}
		r := s.MustRun(t).Status().Late.Rejects
		if r.Last != event.NoExample || strings.Contains(r.Advice, "--ids text") != apart {
			t.Errorf("%s: %+v", ids, r)
		}
	}
}

// TestLabelsOfAnotherFamily: with the first label the family is known; a label of another one, a conflicting one and
// one that is late are dead letters, an equal one is counted.
func TestLabelsOfAnotherFamily(t *testing.T) {
	t.Parallel()
	s := streamtest.NewLater(t, streamtest.Start(t), 1, 1)
	s.Config.Labels.Wait = 60_000
	began := hourAgo()
	s.Cluster.ProduceAt(t, s.Name, 0, began, withoutLabels(5)...)
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, began+20_000, labelFor(0, 0), labelFor(1, -1),
		`{"id":"e1","label":true}`, labelFor(1, 1), labelFor(0, 0), labelFor(0, 1))
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, began+200_000, "null", labelFor(2, 1)) // time passes with the first
	st := s.MustRun(t).Status()
	at := func(offset int) string { return fmt.Sprintf("%s/0@%d", s.Kafka.Labels, offset) }
	got, want := reasonsOf(t, s), map[string]event.Reason{at(1): event.BadLabel, at(2): event.BadLabel,
		at(5): event.ConflictingLabel, at(6): event.Empty, at(7): event.LateLabel}
	for place, reason := range want {
		if got[place] != reason {
			t.Errorf("%s is rejected as %q, want %q", place, got[place], reason)
		}
	}
	l := st.Counts.Labels
	if len(got) != len(want) || learned(st) != 2 || l.Repeats != 1 || l.Outcomes["labelled"] != 2 ||
		l.Outcomes["expired"] != 3 || l.Read != 8 {
		t.Errorf("%v, %+v, %+v", got, st.Score, l)
	}
}

// TestOverflowAtTheLabel: a label that the model cannot learn is a dead letter, and its example waits for another one.
func TestOverflowAtTheLabel(t *testing.T) {
	t.Parallel()
	s := streamtest.NewLater(t, streamtest.Start(t), 1, 1)
	s.Config.ModelConfig.Learner.Scale = "none"
	began := hourAgo()
	var values, huge []string
	for i := range 12 { // each adds a weight of 1e30 times 1e30
		values = append(values, fmt.Sprintf(`{"id":"e%d","features":{"x":1e30}}`, i))
		huge = append(huge, fmt.Sprintf(`{"id":"e%d","label":%d,"weight":1e30}`, i, 1-2*(i%2)))
	}
	s.Cluster.ProduceAt(t, s.Name, 0, began, values...)
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, began+20_000, huge...)
	st := s.MustRun(t).Status()
	for at, reason := range reasonsOf(t, s) {
		if reason != event.Overflow {
			t.Errorf("%s is rejected as %q", at, reason)
		}
	}
	l := st.Counts.Labels
	if l.Rejected["overflow"]+l.Outcomes["labelled"] != 12 || l.Outcomes["labelled"] == 0 {
		t.Errorf("%+v", l)
	}
}

// TestSkippedTombstonesOfLabels: null label records are passed by as null events are; they move label time.
func TestSkippedTombstonesOfLabels(t *testing.T) {
	t.Parallel()
	s := streamtest.NewLater(t, streamtest.Start(t), 1, 1)
	s.Config.ModelConfig.Decode.Tombstones, s.Config.ModelConfig.Late.Decode.Tombstones = "skip", "skip"
	s.Config.Labels.Wait = 60_000
	began := hourAgo()
	s.Cluster.ProduceAt(t, s.Name, 0, began, withoutLabels(3)...)
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, began+1000, "null", labelFor(1, 1))
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, began+100_000, "null")
	st := s.MustRun(t).Status()
	l := st.Counts.Labels
	if n := len(rawDeadLetters(t, s)); n != 0 || l.Tombstones != 2 || l.Outcomes["expired"] != 2 || l.Read != 3 {
		t.Errorf("%d dead letters, %+v", n, l)
	}
}

// TestBadLabelsAreLogged: the first for each reason, with what to do about it.
func TestBadLabelsAreLogged(t *testing.T) {
	t.Parallel()
	s, log := streamtest.NewLater(t, streamtest.Start(t), 1, 1), new(lockedBuffer)
	s.Adjust = func(task *stream.Task) { task.Logger = zerolog.New(log) }
	s.Cluster.ProduceAt(t, s.Name, 0, hourAgo(), withoutLabels(3)...)
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, hourAgo()+10_000, `{"label":1}`, `{"label":1}`, "{")
	s.MustRun(t)
	text := log.text()
	if strings.Count(text, "a label is rejected, the first for this reason") != 2 ||
		!strings.Contains(text, "--labels-id-field") || !strings.Contains(text, "send one json object as each label") ||
		!strings.Contains(text, `"labels":1,"reasons":{"no-id":1}`) || strings.Contains(text, "an event is rejected") {
		t.Error(text)
	}
}
