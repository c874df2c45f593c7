package journal_test

import (
	"context"
	"encoding/binary"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// written is a dead letter as it is read back from a batch.
func written(t *testing.T, w journal.DeadLetterWriter, x journal.Rejection) *topics.Record {
	t.Helper()
	b := &recordbatch.Builder{Limit: 1 << 20}
	if !w.Append(b, 1, x, false) {
		t.Fatal("it does not fit")
	}
	raw, err := b.Seal(1, 0, 0, recordbatch.None)
	if err != nil {
		t.Fatal(err)
	}
	batch, _, err := recordbatch.Next(raw)
	if err != nil {
		t.Fatal(err)
	}
	records, err := new(recordbatch.Unpacker).Open(&batch)
	if err != nil {
		t.Fatal(err)
	}
	r := new(topics.Record)
	if !records.Next(r) {
		t.Fatal(records.Err())
	}
	return r
}

// TestDeadLetter: what is written is read back; of a record that is rejected twice the last rejection counts.
func TestDeadLetter(t *testing.T) {
	w := journal.DeadLetterWriter{Model: journal.ModelAt("m", 7), Output: "out"}
	first := written(t, w, journal.Rejection{Topic: "in", Partition: 3, Record: &topics.Record{Offset: 41},
		Why: event.NewError(event.Syntax, "")})
	want := journal.DeadLetter{Reason: event.Syntax, Topic: "in", Partition: 3, Offset: 41, Model: "m@7", Output: "out"}
	if l, ok := journal.ParseDeadLetter(first); !ok || l != want {
		t.Errorf("%v %+v", ok, l)
	}
	first.Offset = 1
	second := written(t, w, journal.Rejection{Topic: "in", Record: first, Why: event.NewError(event.Overflow, "")})
	want = journal.DeadLetter{Reason: event.Overflow, Topic: "in", Offset: 1, Model: "m@7", Output: "out"}
	if l, ok := journal.ParseDeadLetter(second); !ok || l != want {
		t.Errorf("%v %+v", ok, l)
	}
	if _, ok := journal.ParseDeadLetter(new(topics.Record)); ok {
		t.Error("a record without headers is no dead letter")
	}
}

// rawHeaders encodes headers as a record has them.
func rawHeaders(headers [][2]string) []byte {
	raw := binary.AppendVarint(nil, int64(len(headers)))
	for _, h := range headers {
		for _, part := range h {
			raw = append(binary.AppendVarint(raw, int64(len(part))), part...)
		}
	}
	return raw
}

// TestReasonOfALaterVersion: a reason that this version does not know is internal.
func TestReasonOfALaterVersion(t *testing.T) {
	headers := [][2]string{{"rosenblatt.reason", "of-a-later-version"}, {"rosenblatt.topic", "in"},
		{"rosenblatt.partition", "0"}, {"rosenblatt.offset", "1"}, {"rosenblatt.model", "m@7"}}
	l, ok := journal.ParseDeadLetter(&topics.Record{Headers: rawHeaders(headers)})
	if !ok || l.Reason != event.Internal {
		t.Errorf("%v %v", ok, l.Reason)
	}
}

// list is records as journal.DeadLetters reads them.
type list []*topics.Record

func (l *list) Head(context.Context) (*topics.Record, error) {
	if len(*l) == 0 {
		return nil, nil
	}
	return (*l)[0], nil
}

func (l *list) Take() { *l = (*l)[1:] }

// TestDeadLettersOfTwoTopics: a task's own dead letters are of its events and of its label records.
func TestDeadLettersOfTwoTopics(t *testing.T) {
	w := journal.DeadLetterWriter{Model: journal.ModelAt("m", 7), Output: "out"}
	for labels, want := range map[string]int{"lb": 2, "other": 1, "": 1} {
		var l list
		for _, topic := range []string{"in", "lb", "third"} {
			l = append(l, written(t, w, journal.Rejection{Topic: topic, Record: &topics.Record{Offset: 5},
				Why: event.NewError(event.NoID, "")}))
		}
		n := 0
		for d, err := range journal.DeadLetters(t.Context(), &l,
			journal.Writer{Model: "m", Input: "in", Output: "out", Labels: labels}) {
			if n++; err != nil || d.Reason != event.NoID || d.Topic != "in" && d.Topic != "lb" {
				t.Errorf("%+v, %v", d, err)
			}
		}
		if n != want {
			t.Errorf("with the labels %q: %d dead letters, want %d", labels, n, want)
		}
	}
}

// TestModelAt: a model's name may hold an @.
func TestModelAt(t *testing.T) {
	at := journal.ModelAt("a@b", 3)
	if !journal.IsModel(at, "a@b") || journal.IsModel(at, "a") || journal.EpochOf(at) != 3 {
		t.Error(at)
	}
	if journal.EpochOf("m@x") != 0 || journal.IsModel("m", "m") {
		t.Error("no name@epoch")
	}
}
