package stream_test

import (
	"os"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/stream/streamtest"
)

func TestReviewDiag(t *testing.T) {
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Log = zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr, TimeFormat: "05.000"}).With().Timestamp().Logger()
	task, stop, done := live(t, s)
	s.Cluster.Produce(t, s.Name, 0, events(1, 10)...)
	streamtest.Await(t, "ten records", func() bool { return task.Status().Counts.Read == 10 })
	t.Logf("acknowledged %d", task.Status().Acknowledged)
	s.Cluster.SetConfig(t, s.Answers(), "max.message.bytes", "1000")
	s.Cluster.Produce(t, s.Name, 0, `{"label":-1,"x":1}`, `{"id":"`+strings.Repeat("y", 2000)+`","label":1,"x":1}`, `{"label":1,"x":2}`)
	streamtest.Await(t, "the rest", func() bool {
		select {
		case err := <-done:
			t.Fatal(err)
		default:
		}
		return task.Status().Counts.Read == 13 && task.Status().State == "live"
	})
	t.Logf("acknowledged %d", task.Status().Acknowledged)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	t.Logf("acknowledged %d counts %+v", task.Status().Acknowledged, task.Status().Counts)
	for i, r := range streamtest.Read(t, s.Client(t), 1, 0, boundsOf(t, s).Answers.Partitions[0]) {
		t.Logf("%d %d %.80s", i, r.Offset, r.Value)
	}
}
