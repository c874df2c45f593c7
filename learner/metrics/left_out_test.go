package metrics

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// again is a score as a checkpoint keeps it.
func again[T any](t *testing.T, s *T) *T {
	t.Helper()
	kept, loaded := save(t, s), new(T)
	if err := kept.load(loaded); err != nil {
		t.Fatal(err)
	}
	return loaded
}

// TestLeaveOut: what is left out is in no figure, and the baselines go on as if it was not left out.
func TestLeaveOut(t *testing.T) {
	all, s, without, every := randomScored(5, 300), new(Binary), new(Binary), new(Binary)
	left := int64(0)
	for i, x := range all {
		if b := s.Baselines(); b != every.Baselines() {
			t.Fatalf("example %d: baselines %v, want %v", i, b, every.Baselines())
		}
		if given := s.Baselines(); i%7 < 3 {
			s.LeaveOut(x.label, x.updated)
			left++
		} else {
			s.AddLate(x.prediction, x.label, given, x.score, x.updated)
			without.AddLate(x.prediction, x.label, given, x.score, x.updated)
		}
		every.Add(x.prediction, x.label, x.score, x.updated)
		if i%50 == 9 { // left out last
			var to Binary
			s.CopyTo(&to)
			s = again(t, &to)
		}
	}
	got, want := s.Report(), without.Report()
	if got.LeftOut != left || got.Predictions != want.Predictions+left || got.Updates != every.Updates() {
		t.Errorf("%d left out of %d, %d updates; want %d of %d, %d", got.LeftOut, got.Predictions, got.Updates, left,
			want.Predictions+left, every.Updates())
	}
	got.LeftOut, got.Predictions, got.Updates = 0, want.Predictions, want.Updates
	if !reflect.DeepEqual(got, want) {
		t.Errorf("figures %+v, want %+v", got, want)
	}
}

// TestLeaveOutOfClasses is TestLeaveOut for several classes.
func TestLeaveOutOfClasses(t *testing.T) {
	list, s, without, every := addSamples(new(Multiclass), 300), new(Multiclass), new(Multiclass), new(Multiclass)
	left := int64(0)
	for i, x := range list {
		if b := s.Baselines(); b != every.Baselines() {
			t.Fatalf("example %d: baselines %v, want %v", i, b, every.Baselines())
		}
		if given := s.Baselines(); i%7 < 3 {
			s.LeaveOut(x.label[0], i%3)
			left++
		} else {
			s.AddLate(x.predicted[learned], x.label[0], given, i%3)
			without.AddLate(x.predicted[learned], x.label[0], given, i%3)
		}
		every.Add(x.predicted[learned], x.label[0], i%3)
		if i%50 == 9 {
			to := new(Multiclass)
			to.LeaveOut(2, 1) // its memory is used again
			s.CopyTo(to)
			s = again(t, to)
		}
	}
	got, want := s.Report(), without.Report()
	if got.LeftOut != left || got.Predictions != want.Predictions+left || got.Updates != every.Updates() {
		t.Errorf("%d left out of %d, %d updates", got.LeftOut, got.Predictions, got.Updates)
	}
	got.LeftOut, got.Predictions, got.Updates = 0, want.Predictions, want.Updates
	if !closeFigures(got.Figures, want.Figures) || !closeFigures(got.Last, want.Last) ||
		!closeFigures(got.Fading, want.Fading) {
		t.Errorf("figures %+v, want %+v", got, want)
	}
}

// TestLeftOutUnsound: what cannot have been counted is not loaded.
func TestLeftOutUnsound(t *testing.T) {
	s, m := new(Binary), new(Multiclass)
	s.LeaveOut(1, true)
	m.LeaveOut(1, 1)
	for _, left := range []string{`{"labels":[0,1],"latest":-1}`, `{"labels":[0,1.5],"latest":1}`,
		`{"labels":[-1,1],"latest":1}`, `{"labels":[0,1],"latest":2}`, `{"labels":[0,3],"latest":1}`} {
		notLoaded(t, s, `{"labels":[0,1],"latest":1}`, left)
	}
	for _, left := range []string{`[0,0,1],"leftOutLatest":4`, `[0,0,1],"leftOutLatest":1`,
		`[0,0,0.5],"leftOutLatest":3`, `[0,0,-1],"leftOutLatest":3`, `[0,0,9],"leftOutLatest":3`} {
		notLoaded(t, m, `[0,0,1],"leftOutLatest":3`, left)
	}
}

// notLoaded loads a score with another text for what was left out.
func notLoaded[T any](t *testing.T, s *T, was, left string) {
	t.Helper()
	saved, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(saved), `"leftOut":`+was, `"leftOut":`+left, 1)
	if err := json.Unmarshal([]byte(broken), new(T)); err == nil {
		t.Errorf("%s is loaded", broken)
	}
}
