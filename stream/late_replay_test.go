package stream_test

import (
	"context"
	"math"
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// TestLateAgreesWithReplay: a daemon that handles record by record agrees with replay --labels to the mistake, and to
// the outcome.
func TestLateAgreesWithReplay(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	s.Config.BatchRecords = 1
	newLateStream(5, 700, 1, 1).produce(t, s)
	s.MustRun(t)
	a := auditLate(t, s)

	proc, err := s.Config.NewProcessor()
	if err != nil {
		t.Fatal(err)
	}
	of := func(topic topics.Topic) []topics.Part {
		return []topics.Part{{To: topologyOf(t, s).Of(topic).Partitions[0].End}}
	}
	other := *s
	other.Name, other.Kafka.Labels = s.Kafka.Labels, ""
	source := replay.FromTopics(s.Name, s.Client(t), of(topics.Input), replay.LabelTopic{Name: s.Kafka.Labels,
		Log: other.Client(t), Parts: of(topics.Labels), Slack: s.Config.Labels.Slack.Milliseconds()})
	late := s.Config.ModelConfig.Late
	result, err := replay.Run(t.Context(), source, replay.Config{Decode: s.Config.ModelConfig.Decode,
		Learners: []replay.Learner{{Name: "perceptron", Processor: proc}}, Labels: &replay.Labels{
			Limits: s.Config.Labels.Limits, Decode: late.Decode, Partitions: []int32{0},
			Where: func(int32, *topics.Record) string { return "" }}})
	if err != nil {
		t.Fatal(err)
	}
	got, want := a.proc.Report(), result.Learners[0].Report
	if got.Mistakes != want.Mistakes || got.Examples != want.Examples || got.Updates != want.Updates ||
		math.Float64bits(got.Accuracy.Value()) != math.Float64bits(want.Accuracy.Value()) {
		t.Errorf("the daemon has %d mistakes of %d, replay %d of %d", got.Mistakes, got.Examples, want.Mistakes,
			want.Examples)
	}
	for kind, outcome := range map[journal.Kind]labels.Outcome{journal.Labelled: labels.Labelled,
		journal.Expired: labels.Expired, journal.DuplicateID: labels.Duplicate} {
		if int64(a.outcomes[kind]) != result.Labels.Outcomes[outcome] {
			t.Errorf("%v: %d, replay %d", kind, a.outcomes[kind], result.Labels.Outcomes[outcome])
		}
	}
}

// TestLateLive: while labels stand still, events are predicted as soon as they come, and a label acts soon after it
// has come.
func TestLateLive(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 2, 2, 1)
	s.Config.UntilEnd = false
	task := s.Task(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- task.Run(ctx) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	streamtest.Await(t, "live", func() bool { return task.Status().State == board.Live })
	began, late := time.Now(), streamtest.Timeout(t, 15*time.Second) // a broker waits a second for records
	for i := range 20 {
		s.Cluster.ProduceRecords(t, s.Name, i%2, at(time.Now(), unlabelled(i, i+1)...)...)
		streamtest.Await(t, "its prediction", func() bool { return task.Status().Acknowledged == int64(i+1) })
	}
	if late.Err() != nil {
		t.Errorf("20 events took %v", time.Since(began))
	}
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 1, at(time.Now(), labelsOf(3)...)...)
	streamtest.Await(t, "its outcome", func() bool { return task.Status().Counts.Labels.Outcomes["labelled"] == 1 })
	if late := task.Status().Late; late.Waiting != 19 || late.Oldest == 0 || late.Stalled {
		t.Errorf("%+v", late)
	}
}
