package stream_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// together is a log whose partitions of the output are read only while all of them are.
type together struct {
	topics.Log
	begun sync.WaitGroup
}

func (l *together) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := l.Log.Open(topic, partition, from)
	if topic == topics.Output {
		return &togetherReader{Reader: r, begin: sync.OnceFunc(l.begun.Done), all: &l.begun}
	}
	return r
}

type togetherReader struct {
	topics.Reader
	begin func()
	all   *sync.WaitGroup
}

func (r *togetherReader) Read(ctx context.Context, run *topics.Run, most int) error {
	r.begin()
	all := make(chan struct{})
	go func() { r.all.Wait(); close(all) }()
	select {
	case <-all:
		return r.Reader.Read(ctx, run, most)
	case <-time.After(time.Minute):
		return errors.New("partitions are read one after the other")
	}
}

// TestHistoryIsReadSideBySide: a start without a checkpoint reads all partitions at once, where only markers are. A
// wait for each in turn would take seconds in a wide topic.
func TestHistoryIsReadSideBySide(t *testing.T) {
	t.Parallel()
	const partitions = 3
	s := streamtest.New(t, streamtest.Start(t), partitions)
	s.MustRun(t)
	s.Dir = t.TempDir()
	s.Wrap = func(l topics.Log) topics.Log {
		log := &together{Log: l}
		log.begun.Add(partitions)
		return log
	}
	s.MustRun(t)
}
