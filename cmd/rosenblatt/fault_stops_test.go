package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// signal sends a signal to the program.
func (p *process) signal(t *testing.T, sig syscall.Signal) {
	t.Helper()
	if err := p.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	if sig == syscall.SIGKILL {
		<-p.done
	}
}

// ended waits for the end of a run that ends well.
func (p *process) ended(t *testing.T) {
	t.Helper()
	if code := p.exit(t, time.Minute); code != 0 {
		t.Fatalf("exit %d:\n%s", code, p.tail())
	}
}

// bounds requests the bounds of the setup's topics.
func bounds(t *testing.T, s *streamtest.Setup) *topics.Topology {
	t.Helper()
	top, err := s.Client(t).Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// TestFaultRecordsDeleted: records are deleted beyond the position of a daemon that sleeps. It stops and names both
// offsets, so does the next start, and with --accept it goes on at the log's start (row 28).
func TestFaultRecordsDeleted(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	supply(t, s, 400, 1)
	s.Gone = [][]topics.Record{streamtest.Read(t, s.Client(t), topics.Input, 0, bounds(t, s).Input.Partitions[0])}
	p := start(t, s, s.Dir)
	p.caughtUp(t, 400)
	p.signal(t, syscall.SIGSTOP)
	time.Sleep(time.Second) // the fetch that waits at the broker ends with nothing after 0.4 s
	supply(t, s, 400, 2)
	s.Cluster.DeleteRecords(t, s.Name, 0, 600)
	p.signal(t, syscall.SIGCONT)
	p.stopped(t, stops.InputGone, "400", "600", "--accept input-gone")
	start(t, s, s.Dir).stopped(t, stops.InputGone, "400", "600", "--accept input-gone")
	start(t, s, s.Dir, "--accept", stops.InputGone, "--until-end").ended(t)
	if o := exact(t, s, s.Dir); len(o.Predictions)+len(o.DeadLetters) != 600 {
		t.Errorf("%d predictions and %d dead letters of 600 records", len(o.Predictions), len(o.DeadLetters))
	}
}

// TestFaultTopicRecreated: the input is deleted and recreated under a running daemon, and is longer than the position
// before the daemon looks again. It stops, so does the next start, and with --accept it begins at the new topic's start
// (row 29).
func TestFaultTopicRecreated(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	supply(t, s, 200, 1)
	p := start(t, s, s.Dir)
	p.caughtUp(t, 200)
	p.signal(t, syscall.SIGSTOP)
	s.Cluster.Recreate(t, s.Name, 1)
	supply(t, s, 500, 2)
	p.signal(t, syscall.SIGCONT)
	p.stopped(t, stops.TopicChanged, "deleted and created again")
	start(t, s, s.Dir).stopped(t, stops.TopicChanged, "--accept topic-changed")
	start(t, s, s.Dir, "--accept", stops.TopicChanged, "--until-end").ended(t)
	predictions := published(t, s)
	if len(predictions) != 196+490 || predictions[196].Offset != 0 || predictions[len(predictions)-1].Offset != 499 {
		t.Errorf("%d predictions, the first one after the change to offset %d", len(predictions),
			predictions[196].Offset)
	}
}

// published reads the predictions of partition 0 and checks that their seq has no hole.
func published(t *testing.T, s *streamtest.Setup) (all []journal.Prediction) {
	t.Helper()
	for _, r := range streamtest.Read(t, s.Client(t), topics.Output, 0, bounds(t, s).Output.Partitions[0]) {
		a, err := journal.ParsePrediction(r.Value)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(all); n > 0 && a.Seq != all[n-1].Seq+1 {
			t.Fatalf("seq %d after %d", a.Seq, all[n-1].Seq)
		}
		all = append(all, a)
	}
	return all
}

// TestFaultJournalTailGone: a daemon is killed with predictions that no checkpoint holds, and the output's retention
// deletes them. The next start names both offsets; with --accept the records since the checkpoint are predicted again
// (row 45).
func TestFaultJournalTailGone(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	supply(t, s, 300, 1)
	start(t, s, s.Dir, "--until-end").ended(t)
	p := start(t, s, s.Dir, "--checkpoint-interval", "1h")
	p.await(t, "it is live", func(s daemonStatus) bool { return s.State == board.Live })
	supply(t, s, 100, 2)
	p.await(t, "a checkpoint a second later", func(s daemonStatus) bool {
		return s.Read == 400 &&
			s.Checkpoint.Seq == s.Seq
	})
	saved, before := p.status(t).Seq, bounds(t, s).Output.Partitions[0].End
	supply(t, s, 200, 3)
	p.caughtUp(t, 600)
	streamtest.Await(t, "the last predictions, acknowledged",
		func() bool { return bounds(t, s).Output.Partitions[0].End >= before+196 })
	p.signal(t, syscall.SIGKILL)
	end := bounds(t, s).Output.Partitions[0].End
	s.Cluster.SetConfig(t, s.Output(), "retention.ms", "1")
	streamtest.Await(t, "retention", func() bool { return bounds(t, s).Output.Partitions[0].Start >= end })
	s.Cluster.SetConfig(t, s.Output(), "retention.ms", "-1")
	start(t, s, s.Dir).stopped(t, stops.JournalGone, fmt.Sprint(end), "--accept journal-gone")
	start(t, s, s.Dir, "--accept", stops.JournalGone, "--until-end").ended(t)
	predictions := published(t, s)
	if len(predictions) != 196 || predictions[0].Seq != saved+1 || predictions[0].Offset != 400 {
		t.Errorf("%d predictions from seq %d (%d was saved) on, the first to offset %d", len(predictions),
			predictions[0].Seq, saved, predictions[0].Offset)
	}
}

// TestFaultSettingsChanged: other settings than the checkpoint's are refused with the difference, what may change takes
// effect with --accept (row 50).
func TestFaultSettingsChanged(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	supply(t, s, 100, 1)
	start(t, s, s.Dir, "--until-end").ended(t)
	start(t, s, s.Dir, "--bits", "13").stopped(t, stops.ConfigDiffers, "bits was 12, is 13", "start a new model")
	start(t, s, s.Dir, "--bits", "13", "--accept", "config").stopped(t, stops.ConfigDiffers)
	start(t, s, s.Dir, "--learner", "perceptron:rate=0.5").stopped(t, stops.ConfigDiffers, "rate was 1, is 0.5",
		"--accept config")
	start(t, s, s.Dir, "--until-end").ended(t)
	exact(t, s, s.Dir)
	start(t, s, s.Dir, "--learner", "perceptron:rate=0.5", "--accept", "config", "--until-end").ended(t)
}

// TestFaultCheckpointDamaged: a flipped bit, a file cut short and an empty one are set aside, and the checkpoint before
// is brought up to date from the journal, exactly (rows 6 and 7). Of the files set aside the newest three are kept.
// With none whole it stops (row 8).
func TestFaultCheckpointDamaged(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	for i, damage := range []func([]byte) []byte{
		func(b []byte) []byte { b[len(b)/2] ^= 4; return b },
		func(b []byte) []byte { return b[:len(b)-9] },
		func([]byte) []byte { return nil },
		func(b []byte) []byte { b[0] ^= 1; return b },
	} {
		supply(t, s, 100, uint64(i))
		start(t, s, s.Dir, "--until-end").ended(t)
		supply(t, s, 100, uint64(10+i))
		start(t, s, s.Dir, "--until-end").ended(t)
		damageCheckpoint(t, s, true, damage)
		start(t, s, s.Dir, "--until-end").ended(t)
		exact(t, s, s.Dir)
	}
	if aside, err := filepath.Glob(filepath.Join(s.Dir, s.Name, "*.corrupt")); err != nil || len(aside) != 3 {
		t.Errorf("set aside: %v %v", aside, err)
	}
	damageCheckpoint(t, s, false, func(b []byte) []byte { b[len(b)/3] ^= 1; return b })
	start(t, s, s.Dir).stopped(t, stops.StateInvalid, "--accept state-invalid,state-missing")
}

// damageCheckpoint damages the newest checkpoint, or all of them.
func damageCheckpoint(t *testing.T, s *streamtest.Setup, newest bool, damage func([]byte) []byte) {
	t.Helper()
	seq, _ := newestSeq(t, s)
	pattern := "checkpoint-*[0-9]"
	if newest {
		pattern = fmt.Sprintf("checkpoint-%d", seq)
	}
	files, err := filepath.Glob(filepath.Join(s.Dir, s.Name, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no checkpoints: %v", err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, damage(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
