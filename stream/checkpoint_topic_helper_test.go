package stream_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/streamtest"
)

// withTopic gives a setup a checkpoint topic.
func withTopic(t *testing.T, s *streamtest.Setup) *streamtest.Setup {
	t.Helper()
	s.State = s.Name + ".checkpoints"
	s.Cluster.Topic(t, s.State, 1, "cleanup.policy", "compact")
	return s
}

// loseFolder removes the state folder.
func loseFolder(t *testing.T, s *streamtest.Setup) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(s.Dir, s.Name)); err != nil {
		t.Fatal(err)
	}
}

// produceTo produces as many events to each partition.
func produceTo(t *testing.T, s *streamtest.Setup, partitions, n int, seed uint64) {
	t.Helper()
	for p := range partitions {
		s.Cluster.Produce(t, s.Name, p, events(10*seed+uint64(p), n)...)
	}
}

// needsFake skips a test of faults that only kfake can be made to cause.
func needsFake(t *testing.T) {
	t.Helper()
	if streamtest.Real() {
		t.Skip("this fault is made by kfake; not run with " + streamtest.EnvBrokers)
	}
}

// failSave answers the next n requests that write to the checkpoint topic with an error; all of them if n is -1.
func failSave(s *streamtest.Setup, err *kerr.Error, n int) *kfake.FaultHandle {
	return s.Cluster.Fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Topic: s.State, Err: err, Count: n})
}
