package model

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// trained is a processor that has learned two events.
func trained(t *testing.T, name string) (Config, *Processor) {
	t.Helper()
	spec := learner.Spec{Scale: learner.ScaleMaxAbs, Bits: 12}
	if err := learner.ParseLearner(name, &spec); err != nil {
		t.Fatal(err)
	}
	o := event.Defaults(event.JSON)
	o.Bits = 12
	fixed := Config{Learner: spec, Decode: o}
	proc, err := NewProcessor(fixed)
	if err != nil {
		t.Fatal(err)
	}
	d, err := event.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"label":-1,"features":{"a":1,"b":2}}`, `{"label":1,"features":{"a":4,"c":1}}`} {
		var e event.Example
		x := d.Decode(&event.Record{Value: []byte(text)}, nil, &e)
		outcome, rejected := proc.Predict(&e, x)
		if rejected != nil {
			t.Fatal(rejected)
		}
		proc.Learn(&topics.Record{Value: []byte(text)}, outcome)
	}
	return fixed, proc
}

// TestModelFile: what was written is read back to the bit, over an older file too, and nothing is left beside it.
func TestModelFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	for _, name := range []string{"perceptron:rate=0.5", "perceptron"} {
		fixed, proc := trained(t, name)
		size, err := WriteFile(path, "a build", fixed, proc)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() != size {
			t.Fatalf("%d bytes said to be written: %v, %v", size, info, err)
		}
		file, err := checkpoint.Open(nil, path)
		if err != nil {
			t.Fatal(err)
		}
		h, got, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if h.Model != "model" || h.Build != "a build" || h.Seq != 0 || h.Config.Hash != "xxhash64" ||
			len(h.Positions) != 0 || h.Family != event.PlusMinus {
			t.Errorf("header %+v", h)
		}
		if got.Score.Examples() != 0 || got.Family != proc.Family || got.Bias(Positive) != proc.Bias(Positive) ||
			got.Binary().Spec() != proc.Binary().Spec() {
			t.Errorf("%+v, want %+v", got, proc)
		}
		was, is := proc.Top(Positive, 10), got.Top(Positive, 10)
		if len(was) != 2 || len(is) != 2 {
			t.Fatalf("weights %v and %v, want two", was, is)
		}
		for i := range was {
			if was[i] != is[i] {
				t.Errorf("weight %+v, want %+v", is[i], was[i])
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left in the folder: %v, %v", entries, err)
	}
}

// TestModelFileRefused: a refused write leaves what was there.
func TestModelFileRefused(t *testing.T) {
	dir := t.TempDir()
	fixed, proc := trained(t, "perceptron")
	for path, want := range map[string]string{
		filepath.Join(dir, "checkpoint-7"):    "the name of a running model's checkpoint",
		dir:                                   "is not a file",
		filepath.Join(dir, "no", "such", "m"): "no such file",
	} {
		if _, err := WriteFile(path, "", fixed, proc); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left in the folder: %v, %v", entries, err)
	}
}
