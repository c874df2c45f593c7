package stream

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// listJournal lists what it appends. Its fence is at offset 9 of each partition.
type listJournal struct {
	topics []topics.Topic
	refuse topics.Topic // of this topic it refuses record 1; Input is never appended to
	fence  topics.Fence
}

func (j *listJournal) Takeover(context.Context, topics.Producer) (*topics.Fence, error) {
	return &j.fence, nil
}
func (j *listJournal) Renew(context.Context, bool) (*topics.Fence, error) { return &j.fence, nil }
func (j *listJournal) Prove(context.Context) error                        { return nil }
func (j *listJournal) Owned(context.Context) error                        { return nil }

func (j *listJournal) Append(_ context.Context, batches []topics.Batch) error {
	for i := range batches {
		b := &batches[i]
		j.topics = append(j.topics, b.Topic)
		if b.Topic == j.refuse {
			return &topics.Refused{Batch: i, Index: 1}
		}
		b.End = 10 + int64(b.Records.Len())
	}
	return nil
}

func testWriter(t *testing.T) (*writer, *listJournal) {
	t.Helper()
	j := &listJournal{fence: topics.Fence{Output: []int64{9, 9}, DeadLetters: []int64{9}}}
	w := &writer{journal: j, flights: newFlightQueue(&topics.Topology{}, 100, false),
		saver: &saver{saves: make(chan *snapshot, 1)},
		ends:  topics.Ends{Output: []int64{0, 0}, DeadLetters: []int64{0}}, board: board.New("m")}
	return w, j
}

// testFlight has two dead letters, three predictions of partition 1, and a copy of the state.
func (w *writer) testFlight() *flight {
	f := <-w.flights.spare
	f.reset()
	dead, to := f.share(&f.deadLetters, 0, maxBatchBytes), f.share(&f.predictions, 1, maxBatchBytes)
	for i := range int64(5) {
		if i < 2 {
			dead.records.Append(0, nil, nil)
			dead.rejected = append(dead.rejected, topics.Place{Partition: 1, Offset: 100 + i})
		} else {
			to.records.Append(0, nil, nil)
		}
	}
	f.snap = &snapshot{floor: []int64{11}}
	return f
}

// TestWriteOrder: dead letters first, then predictions, then the copy, with the ends behind both; and never an end
// above a dead letter whose record is ahead.
func TestWriteOrder(t *testing.T) {
	t.Parallel()
	w, journal := testWriter(t)
	done, saved := make(chan error), make(chan struct{})
	w.saved = saved
	go func() { done <- w.run(t.Context()) }()
	w.flights.out <- w.testFlight()
	snap := <-w.saver.saves
	close(w.flights.out)
	if _, open := <-w.saver.saves; open {
		t.Error("the saver is not ended")
	}
	close(saved)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if want := []topics.Topic{topics.DeadLetters, topics.Output}; !slices.Equal(journal.topics, want) {
		t.Errorf("wrote to %v, want %v", journal.topics, want)
	}
	if e := snap.header.Ends; !slices.Equal(e.Output, []int64{10, 13}) || !slices.Equal(e.DeadLetters, []int64{11}) {
		t.Errorf("ends %v", e)
	}
	if !w.saver.renewed.Load() || w.board.Status().Acknowledged != 3 || len(w.flights.spare) != cap(w.flights.spare) {
		t.Error("the markers, the predictions or the flight were forgotten")
	}
}

// TestRefusedRecord: the refusal of a dead letter names the record of the input, and nothing goes out behind it.
func TestRefusedRecord(t *testing.T) {
	t.Parallel()
	for _, topic := range []topics.Topic{topics.DeadLetters, topics.Output} {
		w, journal := testWriter(t)
		journal.refuse = topic
		var r *refusedRecord
		err := w.write(t.Context(), w.testFlight())
		if dead := topic == topics.DeadLetters; err == nil || errors.As(err, &r) != dead ||
			dead && r.at != (topics.Place{Partition: 1, Offset: 101}) {
			t.Errorf("topic %d: %v", topic, err)
		}
		if len(w.saver.saves) > 0 {
			t.Error("a copy is saved whose predictions are not acknowledged")
		}
	}
}

// TestWriterEnds: the cause of the context's end, not what it brings about.
func TestWriterEnds(t *testing.T) {
	t.Parallel()
	w, _ := testWriter(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(time.Millisecond, func() { cancel(errGrace) })
	if err := w.run(ctx); !errors.Is(err, errGrace) {
		t.Error(err)
	}
}

// TestSavedEndsOfDeadLetters: a renewal moves the writer's ends to its markers, and yet no checkpoint has an end above
// a dead letter, found at the takeover, of an event or a label record that is ahead. The ends follow when the records
// are passed.
func TestSavedEndsOfDeadLetters(t *testing.T) {
	t.Parallel()
	_, fixed := benchChunk(t, 1, 4)
	st := benchState(t, fixed)
	st.Dead.Add(topics.Place{Partition: 0, Offset: 5}, state.DeadLetter{Offset: 3})
	st.Dead.Add(topics.Place{Partition: 0, Offset: 2}, state.DeadLetter{Offset: 6})
	st.Dead.Add(topics.Place{Topic: topics.Labels, Partition: 1, Offset: 7}, state.DeadLetter{Offset: 5})
	w, _ := testWriter(t)
	for at, want := range map[[2]int64]int64{{0, 9}: 3, {2, 9}: 3, {3, 9}: 3, {5, 9}: 3, {6, 9}: 10, {6, 7}: 5,
		{5, 7}: 3, {6, 8}: 10, {9, 0}: 5} {
		st.Positions[0], st.LabelPositions = at[0], []int64{0, at[1]}
		snap, err := newSnapshot(st)
		if err != nil {
			t.Fatal(err)
		}
		snap.begin(st, &state.Config{})
		f := <-w.flights.spare
		f.reset()
		f.snap = snap
		if err := w.write(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		w.flights.spare <- f
		if got := (<-w.saver.saves).header.Ends; got.DeadLetters[0] != want || got.Output[0] != 10 {
			t.Errorf("positions %d: saved ends %v, want the dead letters' at %d", at, got, want)
		}
	}
}
