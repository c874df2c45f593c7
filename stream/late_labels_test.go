package stream_test

import (
	"strings"
	"testing"
	"time"

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
