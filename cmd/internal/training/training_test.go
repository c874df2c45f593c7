package training

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
)

// settings are the defaults for a csv file on standard input.
func settings(t *testing.T) *Settings {
	t.Helper()
	s := &Settings{}
	parser, err := kong.New(s, daemon.Vars())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"-"}); err != nil {
		t.Fatal(err)
	}
	s.Format, s.Bits = "csv", 8
	return s
}

// train trains on standard input and reads the JSON.
func train(t *testing.T, s *Settings, stdin string, into any) error {
	t.Helper()
	var out bytes.Buffer
	s.JSON = "-"
	err := Run(&cli.Program{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: io.Discard}, s,
		map[string]bool{"format": true})
	if err == nil || errors.Is(err, cli.ErrReported) {
		if err := json.Unmarshal(out.Bytes(), into); err != nil {
			t.Fatal(err)
		}
	}
	return err
}

func TestTwoLabels(t *testing.T) {
	var r Result
	s := settings(t)
	s.Out = filepath.Join(t.TempDir(), "model")
	if err := train(t, s, "a,b,label\n0,0,-1\n0,1,1\n1,0,1\n1,1,1\n", &r); err != nil {
		t.Fatal(err)
	}
	if !r.Separated || r.Machine.Examples != 4 || r.Mistakes != 0 || len(r.Weights) != 2 || r.Margin == nil ||
		r.Read != 4 {
		t.Errorf("%+v", r)
	}
	s = settings(t)
	s.MaxPasses, s.RequireSeparated = 3, true
	err := train(t, s, "a,b,label\n0,0,-1\n0,1,1\n1,0,1\n1,1,-1\n", &r)
	if !errors.Is(err, cli.ErrReported) || r.Separated || r.Least.Mistakes == 0 {
		t.Errorf("%v: %+v", err, r)
	}
}

// TestModelKeepsFiles: a model is not written over what it is trained on.
func TestModelKeepsFiles(t *testing.T) {
	s := settings(t)
	s.File = filepath.Join(t.TempDir(), "events.csv")
	s.Out = s.File
	if err := train(t, s, "", nil); err == nil || !strings.Contains(err.Error(), "out: "+s.File+" is that of events") {
		t.Error(err)
	}
}

func TestSeveralClasses(t *testing.T) {
	for scheme, machines := range map[string]int{"ova": 4, "ovo": 6} {
		var r ClassesResult
		s := settings(t)
		s.Task, s.Multiclass = "multiclass", scheme
		if err := train(t, s, "a,b,label\n0,3,n\n3,0,e\n0,-3,s\n-3,0,w\n", &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Machines) != machines || r.Mistakes != 0 || !r.Separated || strings.Join(r.Classes, "") != "nesw" {
			t.Errorf("%s: %+v", scheme, r)
		}
	}
	s := settings(t)
	s.Task = "multiclass"
	if err := train(t, s, "a,label\n1,x\n2,x\n", nil); err == nil ||
		!strings.Contains(err.Error(), "want two classes or more") {
		t.Error(err)
	}
}

func TestWrongSettings(t *testing.T) {
	s := settings(t)
	s.Algorithm, s.Scale, s.Rate, s.Multiclass = "newton", "log", 0, "ova"
	err := train(t, s, "", nil)
	for _, want := range []string{"algorithm: ", "scale: \"log\"", "rate: 0",
		"multiclass and max-classes are for --task multiclass"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestTrainWithoutFeatures: an example without features is trained on with the bias, and shifts no other's features.
func TestTrainWithoutFeatures(t *testing.T) {
	var r Result
	if err := train(t, settings(t), "x,label\n,-1\n1,1\n2,1\n,-1\n", &r); err != nil {
		t.Fatal(err)
	}
	if r.Machine.Examples != 4 || !r.Separated || r.Weights["x"] <= 0 || r.Bias >= 0 {
		t.Errorf("%d examples, separated %v, %v, bias %v", r.Machine.Examples, r.Separated, r.Weights, r.Bias)
	}
}
