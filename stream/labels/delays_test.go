package labels

import (
	"testing"
	"time"
)

func TestDelays(t *testing.T) {
	var d Delays
	bounds := DelayBounds()
	for i, bound := range bounds {
		d.Add(bound.Milliseconds())
		if d.Counts[i] != 1 {
			t.Errorf("%v is not in bucket %d: %v", bound, i, d.Counts)
		}
	}
	d.Add(-5)
	d.Add((bounds[len(bounds)-1] + time.Millisecond).Milliseconds())
	if d.Counts[0] != 2 || d.Counts[len(bounds)] != 1 || d.Labels() != int64(len(bounds)+2) {
		t.Errorf("%+v", d)
	}
}
