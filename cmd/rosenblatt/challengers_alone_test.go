package main

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
)

// TestChallengersAloneOnTheSameTopic: the figures of each challenger are, to the bit, those of a daemon that runs it
// alone on the same topic, and those of the champion are what they are without challengers.
func TestChallengersAloneOnTheSameTopic(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	events := streamtest.Rounds(4_000, 20_000, 45_000)
	s.Cluster.Produce(t, s.Name, 0, elec2(t)[:events]...)
	challengers := []struct {
		text  string
		flags []string
	}{
		{"c1=pa1:C=0.1 scale:none", []string{"--learner", "pa1:C=0.1", "--scale", "none"}},
		{"b=arow decide:cost=fp:1,fn:20", []string{"--learner", "arow", "--decide", "cost=fp:1,fn:20"}},
		{"l=logistic calibrate:platt", []string{"--learner", "logistic", "--calibrate", "platt"}},
	}
	common := []string{"--until-end", "--by", "day"}
	beside := slices.Clone(common)
	for _, c := range challengers {
		beside = append(beside, "--challenger", c.text)
	}
	ends := func(p *process) {
		t.Helper()
		if code := p.exit(t, 2*time.Minute); code != 0 {
			t.Fatalf("exit %d:\n%s", code, p.tail())
		}
	}
	ends(start(t, s, s.Dir, beside...))
	fixed, proc := modelIn(t, filepath.Join(s.Dir, s.Name))
	reports := proc.Reports(&fixed)
	if len(reports) != 1+len(challengers) || reports[0].Score.Examples < int64(events)*19/20 {
		t.Fatalf("%+v", reports)
	}
	alone := func(name string, flags ...string) {
		dir := t.TempDir()
		args := append(append(slices.Clone(common), flags...), "--model", name, "--output", s.Name+"."+name,
			"--dead-letter", s.Name+"."+name+".dlq", "--create-topics")
		ends(start(t, s, dir, args...))
		own, one := modelIn(t, filepath.Join(dir, name))
		got := reports[slices.IndexFunc(reports, func(r model.LearnerReport) bool { return r.Name == name })]
		if want := one.Report(); !reflect.DeepEqual(got.Score, want) {
			t.Errorf("%s has the figures\n%+v, alone\n%+v", name, got.Score, want)
		}
		if !reflect.DeepEqual(got.Decision, one.Decision()) || !reflect.DeepEqual(got.Drift, one.DriftReport()) ||
			got.Learner != own.LearnerName() {
			t.Errorf("%s: %+v %+v, alone %+v %+v", name, got.Decision, got.Drift, one.Decision(), one.DriftReport())
		}
		if rows := one.SliceRows(); len(rows) == 0 || !reflect.DeepEqual(got.Slices, rows) && name != model.OwnName {
			t.Errorf("%s: %d decisions by field, alone %d", name, len(got.Slices), len(rows))
		}
	}
	alone(model.OwnName)
	for _, c := range challengers {
		name, _, _ := strings.Cut(c.text, "=")
		alone(name, c.flags...)
	}
}

// modelIn is the model of the newest checkpoint in a folder.
func modelIn(t *testing.T, dir string) (model.Config, *model.Processor) {
	t.Helper()
	file, _, err := (&checkpoint.Store{Dir: dir}).Newest()
	if err != nil {
		t.Fatal(err)
	}
	h, proc, err := model.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return h.Config, proc
}
