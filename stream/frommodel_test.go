package stream_test

import (
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/streamtest"
)

// TestFromModel: a new model starts from another one's weights, statistics and names, and its own checkpoints hold
// them.
func TestFromModel(t *testing.T) {
	t.Parallel()
	c := streamtest.Start(t)
	first := streamtest.New(t, c, 1)
	c.Produce(t, first.Name, 0, events(1, 500)...)
	first.MustRun(t)
	files, err := (&checkpoint.Store{Dir: filepath.Join(first.Dir, first.Name)}).Files()
	if err != nil {
		t.Fatal(err)
	}
	second := streamtest.New(t, c, 1)
	second.Config.FromModel = filepath.Dir(files[0]) // its newest
	c.Produce(t, second.Name, 0, events(2, 100)...)
	task := second.MustRun(t)
	if o := second.Audit(t); o.Predictions[0].Score == 0 {
		t.Error("the first prediction is that of an untrained model")
	}
	if got := task.Status().Score.Examples; got > 100 {
		t.Errorf("the score counts %d examples: it is to begin anew", got)
	}
	if got := task.Config.FromModel; got != files[0] {
		t.Errorf("it says that it started from %s, not from %s", got, files[0])
	}
	c.Produce(t, second.Name, 0, events(3, 100)...)
	second.MustRun(t) // from its own checkpoint
	second.Audit(t)

	third := streamtest.New(t, c, 1)
	third.Config.FromModel = files[0]
	third.Config.ModelConfig.Learner.Scale = "none"
	if _, err := third.Run(t); err == nil || !strings.Contains(err.Error(), "learner.scale") {
		t.Errorf("another kind of model: %v", err)
	}
}
