package stream_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// TestClassesSurviveCrashes kills tasks at random steps, of every scheme and of learners with memory of their own.
func TestClassesSurviveCrashes(t *testing.T) {
	t.Parallel()
	for i, name := range []string{"perceptron", "averaged:window=50", "logistic",
		"dual:kernel=rbf,gamma=0.1,budget=20", "pa1"} {
		if streamtest.Real() && i%3 > 0 {
			continue // these take long, and kfake's are the same records
		}
		for j, scheme := range schemes {
			s := streamtest.New(t, streamtest.Start(t), 2)
			multiclass(s, scheme)
			if err := learner.ParseLearner(name, &s.Config.ModelConfig.Learner); err != nil {
				t.Fatal(err)
			}
			if s.Config.ModelConfig.Validate() != nil {
				continue
			}
			t.Run(name+"/"+scheme, func(t *testing.T) {
				t.Parallel()
				s.Config.ModelConfig.MaxClasses = 3 // the fourth is dead-lettered
				crashClasses(t, s, uint64(10*i+j))
			})
		}
	}
}

func crashClasses(t *testing.T, s *streamtest.Setup, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 9))
	for p := range 2 {
		s.Cluster.Produce(t, s.Name, p, classEvents(seed*10+uint64(p), 150)...)
	}
	s.Config.BatchRecords, s.Config.CheckpointInterval = 1+r.IntN(30), time.Millisecond
	s.Config.CheckpointEvery, s.Config.Grace = int64(1+r.IntN(40)), time.Minute
	crashes := crashUntilThrough(t, s, r, 8)
	o := s.Audit(t)
	if len(o.Predictions)+len(o.DeadLetters) != 300 || len(o.DeadLetters) == 0 || len(o.Proc.Classes()) != 3 {
		t.Errorf("%d predictions, %d dead letters, classes %q",
			len(o.Predictions), len(o.DeadLetters), o.Proc.Classes())
	}
	t.Logf("%d crashes, %d predictions, %d dead letters", crashes, len(o.Predictions), len(o.DeadLetters))
}

// TestClassesAreConfiguration: the task and the scheme never change under a state; the limit and the scores do when
// accepted, and the model goes on with what it knew.
func TestClassesAreConfiguration(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	multiclass(s, learner.OVA)
	s.Cluster.Produce(t, s.Name, 0, classEvents(4, 100)...)
	s.MustRun(t)
	for name, change := range map[string]func(*model.Config){
		"decode.task": func(f *model.Config) { f.Decode.Task, f.Multiclass = "", "" },
		"multiclass":  func(f *model.Config) { f.Multiclass = learner.OVO },
		"maxClasses":  func(f *model.Config) { f.MaxClasses = 4 },
	} {
		was := s.Config.ModelConfig
		change(&s.Config.ModelConfig)
		s.Config.Accept = []string{stops.ConfigDiffers}
		if name == "maxClasses" {
			s.Config.Accept = nil
		}
		_, err := s.Run(t)
		var stop *stops.Error
		if !errors.As(err, &stop) || stop.Name != stops.ConfigDiffers || !strings.Contains(stop.What, name) {
			t.Errorf("%s: %v", name, err)
		}
		s.Config.ModelConfig = was
	}
	s.Config.ModelConfig.MaxClasses, s.Config.ModelConfig.Scores, s.Config.Accept = 4, true,
		[]string{stops.ConfigDiffers}
	s.Cluster.Produce(t, s.Name, 0, classEvents(4, 100)[50:]...)
	s.Cluster.Produce(t, s.Name, 0, `{"label":"a fifth","a":1}`)
	task := s.MustRun(t)
	if st := task.Status(); st.Score.Examples < 120 || st.Counts.Rejected["too-many-classes"] != 1 ||
		len(st.Classes) != 4 {
		t.Errorf("%+v %q %+v", st.Counts, st.Classes, st.Score.Row)
	}
}

// TestCopyOfClasses: the page and /predict read a copy of their own.
func TestCopyOfClasses(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	multiclass(s, learner.OVO)
	s.Config.UntilEnd = false
	s.Cluster.Produce(t, s.Name, 0, classEvents(6, 60)...)
	task := s.Task(t)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- task.Run(ctx) }()
	streamtest.Await(t, "60 predictions", func() bool { return task.Status().Seq == 60 })
	var c stream.ModelCopy
	if err := task.Copy(ctx, &c); err != nil {
		t.Error(err)
	} else if len(c.Proc.Classes()) != 4 || c.Proc.Report().Predictions != 60 || c.Seq != 60 {
		t.Errorf("%q, %+v", c.Proc.Classes(), c.Proc.Report())
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestClassesFromAModel: a model of several classes starts from another one's file, and never from one of another kind.
func TestClassesFromAModel(t *testing.T) {
	t.Parallel()
	fixed := streamtest.New(t, streamtest.Start(t), 1).Config.ModelConfig
	fixed.Decode.Task, fixed.Multiclass = event.Multiclass, learner.OVA
	trained, err := model.NewProcessor(fixed)
	if err != nil {
		t.Fatal(err)
	}
	run(t, trained, fixed.Decode, classEvents(7, 200))
	path := filepath.Join(t.TempDir(), "flowers.model")
	if _, err := model.WriteFile(path, "test", fixed, trained); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*model.Config){
		"":            func(f *model.Config) { f.MaxClasses = 5 },
		"multiclass":  func(f *model.Config) { f.Multiclass = learner.OVO },
		"decode.task": func(f *model.Config) { f.Decode.Task, f.Multiclass = "", "" },
	} {
		other := fixed
		change(&other)
		p, err := model.NewProcessor(other)
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.StartFrom(other, path)
		if name != "" {
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || !slices.Equal(p.Classes(), trained.Classes()) || p.Report().Examples != 0 ||
			!reflect.DeepEqual(p.Top(2, 50), trained.Top(2, 50)) {
			t.Errorf("%v: %q, %+v", err, p.Classes(), p.Report().Row)
		}
	}
}
