package stream_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/segmentio/kafka-go"
)

// TestLateLittleMemory: with memory for a part of what waits, and new names again and again, the model is that of
// the journal.
func TestLateLittleMemory(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	s.Config.Labels.Memory = 16_000
	x := newLateStream(5, 1000, 1, 1)
	// The first with new names have no labels.
	const period, first, last = 250, 200, 206
	number, own := regexp.MustCompile(`"m":"m(.)"`), regexp.MustCompile(`,"label":[-1]+`)
	for i := range x.events[0] {
		r := &x.events[0][i]
		value := own.ReplaceAllString(text(r.Value), "")
		r.Value = kafka.NewBytes([]byte(number.ReplaceAllString(value, fmt.Sprintf(`"name%d":$1`, i/period))))
	}
	all := x.labels[0]
	x.labels[0] = nil
	for _, r := range all {
		value, of := text(r.Value), 0
		if n, _ := fmt.Sscanf(value, `{"id":"e%d"`, &of); n == 1 && of%period >= first && of%period <= last {
			r.Value = kafka.NewBytes([]byte(value))
			x.labels[0] = append(x.labels[0], r)
		}
	}
	x.produce(t, s)
	s.MustRun(t)
	sameScore(t, s, auditLate(t, s))
}
