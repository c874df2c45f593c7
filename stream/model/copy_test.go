package model

import (
	"path/filepath"
	"testing"

	"rosenblatt/stream/event"
)

// TestInheritDual: a model goes on with other parameters, though its columns of kept examples are others.
func TestInheritDual(t *testing.T) {
	names := []string{"dual:budget=20", "dual:budget=20,predict=mean", "dual:budget=20,update=pa1,predict=mean"}
	for _, before := range names {
		for _, after := range names {
			from, to := newSavedModel(t, "", before, "none"), newSavedModel(t, "", after, "none")
			for range 50 {
				from.learn()
			}
			if err := to.proc.inheritModel(from.proc); err != nil {
				t.Fatalf("%s, then %s: %v", before, after, err)
			}
			if a, b := from.proc.Bias(Positive), to.proc.Bias(Positive); before == after && a != b {
				t.Errorf("%s: bias %v, then %v", before, a, b)
			}
			to.learn()
		}
	}
}

// TestTrained: whoever goes on with a model, or copies it, knows whether it has learned.
func TestTrained(t *testing.T) {
	for _, task := range []string{event.Binary, event.Multiclass} {
		from := newSavedModel(t, task, "perceptron", "none")
		other := newSavedModel(t, task, "perceptron", "none").proc
		replica := from.proc.NewReplica(other)
		next := newSavedModel(t, task, "perceptron", "none").proc
		for _, want := range []bool{false, true} {
			replica.Begin()
			for !replica.Step() {
			}
			if err := next.Inherit(from.proc, 0); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "model")
			if _, err := WriteFile(path, "1", from.config, from.proc); err != nil {
				t.Fatal(err)
			}
			begun := newSavedModel(t, task, "perceptron", "none").proc
			if _, err := begun.StartFrom(from.config, path); err != nil {
				t.Fatal(err)
			}
			for name, p := range map[string]*Processor{"it": from.proc, "its replica": replica.To, "its heir": next,
				"without its score": from.proc.Unscored(), "begun from its file": begun} {
				o, _ := p.Predict(&event.Example{Weight: 1}, nil)
				if p.Trained != want || o.Untrained == want {
					t.Errorf("%s, %s has learned: %v, want %v; its prediction is untrained: %v", task, name, p.Trained,
						want, o.Untrained)
				}
			}
			from.learn()
		}
	}
	p := newSavedModel(t, event.Binary, "perceptron", "none").proc
	if err := p.SetWeights(&Weights{Bias: 1}); err != nil || !p.Trained {
		t.Errorf("begun with weights it has learned: %v; %v", p.Trained, err)
	}
}
