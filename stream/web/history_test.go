package web

import (
	"encoding/json"
	"testing"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
)

func TestHistoryIsBounded(t *testing.T) {
	var h history
	for i := range 4 * 86400 {
		h.add(point{at: start.Add(time.Duration(i) * time.Second), last: float64(i)})
		h.add(point{at: start.Add(time.Duration(i)*time.Second + time.Millisecond)}) // another look, too soon
	}
	end := start.Add((4*86400 - 1) * time.Second)
	for i, b := range h.body() {
		first, last := b.Points[0], b.Points[len(b.Points)-1]
		every := time.Duration(b.Every) * time.Millisecond
		if len(b.Points) != b.Keep || end.Sub(last.at) >= every || last.last == 0 {
			t.Errorf("tier %d: %d points, the last %v before the end", i, len(b.Points), end.Sub(last.at))
		}
		if got, want := last.at.Sub(first.at), every*time.Duration(b.Keep-1); got < want-want/10 || got > want+want/10 {
			t.Errorf("tier %d spans %v, want %v", i, got, want)
		}
	}
}

func TestHistoryOfALook(t *testing.T) {
	task := newTask(t)
	s, clock := newServer(task)
	s.init()
	s.look()
	task.set(func(st *board.Status) { st.State = board.Recovering })
	clock.pass(time.Second)
	s.look() // its figures are on their way back: they are left out
	b := s.past.body()
	if len(b) != 3 || len(b[0].Points) != 1 {
		t.Fatalf("%+v", b)
	}
	text, err := json.Marshal(b[0].Points[0])
	var numbers []float64
	if err != nil || json.Unmarshal(text, &numbers) != nil || len(numbers) != 11 ||
		numbers[0] != float64(start.UnixMilli()) || numbers[6] != 5 {
		t.Errorf("%s %v", text, err)
	}
	score := task.status.Score
	for i, want := range []float64{score.Last.Accuracy.Value(), score.Fading.Accuracy.Value(),
		score.Baselines[0].Last.Accuracy.Value(),
		score.Baselines[1].Last.Accuracy.Value()} {
		if got := numbers[i+1]; got < want-1e-5 || got > want+1e-5 {
			t.Errorf("number %d is %v, want %v", i+1, got, want)
		}
	}
}

func TestMovesOfWeights(t *testing.T) {
	var h weightHistory
	summary := func(half int, all bool, weights ...float64) *summaryBody { // so many half minutes after the start
		p := &model.Summary{Seq: int64(half), At: start.Add(time.Duration(half) * 30 * time.Second),
			Weights: []model.ClassWeights{{All: all}}}
		for slot, w := range weights {
			p.Weights[0].Top = append(p.Weights[0].Top, learner.NamedWeight{Name: "f", Slot: uint32(slot), Weight: w})
		}
		b := h.add(p)
		if h.add(p) != b {
			t.Error("the same summary gives another body")
		}
		return b
	}
	if h.add(nil) != nil {
		t.Error("a summary out of nothing")
	}
	summary(0, true)
	if b := summary(1, true, 1); b.Since != nil || b.Classes[0].Weights[0].Before != nil {
		t.Errorf("an untrained model is compared with: %+v", b)
	}
	if b := summary(2, false, 2, 5); b.Since.Seq != 1 || *b.Classes[0].Weights[0].Before != 1 ||
		*b.Classes[0].Weights[1].Before != 0 {
		t.Errorf("what all weights do not hold was 0: %+v", b.Classes[0])
	}
	for half := 3; half < 30; half++ {
		summary(half, false, 2, 5)
	}
	b := summary(30, false, 3, 5, 1)
	if w := b.Classes[0].Weights; b.Since.Seq != 20 || *w[0].Before != 2 || w[2].Before != nil {
		t.Errorf("since %+v: %+v", b.Since, w)
	}
	if len(h.before) != maxSummaries {
		t.Errorf("%d are kept", len(h.before))
	}
	promoted := func(half int) *summaryBody {
		return h.add(&model.Summary{Seq: int64(half), At: start.Add(time.Duration(half) * 30 * time.Second),
			Learner: "c1", Weights: []model.ClassWeights{{All: true}}})
	}
	if b := promoted(31); b.Since != nil {
		t.Errorf("weights are compared with those of another learner: %+v", b.Since)
	}
	if b := promoted(42); b.Since == nil || b.Since.Seq != 31 {
		t.Errorf("since %+v", b.Since)
	}
}

// TestPartitionsThatLagAreShown: of a thousand partitions the page gets those with the largest lag.
func TestPartitionsThatLagAreShown(t *testing.T) {
	task := newTask(t)
	task.set(func(st *board.Status) {
		st.Partitions = make([]board.PartitionStatus, 1000)
		for i := range st.Partitions {
			st.Partitions[i] = board.PartitionStatus{Partition: int32(i), End: int64(i%10) * 100}
		}
		st.Partitions[777].End = 5000
	})
	s, clock := newServer(task)
	s.init()
	s.look()
	clock.pass(time.Second)
	task.set(func(st *board.Status) { st.Partitions[777].Position = 50 })
	b := s.liveBody(s.look())
	if len(b.Partitions) != shownPartitions || len(b.Records) != shownPartitions || b.Hidden != 1000-shownPartitions {
		t.Fatalf("%d, %d, %d", len(b.Partitions), len(b.Records), b.Hidden)
	}
	for i, p := range b.Partitions {
		if p.Partition != 777 && *p.Lag != 900 || i > 0 && p.Partition <= b.Partitions[i-1].Partition ||
			(b.Records[i] == 50) != (p.Partition == 777) {
			t.Errorf("%+v, %v records per second", p, b.Records[i])
		}
	}
	if last := b.Partitions[shownPartitions-1]; last.Partition != 777 {
		t.Errorf("the last one is %+v", last)
	}
}
