package profile

import (
	"fmt"
	"strings"
	"time"
)

// Change is an alert that began.
type Change struct {
	Field string    `json:"field"`
	Alert Alert     `json:"alert"`
	From  int64     `json:"from"` // the profiled events of the window, from 1
	To    int64     `json:"to"`
	Since time.Time `json:"since,omitzero"` // the timestamp of the first of them, if it has one
	Span
	Shift  *float64  `json:"shift,omitempty"`
	Now    float64   `json:"present"` // the share of the events that have the field
	Before float64   `json:"presentBefore"`
	Held   string    `json:"held"` // before, as Summary.Text
	Holds  string    `json:"holds"`
	Until  time.Time `json:"until,omitzero"` // the timestamp of the last event of the window that ended the alert
}

// Span bounds when a field changed, by the timestamps of events. A window in part of which it was as it is now need not
// alert: so the span begins with the window before the one that does, and ends with that.
type Span struct {
	NotBefore time.Time `json:"notBefore,omitzero"` // of the first event of the window before
	NotAfter  time.Time `json:"notAfter,omitzero"`  // of the last event of the window
}

// Between says between which times, in whole seconds; an empty text if they are not known.
func (s *Span) Between() string {
	if s.NotBefore.IsZero() || s.NotAfter.IsZero() {
		return ""
	}
	return " between " + s.NotBefore.Format(time.RFC3339) + " and " + s.NotAfter.Add(time.Second-1).Format(time.RFC3339)
}

// change is the alert of the window that ends at an event.
func (f *field) change(at int64, events int) Change {
	return Change{Field: f.name, Alert: f.judged.alert, From: at - int64(events) + 1, To: at, Since: timeOf(f.since),
		Span: f.span, Shift: f.judged.shift.Before, Now: float64(f.current.present) / float64(events),
		Before: f.judged.before.PresentRatio(), Held: short(f.judged.before), Holds: short(f.now)}
}

// short is a summary's text, cut off where it is long.
func short(s *Summary) string {
	text := s.Text()
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "..."
	}
	return text
}

// maxText is how many bytes of what a field held a change tells.
const maxText = 120

// end notes that the alert of a field is over.
func (p *Profile) end(name string) {
	for i := len(p.changes) - 1; i >= 0; i-- {
		if c := &p.changes[i]; c.Field == name {
			//mutation:alert-ends
			c.Until = timeOf(p.latest)
			return
		}
	}
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
		return fmt.Sprintf("its values are not distributed as before: a shift of %.2f. It held %s, and holds %s",
			*c.Shift, c.Held, c.Holds)
	}
	return fmt.Sprintf("%.3g %% of the events have it, %.3g %% before", 100*c.Now, 100*c.Before)
}
