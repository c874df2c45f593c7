package stream_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// half runs a task over the first half of its records, copies its folder, and runs it over the second half: the copy is
// a checkpoint from which the second half is in the journal only.
func half(t *testing.T, partitions int) (s *streamtest.Setup, old string) {
	t.Helper()
	s = streamtest.New(t, streamtest.Start(t), partitions)
	for p := range partitions {
		s.Cluster.Produce(t, s.Name, p, events(uint64(p), 200)...)
	}
	s.MustRun(t)
	old = t.TempDir()
	if err := os.CopyFS(old, os.DirFS(s.Dir)); err != nil {
		t.Fatal(err)
	}
	for p := range partitions {
		s.Cluster.Produce(t, s.Name, p, events(100+uint64(p), 200)...)
	}
	s.MustRun(t)
	return s, old
}

// wantStop runs the task and fails unless it stops with this name and all of the words.
func wantStop(t *testing.T, s *streamtest.Setup, name string, words ...string) {
	t.Helper()
	_, err := s.Run(t)
	if !stops.Is(err, name) {
		t.Fatalf("run: %v, want the stop %s", err, name)
	}
	for _, w := range append(words, "error="+name, "Safe: ", "To do: ") {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the stop does not say %q: %v", w, err)
		}
	}
}

// accepted runs the task with --accept and fails unless it ends well and the checkpoint keeps the acceptance.
func accepted(t *testing.T, s *streamtest.Setup, names ...string) *stream.Task {
	t.Helper()
	s.Config.Accept = names
	task := s.MustRun(t)
	s.Config.Accept = nil
	kept := task.Status().Accepted
	if len(kept) == 0 || kept[len(kept)-1].Name != names[len(names)-1] {
		t.Errorf("accepted %v, kept %+v", names, kept)
	}
	s.MustRun(t) // and the next start needs no acceptance
	return task
}

func TestRecoveryFromAnOldCheckpoint(t *testing.T) {
	t.Parallel()
	for _, partitions := range []int{1, 3} {
		s, old := half(t, partitions)
		s.Dir = old
		task := s.MustRun(t)
		o := s.Audit(t)
		// the folder knows of 1, the journal of 2
		if got := task.Status(); got.Seq != int64(len(o.Predictions)) || got.Epoch != 3 {
			t.Errorf("seq %d, epoch %d after %d predictions", got.Seq, got.Epoch, len(o.Predictions))
		}
		if got, want := task.Status().Counts.Read, int64(400*partitions); got != want {
			t.Errorf("read %d records, want %d", got, want)
		}
	}
}

func TestInvalidCheckpoints(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	files := checkpoints(t, s)
	if len(files) < 2 {
		t.Fatal(files)
	}
	flip(t, files[0])
	s.MustRun(t) // the one before is used, the journal makes up for it
	s.Audit(t)
	for _, f := range checkpoints(t, s) {
		flip(t, f)
	}
	for _, want := range []string{"renamed were checkpoint-", "nothing was changed; earlier starts renamed"} {
		wantStop(t, s, stops.StateInvalid, want)
	}
	s.Config.Accept = []string{stops.StateInvalid}
	wantStop(t, s, stops.StateMissing)
	accepted(t, s, stops.StateInvalid, stops.StateMissing)
}

// checkpoints are the setup's checkpoint files, newest first.
func checkpoints(t *testing.T, s *streamtest.Setup) []string {
	t.Helper()
	files, err := (&checkpoint.Store{Dir: filepath.Join(s.Dir, s.Name)}).Files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func flip(t *testing.T, file string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 4
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestStateMissing(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 2)
	s.Dir = t.TempDir()
	wantStop(t, s, stops.StateMissing, s.Output())
	accepted(t, s, stops.StateMissing)
}

func TestInputGone(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	s.Cluster.Produce(t, s.Name, 0, events(7, 100)...)
	s.Cluster.DeleteRecords(t, s.Name, 0, 450)
	wantStop(t, s, stops.InputGone, "450", "400")
	accepted(t, s, stops.InputGone)
}

// TestGroupOffsets: those that were reset are named in the log, and not that an accepted stop moved the positions.
func TestGroupOffsets(t *testing.T) {
	t.Parallel()
	const reset = "resetting group offsets has no effect"
	s, _ := half(t, 1)
	s.Cluster.Produce(t, s.Name, 0, events(7, 100)...)
	s.Cluster.DeleteRecords(t, s.Name, 0, 450)
	log := new(lockedBuffer)
	s.Log = zerolog.New(log)
	accepted(t, s, stops.InputGone)
	if strings.Contains(log.text(), reset) {
		t.Error(log.text())
	}
	if err := s.Client(t).Commit(t.Context(), []int64{460}); err != nil {
		t.Fatal(err)
	}
	if s.MustRun(t); !strings.Contains(log.text(), reset) {
		t.Error(log.text())
	}
}

func TestPredictedInputGone(t *testing.T) {
	t.Parallel()
	s, old := half(t, 1)
	s.Dir = old
	s.Cluster.DeleteRecords(t, s.Name, 0, 300)
	wantStop(t, s, stops.InputGone, "300", "200")
	task := accepted(t, s, stops.InputGone)
	st := task.Status()
	a := st.Accepted[len(st.Accepted)-1]
	if a.Seq != 392 || a.Epoch != st.Epoch || a.Ends == nil || a.Positions[0] != 400 {
		t.Errorf("accepted at seq %d, epoch %d of %d, positions %v, ends %v", a.Seq, a.Epoch, st.Epoch, a.Positions,
			a.Ends)
	}
	if got, want := st.Seq, int64(392); got != want {
		t.Errorf("seq %d, want %d: no seq may be given twice", got, want)
	}
}

func TestTopicChanged(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	s.Cluster.Recreate(t, s.Name, 1)
	s.Cluster.Produce(t, s.Name, 0, events(9, 1000)...) // it has grown past the position
	wantStop(t, s, stops.TopicChanged, s.Name)
	task := accepted(t, s, stops.TopicChanged)
	if got, want := task.Status().Seq, int64(392+980); got != want {
		t.Errorf("seq %d, want %d", got, want)
	}
}

func TestJournalGone(t *testing.T) {
	t.Parallel()
	s, old := half(t, 1)
	s.Dir = old
	s.Cluster.DeleteRecords(t, s.Output(), 0, 300)
	wantStop(t, s, stops.JournalGone, s.Output())
	accepted(t, s, stops.JournalGone)
}

func TestDeadLettersGone(t *testing.T) {
	t.Parallel()
	s, old := half(t, 1)
	s.Dir = old
	ends := boundsOf(t, s)
	s.Cluster.DeleteRecords(t, s.DeadLetters(), 0, ends.DeadLetters.Partitions[0].End)
	wantStop(t, s, stops.DeadLettersGone, s.DeadLetters())
	accepted(t, s, stops.DeadLettersGone)
}

func boundsOf(t *testing.T, s *streamtest.Setup) *topics.Topology {
	t.Helper()
	ctx := streamtest.Timeout(t, time.Minute)
	top, err := s.Client(t).Topology(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// nextScore is the score of an event by the newest checkpoint.
func nextScore(t *testing.T, s *streamtest.Setup, value string) float64 {
	t.Helper()
	file, err := checkpoint.OpenNewest(filepath.Join(s.Dir, s.Name), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, proc, err := model.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := event.New(s.Config.ModelConfig.Decode)
	if err != nil {
		t.Fatal(err)
	}
	var e event.Example
	arena := d.Decode(&event.Record{Value: []byte(value)}, nil, &e)
	o, rejected := proc.Predict(&e, e.Features(arena))
	if rejected != nil {
		t.Fatal(rejected)
	}
	return o.Score
}

func TestJournalDiffers(t *testing.T) {
	t.Parallel()
	forged := func(s *streamtest.Setup, score string, seq, offset int) string {
		return fmt.Sprintf(`{"prediction":1,"score":%s,"updated":false,"partition":0,"offset":%d,"time":1,`+
			`"seq":%d,"model":"%s@1"}`, score, offset, seq, s.Name)
	}
	for name, forge := range map[string]func(*streamtest.Setup) string{
		"score": func(s *streamtest.Setup) string { return forged(s, "17.25", 393, 400) },
		"threshold": func(s *streamtest.Setup) string {
			score := strconv.FormatFloat(nextScore(t, s, events(11, 1)[0]), 'g', -1, 64)
			return strings.Replace(forged(s, score, 393, 400), `,"updated"`, `,"threshold":0,"updated"`, 1)
		},
		"hole":   func(s *streamtest.Setup) string { return forged(s, "0", 394, 400) },
		"repeat": func(s *streamtest.Setup) string { return forged(s, "0", 392, 400) },
		"back":   func(s *streamtest.Setup) string { return forged(s, "0", 393, 10) },
		"pass":   func(s *streamtest.Setup) string { return forged(s, "0", 393, 402) },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := half(t, 1)
			s.Cluster.Produce(t, s.Name, 0, events(11, 10)...)
			s.Cluster.Produce(t, s.Output(), 0, forge(s))
			wantStop(t, s, stops.JournalDiffers)
			s.Config.Accept = stops.Acceptable()
			wantStop(t, s, stops.JournalDiffers)
		})
	}
}

func TestOtherWriterFoundAtStart(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	s.Cluster.Produce(t, s.Output(), 0, `{"hello":"world"}`)
	wantStop(t, s, stops.OtherWriter, s.Output())
}

func TestOutputUnfit(t *testing.T) {
	t.Parallel()
	c := streamtest.Start(t)
	for _, setting := range [][2]string{{"cleanup.policy", "compact"}, {"retention.ms", "5000"}} {
		s := streamtest.New(t, c, 1)
		s.Cluster.SetConfig(t, s.Output(), setting[0], setting[1])
		wantStop(t, s, stops.OutputUnfit, s.Output())
	}
	s := streamtest.New(t, c, 1)
	s.Cluster.SetConfig(t, s.DeadLetters(), "cleanup.policy", "compact,delete")
	wantStop(t, s, stops.OutputUnfit, s.DeadLetters(), "cleanup.policy=delete", "--dead-letter")
}

func TestOutputTooNarrow(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 2)
	s.Cluster.AddPartitions(t, s.Name, 3)
	wantStop(t, s, stops.OutputTooNarrow, "2", "3")
}

func TestConfigDiffers(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	s.Config.ModelConfig.Learner.Threshold = 0.5
	s.Config.ModelConfig.Decode.MaxDepth = 9
	wantStop(t, s, stops.ConfigDiffers, "learner.threshold was 0, is 0.5", "decode.maxDepth was 32, is 9")
	accepted(t, s, stops.ConfigDiffers)
	s.Config.ModelConfig.Learner.Bits, s.Config.ModelConfig.Decode.Bits = 13, 13
	s.Config.Accept = stops.Acceptable()
	wantStop(t, s, stops.ConfigDiffers, "learner.bits was 12, is 13")
}

func TestCheckpointOfAnotherModel(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	s.Config.Model += "-other"
	wantStop(t, s, stops.ConfigDiffers, "is a checkpoint of model "+s.Name)
}

// live starts a task that does not end by itself; stop ends it and returns its error.
func live(t *testing.T, s *streamtest.Setup) (task *stream.Task, stop func() error, done <-chan error) {
	t.Helper()
	s.Config.UntilEnd = false
	task = s.Task(t)
	stop, done = streamtest.Background(t, task.Run)
	return task, stop, done
}

func TestOtherWriterWhileRunning(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	task, _, done := live(t, s)
	s.Cluster.Produce(t, s.Name, 0, events(1, 10)...)
	streamtest.Await(t, "ten records", func() bool { return task.Status().Counts.Read == 10 })
	s.Cluster.Produce(t, s.Output(), 0, "somebody else's")
	s.Cluster.Produce(t, s.Name, 0, events(2, 10)...)
	if err := <-done; !stops.Is(err, stops.OtherWriter) {
		t.Fatalf("run: %v, want the stop %s", err, stops.OtherWriter)
	}
}

func TestPartitionsAreAddedWhileRunning(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.WatchEvery = 20 * time.Millisecond
	task, stop, _ := live(t, s)
	s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
	streamtest.Await(t, "the first hundred", func() bool { return task.Status().Counts.Read == 100 })
	s.Cluster.AddPartitions(t, s.DeadLetters(), 2)
	s.Cluster.AddPartitions(t, s.Output(), 3)
	s.Cluster.AddPartitions(t, s.Name, 3)
	for p := range 3 {
		s.Cluster.Produce(t, s.Name, p, events(uint64(5+p), 100)...)
	}
	streamtest.Await(t, "all partitions", func() bool { return task.Status().Counts.Read == 400 })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	s.Audit(t)
}

func TestStopWhileBrokerIsGone(t *testing.T) {
	t.Parallel()
	if streamtest.Real() {
		t.Skip("the real broker is not ours to stop here; cmd/rosenblatt's tests do it with their own")
	}
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.Grace = 300 * time.Millisecond
	task, stop, _ := live(t, s)
	s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
	streamtest.Await(t, "a hundred", func() bool { return task.Status().Counts.Read == 100 })
	s.Cluster.Produce(t, s.Name, 0, events(2, 50000)...)
	s.Cluster.Fake.Close()
	if err := stop(); err != nil && !errors.Is(err, stream.ErrUnfinished) {
		t.Fatalf("stopped with %v", err)
	}
}

// TestBeyondEnd: the input ends before the position, as after an unclean leader election. No broker here cuts a log, so
// the position is moved instead.
func TestBeyondEnd(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	beyond(t, s)
	wantStop(t, s, stops.BeyondEnd, "400", "4000")
	s.Cluster.Produce(t, s.Name, 0, events(3, 20)...)
	task := accepted(t, s, stops.BeyondEnd)
	if at := task.Status().Partitions[0].Position; at != 420 {
		t.Errorf("position %d, want 420", at)
	}
}
