package stream_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// TestLateJournal: the journal of a daemon that crashed again and again is sound, and who follows it has the daemon's
// score.
func TestLateJournal(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 29))
			s := lateSetup(t, 3, 2, 2)
			newLateStream(seed, 600, 3, 2).produce(t, s)
			s.Config.BatchRecords, s.Config.CheckpointEvery = 20, 50
			s.Config.CheckpointInterval = time.Millisecond
			if seed == 1 {
				s.Config.ModelConfig.Late.Assume = "-1"
			}
			for range 6 {
				p := &plug{}
				p.left.Store(int64(r.IntN(60)))
				s.Adjust = func(task *stream.Task) { task.Journal = pluggedJournal{task.Journal, p} }
				if _, err := s.Run(t); err != nil && !errors.Is(err, errPlug) {
					t.Fatal(err)
				}
			}
			s.Adjust = nil
			s.MustRun(t)
			a := auditLate(t, s)

			proc, err := s.Config.NewProcessor()
			if err != nil {
				t.Fatal(err)
			}
			found, err := verify.Audit{Log: s.Client(t), Model: s.Name, Labels: *s.Config.Labels,
				From: verify.Start{Processor: proc, Config: s.Config.ModelConfig}}.Run(t.Context())
			if err != nil || !found.OK() {
				t.Fatalf("verify: %v, %+v", err, found)
			}

			follower, result := followLate(t, s)
			if got, want := follower.Score, a.proc.Score; !reflect.DeepEqual(got, want) {
				t.Errorf("replay has %+v, the daemon %+v", follower.Report(), a.proc.Report())
			}
			if result.Labels.Waiting != int64(len(a.waiting)) {
				t.Errorf("replay: %d wait, want %d", result.Labels.Waiting, len(a.waiting))
			}
		})
	}
}

// followLate replays the journal of a setup.
func followLate(t *testing.T, s *streamtest.Setup) (*model.Processor, *replay.Result) {
	t.Helper()
	proc, err := s.Config.NewProcessor()
	if err != nil {
		t.Fatal(err)
	}
	top := topologyOf(t, s)
	of := func(topic topics.Topic) (parts []topics.Part) {
		for p, b := range top.Of(topic).Partitions {
			parts = append(parts, topics.Part{Partition: int32(p), To: b.End})
		}
		return parts
	}
	source := replay.FromJournal(s.Name, s.Client(t), replay.JournalParts{Input: of(topics.Input),
		Output: of(topics.Output), Labels: of(topics.Labels), Outcomes: of(topics.Outcomes)})
	late := s.Config.ModelConfig.Late
	result, err := replay.Run(t.Context(), source, replay.Config{Decode: s.Config.ModelConfig.Decode,
		Learners: []replay.Learner{{Name: "follower", Processor: proc}},
		Labels: &replay.Labels{Decode: late.Decode, Assume: late.Assume, Journal: true,
			Where: func(int32, *topics.Record) string { return "" }}})
	if err != nil {
		t.Fatal(err)
	}
	return proc, result
}
