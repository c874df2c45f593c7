package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// decidedSet is a stream of two labels in memory, an event a line.
type decidedSet struct {
	name   string
	events []string
	decode event.Options
}

// decidedRun is what a learner published under a rule, of the predictions that count.
type decidedRun struct {
	scores              []float64
	positive, predicted []bool
	p                   []float64 // of the positive label
	mistakes            int64     // of all, with those that do not count
}

// eventLines is a replay.Source.
type eventLines struct {
	events []string
	at     int
}

func (s *eventLines) Fill(_ context.Context, b *replay.Block) error {
	for ; !b.Full(); s.at++ {
		if s.at == len(s.events) {
			return io.EOF
		}
		b.Records = append(b.Records, topics.Record{Offset: int64(s.at), Value: b.Copy([]byte(s.events[s.at]))})
	}
	return nil
}

func (s *eventLines) Done() (done, total int64) { return int64(s.at), int64(len(s.events)) }

func (s *eventLines) Where(b *replay.Block, i int) string {
	return fmt.Sprint("event ", b.Records[i].Offset)
}

// run replays the set with each learner under each rule, all calibrated, with labels so many events late.
func (s *decidedSet) run(t *testing.T, learners, rules []string, late int64) map[string]*decidedRun {
	t.Helper()
	all := map[string]*decidedRun{}
	var contenders []replay.Learner
	for _, text := range learners {
		for _, rule := range rules {
			run := &decidedRun{}
			all[text+" "+rule] = run
			contenders = append(contenders, replay.Learner{Name: text + " " + rule,
				Processor: s.processor(t, text, rule), Watch: run.watch})
		}
	}
	result, err := replay.Run(t.Context(), &eventLines{events: s.events}, replay.Config{Decode: s.decode,
		Learners: contenders, Delay: replay.Delay{Examples: late}, Strict: true})
	if err != nil {
		t.Fatal(s.name, err)
	}
	for _, l := range result.Learners {
		all[l.Name].mistakes = l.Report.Mistakes
	}
	return all
}

func (s *decidedSet) processor(t *testing.T, text, rule string) *model.Processor {
	format, _ := event.FindFormat(s.decode.Format)
	spec := learner.Spec{Bits: s.decode.Bits}
	c := model.Config{Decode: s.decode}
	if err := errors.Join(learner.ParseScale(format.Scale, &spec), learner.ParseLearner(text, &spec)); err != nil {
		t.Fatal(err)
	}
	if c.Learner = spec.WithDefaults(); c.SetDecisions(model.CalibratePlatt, rule) != nil {
		t.Fatal(rule)
	}
	p, err := model.NewProcessor(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (d *decidedRun) watch(_ *replay.Block, _ int, o model.Outcome) {
	if o.Untrained {
		return
	}
	d.scores, d.p = append(d.scores, o.Score), append(d.p, o.Millionths.Float())
	d.positive = append(d.positive, o.Label == model.Positive)
	d.predicted = append(d.predicted, o.Prediction == model.Positive)
}

// count is how many of some predictions were positive, and how many of these were right.
func (d *decidedRun) count(from int) (predicted, right, positives int64) {
	for i := from; i < len(d.scores); i++ {
		switch {
		case d.predicted[i] && d.positive[i]:
			right++
			fallthrough
		case d.predicted[i]:
			predicted++
		}
		if d.positive[i] {
			positives++
		}
	}
	return predicted, right, positives
}

// setRow is what learner/testdata/sets.py computes of a set.
type setRow struct {
	Set, Learner                           string
	Examples, Positives, Mistakes, Updates int64
	Score, Loss                            float64
	Cost                                   setRule
	Precision                              setRule
	Recall                                 setRule
}

type setRule struct {
	Predicted, Right int64
	Threshold        float64
}

// TestSets holds whole runs on public sets against a program that has nothing in common with them but the definitions:
// scores, probabilities, and predictions by cost, precision and recall. It sums in another order, so a decision at the
// very threshold may be another one.
func TestSets(t *testing.T) {
	t.Parallel()
	if testing.Short() || streamtest.Real() {
		t.Skip("many learners over many sets: not with -short, and without brokers only")
	}
	text, err := os.ReadFile(filepath.Join(top, "learner/testdata/sets.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []setRow
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	bySet := map[string][]setRow{}
	for _, row := range rows {
		bySet[row.Set] = append(bySet[row.Set], row)
	}
	for name, rows := range bySet {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, rules := openSet(t, name), []string{"sign", "cost=fp:1,fn:20", "precision=0.5", "recall=0.8"}
			var learners []string
			for _, row := range rows {
				learners = append(learners, row.Learner)
			}
			got := s.run(t, learners, rules, 0)
			for _, want := range rows {
				want.compare(t, got[want.Learner+" sign"], []*decidedRun{got[want.Learner+" "+rules[1]],
					got[want.Learner+" "+rules[2]], got[want.Learner+" "+rules[3]]})
			}
		})
	}
}

func (r *setRow) compare(t *testing.T, sign *decidedRun, ruled []*decidedRun) {
	t.Helper()
	_, _, positives := sign.count(0)
	loss := 0.0
	for i, p := range ruled[0].p {
		if !ruled[0].positive[i] {
			p = 1 - p
		}
		loss -= math.Log(p)
	}
	last := sign.scores[len(sign.scores)-1]
	if int64(len(sign.scores)) != r.Examples || positives != r.Positives || !near(sign.mistakes, r.Mistakes, 2) ||
		math.Abs(last-r.Score) > 1e-6*math.Max(1, math.Abs(r.Score)) || math.Abs(loss-r.Loss) > 1e-4*r.Loss {
		t.Errorf("%s, %s: %d examples, %d positive, %d mistakes, last score %v, log-loss %v, want %+v", r.Set,
			r.Learner, len(sign.scores), positives, sign.mistakes, last, loss, r)
	}
	for i, want := range []setRule{r.Cost, r.Precision, r.Recall} {
		predicted, right, _ := ruled[i].count(0)
		if !near(predicted, want.Predicted, 2) || !near(right, want.Right, 2) {
			t.Errorf("%s, %s, rule %d: %d predicted, %d right, want %+v", r.Set, r.Learner, i, predicted, right, want)
		}
	}
}
