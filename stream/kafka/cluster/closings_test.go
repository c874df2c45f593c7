package cluster

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestLateClosings: three closings at once count, one after the other; those that come late do not.
func TestLateClosings(t *testing.T) {
	t.Parallel()
	for after, want := range map[time.Duration]bool{time.Millisecond: true, 2 * time.Second: false} {
		synctest.Test(t, func(t *testing.T) {
			var c closings
			for n := 1; n <= 5; n++ {
				began := time.Now()
				time.Sleep(after)
				if got := c.again("b:1", 22, began); got != (want && n >= mostClosings) {
					t.Errorf("closing %d after %v: %v", n, after, got)
				}
			}
		})
	}
}
