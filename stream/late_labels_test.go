package stream_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/streamtest"
)

// TestTooLate: where many records of one label come when their events no longer wait, it is told, with the setting that
// mends it.
func TestTooLate(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	s.Config.Labels.Wait = (30 * time.Second).Milliseconds()
	s.Config.UntilEnd = false
	begin := time.Now().Add(-10 * time.Minute)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 20)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(20*time.Second), labelsOf(1, 3, 5, 7, 9, 11, 2)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(5*time.Minute), labelsOf(4, 6, 8, 10, 12)...)...)
	task, stop, _ := live(t, s)
	streamtest.Await(t, "late labels", func() bool {
		late := task.Status().Late
		return late != nil && late.Counts.Rejected["late-label"] >= 4 && len(late.TooLate) == 1
	})
	if err := stop(); err != nil {
		t.Error(err)
	}
	late := task.Status().Late
	found, do := late.TooLate[0].Text(late.Wait, late.Examples)
	if !strings.Contains(found, "of the labels 1 came too late, ") || do != "raise --label-wait (now 30s)" {
		t.Errorf("%s: %s", found, do)
	}
}

// TestTooLateIsSaved: how many records of each label came too late is part of a checkpoint, and counted again from
// the journal and the dead letters behind an older one.
func TestTooLateIsSaved(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 2, 1)
	s.Config.Labels.Wait = (30 * time.Second).Milliseconds()
	begin := time.Now().Add(-10 * time.Minute)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 30)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(20*time.Second), labelsOf(1, 3, 2)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 1, at(begin.Add(20*time.Second), labelsOf(5, 7)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 1, at(begin.Add(4*time.Minute), labelsOf(9)...)...)
	s.MustRun(t)
	old := copyState(t, s)
	later := begin.Add(5 * time.Minute)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(later, labelsOf(11)...)...) // then the waiting of all ends
	s.MustRun(t)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(later.Add(time.Second), labelsOf(4, 6, 8)...)...)
	s.MustRun(t)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(later.Add(5*time.Second), unlabelled(30, 32)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(later.Add(10*time.Second), labelsOf(31, 10)...)...)
	counted := func(task *stream.Task) []labels.LateShare { return task.Status().Late.Counts.ByLabel.Shares() }
	want := counted(s.MustRun(t))
	if len(want) != 2 || want[0].Came+want[1].Came != 12 || want[1].Late() != 4 {
		t.Fatalf("%+v", want)
	}
	if got := counted(s.MustRun(t)); !reflect.DeepEqual(got, want) {
		t.Errorf("after a restart %+v, want %+v", got, want)
	}
	s.Dir = old
	again := s.MustRun(t)
	if got := counted(again); !reflect.DeepEqual(got, want) {
		t.Errorf("after a recovery %+v, want %+v", got, want)
	}
	if late := again.Status().Late.TooLate; len(late) != 1 || late[0].Late() != 4 {
		t.Errorf("told: %+v", late)
	}
}
