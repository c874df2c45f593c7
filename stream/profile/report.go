package profile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
)

// Report is a profile as it is shown and saved.
type Report struct {
	Events int64   `json:"events"`         // profiled so far
	Fields []Field `json:"fields"`         // those of the reference, then in the order in which they came
	More   int64   `json:"more,omitempty"` // values of further fields, which are not profiled

	Changes []Change `json:"changes,omitempty"` // alerts that began, the latest last
}

// Field is what is known of one.
type Field struct {
	Name      string    `json:"name"`
	Now       *Summary  `json:"now,omitempty"`       // the newest whole window, or the first one so far
	Before    *Summary  `json:"before,omitempty"`    // the windows before it
	Reference *Summary  `json:"reference,omitempty"` // the first window, or the one given
	Shift     Shifts    `json:"shift,omitzero"`      // now against each of them
	NewWords  *float64  `json:"newWords,omitempty"`  // the share of words that the reference does not have
	Alert     Alert     `json:"alert,omitempty"`
	Since     time.Time `json:"since,omitzero"` // the timestamp of the first event of the window that began the alert
	Span                // of the alert
}

// Brief is what of a field is shown beside others.
type Brief struct {
	Name     string    `json:"name"`
	Present  float64   `json:"present"` // the share of the events that have it now
	Shift    Shifts    `json:"shift,omitzero"`
	NewWords *float64  `json:"newWords,omitempty"`
	Alert    Alert     `json:"alert,omitempty"`
	Since    time.Time `json:"since,omitzero"` // of the alert
	Span
}

// Briefs are those of all fields of which there is a window, the first too while it is filled.
func (r *Report) Briefs() []Brief {
	all := []Brief{}
	for _, f := range r.Fields {
		if f.Now != nil {
			all = append(all, Brief{f.Name, f.Now.PresentRatio(), f.Shift, f.NewWords, f.Alert, f.Since, f.Span})
		}
	}
	return all
}

// Alerting returns the fields that alert.
func (r *Report) Alerting() (all []Field) {
	for _, f := range r.Fields {
		if f.Alert != "" {
			all = append(all, f)
		}
	}
	return all
}

// Report sums up what is known. Until the first window is whole, it is both now and the reference.
func (p *Profile) Report() *Report {
	r := &Report{Events: p.events, More: p.more, Changes: slices.Clone(p.changes)}
	for _, f := range p.fields {
		if p.now == 0 && p.filled > 0 {
			f.judge(p.filled, nil)
		}
		x := Field{Name: f.name, Now: f.now, Reference: f.reference, Before: f.judged.before, Shift: f.judged.shift,
			NewWords: f.judged.newWords, Alert: f.judged.alert}
		if x.Alert != "" {
			x.Since, x.Span = timeOf(f.since), f.span
		}
		if p.now == 0 && p.filled > 0 {
			x.Now = f.current.summary(p.filled, false)
			if p.reference == 0 {
				x.Reference = f.current.summary(p.filled, true)
			}
		}
		r.Fields = append(r.Fields, x)
	}
	return r
}

// WriteJSON writes the report, a field on each line.
func (r *Report) WriteJSON(w io.Writer) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	fmt.Fprintf(&text, "{\"events\":%d,\"more\":%d,\"changes\":", r.Events, r.More)
	err := e.Encode(append([]Change{}, r.Changes...))
	for i := range r.Fields {
		text.Truncate(text.Len() - len("\n"))
		text.WriteString([...]string{",\"fields\":[\n", ",\n"}[min(i, 1)])
		err = cmp.Or(err, e.Encode(&r.Fields[i]))
	}
	if len(r.Fields) == 0 {
		text.WriteString(",\"fields\":[")
	}
	text.WriteString("]}\n")
	if err != nil {
		return err
	}
	_, err = w.Write(text.Bytes())
	return err
}
