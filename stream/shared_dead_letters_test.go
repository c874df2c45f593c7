package stream_test

import (
	"os"
	"testing"

	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/verify"
)

// TestDeadLettersOfAnotherOutput: two models of one name read one input and share its dead-letter topic, but not the
// output. One rejects what the other predicts. Neither takes the other's dead letters for its own: not a fresh start,
// not a recovery, not verify.
func TestDeadLettersOfAnotherOutput(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	strict := *s
	strict.Dir, strict.Out = t.TempDir(), s.Name+".strict"
	strict.Config.ModelConfig.Decode.MaxFeatures = 2
	s.Cluster.Topic(t, strict.Out, 1)
	s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
	s.MustRun(t)
	old := t.TempDir()
	if err := os.CopyFS(old, os.DirFS(s.Dir)); err != nil {
		t.Fatal(err)
	}
	s.Cluster.Produce(t, s.Name, 0, events(2, 100)...)
	s.MustRun(t)
	strict.MustRun(t) // after the first's saved end, dead letters of all records
	s.Dir = old       // the first was killed before it saved
	task := s.MustRun(t)
	if c := task.Status().Counts; c.Predictions != 196 || c.Rejected["too-many-features"] != 0 {
		t.Errorf("%+v", c)
	}
	for _, s := range []*streamtest.Setup{s, &strict} {
		s.Audit(t)
		proc, err := s.Config.NewProcessor()
		if err != nil {
			t.Fatal(err)
		}
		result, err := verify.Audit{Log: s.Client(t), Model: s.Config.Model,
			From: verify.Start{Processor: proc, Config: s.Config.ModelConfig}}.Run(t.Context())
		if err != nil || !result.OK() {
			t.Errorf("%s: verify: %v %+v", s.Output(), err, result)
		}
	}
}
