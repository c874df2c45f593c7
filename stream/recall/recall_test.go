package recall

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// movingLog is an input of which retention deletes more with each look: starts are where it begins, one after the
// other.
type movingLog struct {
	starts []int64
	at     int // of starts
}

func (l *movingLog) Topology(context.Context) (*topics.Topology, error) {
	top := &topics.Topology{Input: topics.TopicState{Partitions: []topics.Bounds{{Start: l.starts[l.at], End: 100}}}}
	l.at = min(l.at+1, len(l.starts)-1) // right behind the look
	return top, nil
}

func (l *movingLog) Open(_ topics.Topic, _ int32, from int64) topics.Reader {
	return &movingReader{l, from}
}

type movingReader struct {
	log  *movingLog
	next int64
}

func (r *movingReader) Read(_ context.Context, run *topics.Run, _ int) error {
	if start := r.log.starts[r.log.at]; r.next < start {
		return stops.InputGoneAt("in", 0, r.next, start)
	}
	run.Records = append(run.Records, topics.Record{Offset: r.next, Value: []byte("x")})
	r.next++
	run.Next = r.next
	return nil
}

// TestRetentionMovesOn: records are deleted while events are read back, and more behind the look at what is left. Those
// that are there are read, the others are gone.
func TestRetentionMovesOn(t *testing.T) {
	t.Parallel()
	var events []Event
	for i := range int64(50) {
		events = append(events, Event{Seq: i, Offset: i, Now: true})
	}
	log := &movingLog{starts: []int64{5, 10, 20, 40}}
	if err := Read(t.Context(), log, events, 1<<20); err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if there := e.Record != nil; there != (e.Offset >= 40) {
			t.Errorf("offset %d is there: %v", e.Offset, there)
		}
	}
}

// TestRoom: beyond the room only events are read back that outcomes wait for, and those that are passed over are
// not taken for gone.
func TestRoom(t *testing.T) {
	t.Parallel()
	var events []Event
	for i := range int64(6) {
		events = append(events, Event{Seq: i, Offset: 2 * i, Now: i == 4})
	}
	value := []byte("123456789")
	x := reader{room: 2 * Size(&topics.Record{Value: value})}
	left := events
	for offset := range int64(20) {
		if offset != 2 { // it is gone
			left = x.keep(&topics.Record{Offset: offset, Value: value}, left)
		}
	}
	got := ""
	for i := range events {
		got += fmt.Sprint(events[i].Record != nil, events[i].Passed, " ")
	}
	if want := "true false false false true false false true true false false true "; got != want || len(left) > 0 {
		t.Errorf("kept and passed %s, want %s; %d are left", got, want, len(left))
	}
}

// TestKeep: what is kept of a record is all of it, a null apart from what has no bytes, and no part of its memory.
func TestKeep(t *testing.T) {
	t.Parallel()
	for _, r := range []topics.Record{
		{Offset: 7, Timestamp: 8, Key: []byte("key"), Value: []byte("value"), Headers: []byte("\x02\x02h\x02x")},
		{Value: []byte{}},
		{Key: []byte{}, Headers: []byte("\x02\x02h\x01")},
	} {
		kept := Keep(&r)
		if want := fmt.Sprintf("%#v", r.Key); fmt.Sprintf("%#v", kept.Key) != want {
			t.Errorf("the key is %#v, want %s", kept.Key, want)
		}
		if !bytes.Equal(kept.Value, r.Value) || !bytes.Equal(kept.Headers, r.Headers) || kept.Offset != r.Offset ||
			kept.Timestamp != r.Timestamp {
			t.Errorf("kept %+v of %+v", kept, r)
		}
		for _, b := range [][]byte{r.Key, r.Value, r.Headers} {
			clear(b)
		}
		if len(r.Headers) > 0 && kept.Headers[2] != 'h' {
			t.Error("the memory of the headers is shared")
		}
	}
}

// awaitingLog is a log of events that name their schemas.
type awaitingLog struct {
	movingLog
	asked map[int64]bool // by offset
}

func (l *awaitingLog) AwaitSchema(_ context.Context, _ int32, r *topics.Record) error {
	l.asked[r.Offset] = true
	return nil
}

// TestSchemasOfEvents: the schemas are waited for of events that are read back, and of no other records.
func TestSchemasOfEvents(t *testing.T) {
	t.Parallel()
	log := &awaitingLog{movingLog{starts: []int64{0}}, map[int64]bool{}}
	events := []Event{{Seq: 1, Offset: 3, Now: true}, {Seq: 2, Offset: 7, Now: true}}
	if err := Read(t.Context(), log, events, 1<<20); err != nil {
		t.Fatal(err)
	}
	if len(log.asked) != 2 || !log.asked[3] || !log.asked[7] {
		t.Errorf("%v", log.asked)
	}
}
