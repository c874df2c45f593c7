package stream_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// TestFolderOfBefore: a model is begun anew elsewhere, and its old folder has a higher seq than the checkpoint topic.
// The stop says that the topic has another checkpoint, which is used once the folder's are away.
func TestFolderOfBefore(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	old := s.Dir
	produceTo(t, s, 1, 300, 1)
	s.MustRun(t)

	s.Dir, s.State = t.TempDir(), s.Name+".checkpoints2"
	s.Cluster.Topic(t, s.State, 1, "cleanup.policy", "compact")
	s.Config.Accept = []string{stops.StateMissing}
	s.Config.Start = []int64{300}
	produceTo(t, s, 1, 100, 2)
	seq := s.MustRun(t).Status().Seq

	s.Dir, s.Config.Accept = old, nil
	wantStop(t, s, stops.JournalDiffers, fmt.Sprintf("holds one of seq %d, epoch 1", seq), filepath.Join(old, s.Name))
	loseFolder(t, s)
	if st := s.MustRun(t).Status(); st.Seq != seq || st.Epoch != 2 {
		t.Errorf("seq %d, epoch %d", st.Seq, st.Epoch)
	}
}
