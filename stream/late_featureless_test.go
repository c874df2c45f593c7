package stream_test

import (
	"fmt"
	"testing"
	"time"

	"rosenblatt/stream/journal"
)

// TestLateFeatureless: an event without features waits like any other, also where its record is no longer in memory:
// its label is learned with the bias, and its event is not gone.
func TestLateFeatureless(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	s.Config.Labels.Memory, s.Config.Labels.Wait = 64_000, time.Hour.Milliseconds()
	const n = 1000
	var events []string
	var all []int
	for i := range n {
		events, all = append(events, fmt.Sprintf(`{"id":"e%d","features":{}}`, i)), append(all, i)
	}
	begin := time.Now().Add(-time.Hour)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, events...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(n*time.Second), labelsOf(all...)...)...)
	s.MustRun(t)
	outcomes := outcomesOf(t, s)
	for seq, e := range outcomes {
		if e.Kind != journal.Labelled {
			t.Errorf("the outcome of seq %d is %v", seq, e.Kind)
		}
	}
	if len(outcomes) != n {
		t.Errorf("%d outcomes", len(outcomes))
	}
	sameScore(t, s, auditLate(t, s))
	verified(t, s)
}
