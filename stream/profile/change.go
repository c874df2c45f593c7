package profile

import (
	"fmt"
	"time"
)

// Change is an alert that began.
type Change struct {
	Field  string    `json:"field"`
	Alert  Alert     `json:"alert"`
	From   int64     `json:"from"` // the profiled events of the window, from 1
	To     int64     `json:"to"`
	Since  time.Time `json:"since,omitzero"` // the timestamp of the first of them, if it has one
	Shift  *float64  `json:"shift,omitempty"`
	Now    float64   `json:"present"` // the share of the events that have the field
	Before float64   `json:"presentBefore"`
}

// change is the alert of the window that ends at an event.
func (f *field) change(at int64, events int) Change {
	return Change{Field: f.name, Alert: f.judged.alert, From: at - int64(events) + 1, To: at, Since: timeOf(f.since),
		Shift: f.judged.shift.Before, Now: float64(f.current.present) / float64(events),
		Before: f.judged.before.PresentRatio()}
}

// timeOf is the time of a timestamp, the zero one if there is none.
func timeOf(ms int64) time.Time {
	if ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Text says what is not as it was before.
func (c *Change) Text() string {
	if c.Alert == Shifted {
		return fmt.Sprintf("its values are not distributed as before: a shift of %.2f", *c.Shift)
	}
	return fmt.Sprintf("%.3g %% of the events have it, %.3g %% before", 100*c.Now, 100*c.Before)
}
