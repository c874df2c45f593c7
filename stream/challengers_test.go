package stream_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// withChallengers gives a setup's model challengers, as the flag has them.
func withChallengers(t testing.TB, s *streamtest.Setup, texts ...string) {
	t.Helper()
	fixed := &s.Config.ModelConfig
	fixed.Challengers = nil
	for i, text := range texts {
		c, err := fixed.ParseChallenger(text, i+1, learner.ParseLearner)
		if err != nil {
			t.Fatal(err)
		}
		fixed.Challengers = append(fixed.Challengers, c)
	}
	if err := fixed.Validate(); err != nil {
		t.Fatal(err)
	}
}

// contentOf is all that a checkpoint of a processor holds, by section; the short part of the state is "state".
func contentOf(t testing.TB, c model.Config, p *model.Processor) map[string]string {
	t.Helper()
	store, own := &checkpoint.Store{Dir: t.TempDir()}, p
	p, err := model.NewProcessor(c) // one that builds on no checkpoint
	if err == nil {
		err = p.Inherit(own, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	h := &model.Header{Config: c, Seq: 1, Family: own.Family}
	h.SetModelState(p)
	for i := range h.Promotions {
		h.Promotions[i].Time = 0 // that of the records differs from the moment of an audit
	}
	if _, err := model.Save(store, h, p); err != nil {
		t.Fatal(err)
	}
	file, _, err := store.Newest()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{"state": string(file.Header)}
	for _, s := range file.Sections {
		data, _ := file.Section(s.Name)
		out[s.Name] = string(data)
	}
	return out
}

// newestOf is the processor in a setup's newest checkpoint.
func newestOf(t testing.TB, s *streamtest.Setup) (model.Header, *model.Processor) {
	t.Helper()
	file, _, err := (&checkpoint.Store{Dir: s.Dir + "/" + s.Name}).Newest()
	if err != nil {
		t.Fatal(err)
	}
	h, p, err := model.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return h, p
}

// sameContent compares what two processors hold, to the bit.
func sameContent(t testing.TB, c model.Config, got, want *model.Processor) {
	t.Helper()
	a, b := contentOf(t, c, got), contentOf(t, c, want)
	all := maps.Clone(a)
	maps.Copy(all, b)
	for name := range all {
		if a[name] != b[name] {
			t.Errorf("%s is %.300q, want %.300q", name, a[name], b[name])
		}
	}
}

var crashChallengers = []string{"pa1:C=0.1 scale:none", "b=arow decide:precision=0.6", "averaged:window=50"}

// TestChallengersSurviveCrashes: wherever a task is killed, its challengers are in the end, to the bit, what the
// journal makes of them.
func TestChallengersSurviveCrashes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(3, 8, 20)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 38))
			s := streamtest.New(t, streamtest.Start(t), 2)
			withChallengers(t, s, crashChallengers[:1+seed%3]...)
			for p := range 2 {
				s.Cluster.Produce(t, s.Name, p, events(seed*10+uint64(p), 300)...)
			}
			s.Config.BatchRecords, s.Config.CheckpointInterval = 1+r.IntN(40), time.Millisecond
			s.Config.CheckpointEvery, s.Config.Grace = int64(1+r.IntN(100)), time.Minute
			crashes := crashUntilThrough(t, s, r, 12)
			o := s.Audit(t)
			_, got := newestOf(t, s)
			sameContent(t, s.Config.ModelConfig, got, o.Proc)
			cleanAudit(t, s)
			t.Logf("%d crashes, %d predictions", crashes, len(o.Predictions))
		})
	}
}

// TestChallengersAreConfiguration: the set is fixed by name. Another one takes an accepted stop, and a new challenger
// begins with what follows.
func TestChallengersAreConfiguration(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	withChallengers(t, s, "pa1", "b=arow")
	s.Cluster.Produce(t, s.Name, 0, events(5, 200)...)
	s.MustRun(t)
	before, was := newestOf(t, s)
	withChallengers(t, s, "b=arow", "c1=pa1") // the order means nothing
	s.MustRun(t)
	for _, change := range [][]string{nil, {"pa1"}, {"pa1", "b=averaged"}, {"pa1:C=0.5", "b=arow"},
		{"pa1", "b=arow", "pa2"}} {
		withChallengers(t, s, change...)
		_, err := s.Run(t)
		var stop *stops.Error
		if !errors.As(err, &stop) || stop.Name != stops.ConfigDiffers || !strings.Contains(stop.What, "challengers.") {
			t.Errorf("%v: %v", change, err)
		}
	}
	s.Config.Accept = []string{stops.ConfigDiffers}
	withChallengers(t, s, "n=averaged", "b=arow")
	s.Cluster.Produce(t, s.Name, 0, events(6, 200)...)
	s.MustRun(t)
	after, now := newestOf(t, s)
	old, reports := was.Reports(&before.Config), now.Reports(&after.Config)
	if len(reports) != 3 || reports[1].Name != "n" || reports[1].Since != before.Seq || reports[2].Since != 0 {
		t.Fatalf("%+v", reports)
	}
	if a, b := old[2].Score, reports[2].Score; b.Examples <= a.Examples || b.Mistakes < a.Mistakes {
		t.Errorf("%d of %d, then %d of %d: it did not go on", a.Mistakes, a.Examples, b.Mistakes, b.Examples)
	}
	if n := reports[1]; n.Score.Predictions != reports[0].Score.Predictions-old[0].Score.Predictions ||
		n.Against.Examples == 0 || n.Against.Examples > n.Score.Examples {
		t.Errorf("the new one has %d predictions, %+v", n.Score.Predictions, n.Against)
	}

	// A model of its own that begins there has the same figures.
	alone := streamtest.New(t, s.Cluster, 1)
	alone.Config.ModelConfig = s.Config.ModelConfig.Of("n")
	alone.Cluster.Produce(t, alone.Name, 0, events(6, 200)...)
	alone.MustRun(t)
	_, x := newestOf(t, alone)
	if got, want := reports[1].Score, x.Report(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, alone %+v", got, want)
	}
}

// TestChallengerOverflows: a challenger whose numbers overflow stops, named; the champion and the others do not notice.
func TestChallengerOverflows(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	withChallengers(t, s, "o=dual:kernel=poly,degree=8,budget=20 scale:none", "pa1")
	s.Cluster.Produce(t, s.Name, 0, events(5, 100)...)
	for i := range 20 {
		s.Cluster.Produce(t, s.Name, 0, fmt.Sprintf(`{"label":%d,"x":1e30}`, 1-2*(i%2)))
	}
	s.Cluster.Produce(t, s.Name, 0, events(6, 100)...)
	task := s.MustRun(t)
	st := task.Status()
	if len(st.Counts.Rejected) > 0 && st.Counts.Rejected["overflow"] > 0 {
		t.Fatalf("events were rejected: %v", st.Counts.Rejected)
	}
	o, c1 := st.Learners[1], st.Learners[2]
	if o.Name != "o" || !strings.Contains(o.Suspended, "overflow") || c1.Suspended != "" ||
		o.Score.Predictions >= c1.Score.Predictions || c1.Score.Predictions != st.Counts.Predictions {
		t.Errorf("%q of %d predictions, %q of %d of %d", o.Suspended, o.Score.Predictions, c1.Suspended,
			c1.Score.Predictions, st.Counts.Predictions)
	}
	alone := streamtest.New(t, s.Cluster, 1)
	alone.Config.ModelConfig = s.Config.ModelConfig.Of(model.OwnName)
	for _, r := range streamtest.Read(t, s.Client(t), topics.Input, 0, inputOf(t, s)) {
		alone.Cluster.Produce(t, alone.Name, 0, string(r.Value))
	}
	if a := alone.MustRun(t).Status(); !reflect.DeepEqual(a.Score, st.Score) {
		t.Errorf("without challengers the figures are %+v, with them %+v", a.Score, st.Score)
	}
	s.MustRun(t) // it stays suspended
	h, p := newestOf(t, s)
	if why := p.Suspended(); why["o"] == "" || len(why) != 1 || h.Challengers[0].Suspended != why["o"] {
		t.Errorf("%v", why)
	}
	cleanAudit(t, s)
}

// inputOf is the bounds of the input's first partition.
func inputOf(t testing.TB, s *streamtest.Setup) topics.Bounds {
	t.Helper()
	top, err := s.Client(t).Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return top.Input.Partitions[0]
}

// cleanAudit verifies a setup's journal from the start, without a finding.
func cleanAudit(t *testing.T, s *streamtest.Setup) {
	t.Helper()
	for _, f := range verified(t, s).Findings {
		t.Errorf("verify: %+v", f)
	}
}
