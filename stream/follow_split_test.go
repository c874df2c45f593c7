package stream_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"rosenblatt/stream/board"
	"rosenblatt/stream/topics"
)

// readLog notes which partitions are read.
type readLog struct {
	topics.Log
	mu   sync.Mutex
	read map[string]bool
}

func (l *readLog) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	return &notedReader{l.Log.Open(topic, partition, from), l, fmt.Sprint(topic, "/", partition)}
}

type notedReader struct {
	topics.Reader
	log  *readLog
	name string
}

func (r *notedReader) Read(ctx context.Context, run *topics.Run, most int) error {
	r.log.mu.Lock()
	r.log.read[r.name] = true
	r.log.mu.Unlock()
	return r.Reader.Read(ctx, run, most)
}

// TestFollowSplit: a follower of one partition's model reads that partition alone. Those of the other models are read
// in the same process, and readers of one partition hold each other up.
func TestFollowSplit(t *testing.T) {
	t.Parallel()
	_, tasks := split(t, 3, 50)
	s := tasks[1]
	a := member(t, s, s.Dir)
	a.rounds <- 1
	log := &readLog{read: map[string]bool{}}
	s.Wrap = func(l topics.Log) topics.Log { log.Log = l; return log }
	b := member(t, s, t.TempDir())
	a.await(t, board.Live, 49)
	b.await(t, board.Following, 49)
	s.Cluster.Produce(t, s.Name, 1, events(9, 50)...)
	a.await(t, board.Live, 98)
	b.await(t, board.Following, 98)
	log.mu.Lock()
	got := slices.Sorted(maps.Keys(log.read))
	log.mu.Unlock()
	var want []string
	for _, topic := range []topics.Topic{topics.Input, topics.Output, topics.DeadLetters} {
		want = append(want, fmt.Sprint(topic, "/1"))
	}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("it reads %v, want %v", got, want)
	}
}
