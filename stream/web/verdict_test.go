package web

import (
	"strings"
	"testing"
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
)

// setAccuracy sets the accuracy over the last 1,000 of the model and of the baselines.
func setAccuracy(st *board.Status, examples int64, model, noChange, majority float64) {
	st.Score.Examples, st.Score.Last.Accuracy = examples, metrics.Known(model)
	st.Score.Baselines = []metrics.Row{{Name: "no-change"}, {Name: "majority"}}
	st.Score.Baselines[0].Last.Accuracy, st.Score.Baselines[1].Last.Accuracy = metrics.Known(noChange),
		metrics.Known(majority)
}

// TestVerdict: around 85 %, a difference counts from 3.2 points on against a baseline, and from 4.8 points on against
// an hour ago.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		name        string
		examples    int64
		hourAgo     float64
		now         [3]float64 // model, no-change, majority
		level, says string
	}{
		{"good", 90_000, 0.84, [3]float64{0.85, 0.6, 0.7}, "better",
			"Better than both baselines, as good as 1 hour ago: 85.0 % of the last 1,000 predictions with a label " +
				"were correct, against 70.0 % of majority, the better baseline. 1 hour ago it was 84.0 %, " +
				"a difference that may be chance."},
		{"wobbles", 90_000, 0.893, [3]float64{0.85, 0.6, 0.7}, "better", "baselines, as good as 1 hour ago:"},
		{"a little better", 90_000, 0.85, [3]float64{0.85, 0.6, 0.815}, "better", "Better than both baselines"},
		{"decays", 90_000, 0.9, [3]float64{0.85, 0.6, 0.7}, "better", "baselines, worse than 1 hour ago:"},
		{"recovers", 90_000, 0.79, [3]float64{0.85, 0.6, 0.7}, "better", "baselines, better than 1 hour ago:"},
		{"chance", 90_000, 0.85, [3]float64{0.85, 0.83, 0.5}, "same", "No better than the baseline no-change, as good"},
		{"worse", 90_000, 0.85, [3]float64{0.85, 0.91, 0.5}, "worse", "Worse than the baseline no-change, as good"},
		{"few", 99, 0, [3]float64{1, 0.5, 0.5}, "", "Too early to tell: 100.0 % of the last 99 predictions"},
		{"none", 0, 0, [3]float64{}, "", "No label seen yet:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := newTask(t)
			s, clock := newServer(task)
			s.init()
			if c.hourAgo > 0 {
				task.set(func(st *board.Status) { setAccuracy(st, 10_000, c.hourAgo, 0.5, 0.5) })
				s.look()
				clock.pass(61 * time.Minute)
			}
			task.set(func(st *board.Status) { setAccuracy(st, c.examples, c.now[0], c.now[1], c.now[2]) })
			got := s.liveBody(s.look()).Verdict
			if says := got.Title + ": " + got.Text; got.Level != c.level || !strings.Contains(says, c.says) {
				t.Errorf("%q: %s", got.Level, says)
			}
		})
	}
}

// TestUntrainedVerdict: labels of predictions that are in no figure say nothing yet, and are told.
func TestUntrainedVerdict(t *testing.T) {
	task := newLateTask(t)
	s, _ := newServer(task)
	s.init()
	task.set(func(st *board.Status) { st.Score.Examples, st.Score.LeftOut = 0, 632 })
	got := s.liveBody(s.look()).Verdict
	want := "Too early to tell: All 632 labels so far are of predictions that were made before anything was learned"
	if says := got.Title + ": " + got.Text; !strings.HasPrefix(says, want) {
		t.Errorf("%s, want %s", says, want)
	}
}

// TestRejectedVerdict: where most of the newest records are rejected, the verdict is that, whatever the figures are.
func TestRejectedVerdict(t *testing.T) {
	task := newLateTask(t)
	s, _ := newServer(task)
	s.init()
	const good, advice = "Better than both baselines", "raise --max-bytes"
	for _, c := range []struct {
		events, labels board.Rejecting
		says           string
	}{
		{says: good},
		{events: board.Rejecting{Bad: 50, Of: 100}, says: good},
		{events: board.Rejecting{Bad: 9, Of: 9}, says: good},
		{events: board.Rejecting{Bad: 51, Of: 100, Last: event.TooLarge, Advice: advice},
			says: "Most events are rejected: 51 of the last 100 events were rejected, the newest as too-large. " +
				"To do: raise --max-bytes."},
		{labels: board.Rejecting{Bad: 19, Of: 20, Last: event.NoID},
			says: "Most labels are rejected: 19 of the last 20"},
	} {
		task.set(func(st *board.Status) {
			setAccuracy(st, 90_000, 0.85, 0.6, 0.7)
			late := *st.Late
			st.Rejects, late.Rejects, st.Late = c.events, c.labels, &late
		})
		got := s.liveBody(s.look()).Verdict
		if says := got.Title + ": " + got.Text; !strings.HasPrefix(says, c.says) {
			t.Errorf("%s, want %s", says, c.says)
		}
	}
}

// TestVerdictComparesOtherExamples: with less than a full window of labels since, there is no trend. Where labels are
// rare, an accuracy of longer ago is compared with.
func TestVerdictComparesOtherExamples(t *testing.T) {
	task := newTask(t)
	s, clock := newServer(task)
	s.init()
	at := func(examples int64, accuracy float64) string {
		task.set(func(st *board.Status) { setAccuracy(st, examples, accuracy, 0.5, 0.5) })
		v := s.verdict(s.look())
		return v.Title + " " + v.Text
	}
	at(500, 0.6) // not a full window
	clock.pass(time.Minute)
	if got := at(2_000, 0.9); !strings.Contains(got, "too early to compare") || strings.Contains(got, "ago") {
		t.Error(got)
	}
	clock.pass(5 * time.Minute)
	if got := at(3_000, 0.7); !strings.Contains(got, "worse than 5 minutes ago") {
		t.Errorf("a young process compares with its first full window: %s", got)
	}
	clock.pass(2 * time.Hour)
	at(3_100, 0.8)
	clock.pass(2 * time.Hour)
	if got := at(4_050, 0.9); !strings.Contains(got, "4 hours ago it was 70.0 %") {
		t.Errorf("two hours ago there were but 950 labels less: %s", got)
	}
}

// TestVerdictOfARareLabel: always predicting the frequent label is hard to beat in accuracy.
func TestVerdictOfARareLabel(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	s.init()
	for auc, advised := range map[float64]bool{0.5: false, 0.95: true} {
		task.set(func(st *board.Status) {
			setAccuracy(st, 5_000, 0.99, 0.98, 0.99)
			st.Score.Last.RocAUC = metrics.Known(auc)
		})
		if got := s.verdict(s.look()); strings.Contains(got.Text, "positive-weight") != advised {
			t.Errorf("AUC %v: %+v", auc, got)
		}
	}
}
