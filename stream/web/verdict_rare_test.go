package web

import (
	"strings"
	"testing"
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
)

// setRare sets figures of 10,000 examples, of which so many have the positive label; a tenth of these is found. over
// says how many there are over all.
func setRare(st *board.Status, over int64, positives, averagePrecision float64) {
	var f metrics.Figures
	f.Confusion = metrics.Confusion{TruePositive: positives / 10, FalseNegative: positives - positives/10,
		FalsePositive: positives / 10, TrueNegative: 10_000 - positives - positives/10}
	f.Accuracy, f.Positives = metrics.Known(1-positives/10_000), metrics.Known(positives/10_000)
	f.AveragePrecision, f.Recall = metrics.Known(averagePrecision), metrics.Known(0.1)
	f.Precision = metrics.Quotient(f.Confusion.TruePositive, f.Confusion.TruePositive+f.Confusion.FalsePositive)
	setAccuracy(st, over, f.Accuracy.Value(), f.Accuracy.Value()-0.02, f.Accuracy.Value())
	st.Score.Last10000, st.Score.Figures = f, f
	st.Labels = [2]string{`"fine"`, `"fraud"`}
}

// TestRareVerdict: with a rare label the page speaks of average precision against the share of positives, and compares
// with other examples of an hour ago.
func TestRareVerdict(t *testing.T) {
	for _, c := range []struct {
		name                     string
		positives, average, hour float64
		level, says              string
	}{
		{"good", 100, 0.41, 0.40, "better", "Better than chance at finding fraud, as good as 1 hour ago: 100 of the " +
			"last 10,000 labelled examples (1 %) were fraud. Average precision is 0.410, against 0.010 by chance. " +
			"50.0 % of the predictions of fraud were right (precision), and 10.0 % of it was found (recall). " +
			"1 hour ago it was 0.400, a difference that may be chance."},
		{"fell", 400, 0.3, 0.6, "better", "Better than chance at finding fraud, worse than 1 hour ago:"},
		{"chance", 100, 0.02, 0.02, "same", "No better than chance at finding fraud"},
		{"chance of few", 25, 0.05, 0.05, "same", "against 0.003 by chance, a difference that may be chance."},
		{"too few", 19, 0.9, 0.9, "", "Too early to tell: 19 of the 60,000 labelled examples (0.19 %) were fraud."},
		{"frequent", 1000, 0.9, 0.9, "same", "No better than the baseline majority"},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := newTask(t)
			s, clock := newServer(task)
			s.init()
			task.set(func(st *board.Status) { setRare(st, 20_000, c.positives, c.hour) })
			s.look()
			clock.pass(61 * time.Minute)
			task.set(func(st *board.Status) { setRare(st, 60_000, c.positives, c.average) })
			got := s.liveBody(s.look())
			if says := got.Verdict.Title + ": " + got.Verdict.Text; got.Verdict.Level != c.level ||
				!strings.Contains(says, c.says) || got.Rare == (c.name == "frequent") {
				t.Errorf("%q, rare %t: %s", got.Verdict.Level, got.Rare, says)
			}
		})
	}
}

// TestRareNegativeVerdict: where the negative label is the rare one, it says how to turn them round.
func TestRareNegativeVerdict(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	s.init()
	task.set(func(st *board.Status) {
		setRare(st, 60_000, 9_900, 0.995)
		st.Labels = [2]string{`"broken"`, `"fine"`}
	})
	got := s.verdict(s.look())
	for _, part := range []string{"at finding fine", "100 of the last 10,000 labelled examples (1 %) were broken, " +
		"which is not the positive label: --label-names fine,broken makes it so"} {
		if !strings.Contains(got.Title+" "+got.Text, part) {
			t.Errorf("no %q in %+v", part, got)
		}
	}
}

// TestRareTrendOfOtherExamples: figures over the last 10,000 are compared with those of other 10,000.
func TestRareTrendOfOtherExamples(t *testing.T) {
	task := newTask(t)
	s, clock := newServer(task)
	s.init()
	task.set(func(st *board.Status) { setRare(st, 20_000, 100, 0.8) })
	s.look()
	clock.pass(2 * time.Hour)
	task.set(func(st *board.Status) { setRare(st, 29_999, 100, 0.3) })
	if got := s.verdict(s.look()); !strings.Contains(got.Text, "too early to compare") {
		t.Errorf("the windows overlap: %+v", got)
	}
}
