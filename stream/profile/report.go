package profile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
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
	Name      string   `json:"name"`
	Now       *Summary `json:"now,omitempty"`       // the newest whole window, or the first one so far
	Before    *Summary `json:"before,omitempty"`    // the windows before it
	Reference *Summary `json:"reference,omitempty"` // the first window, or the one given
	Shift     Shifts   `json:"shift,omitzero"`      // now against each of them
	NewWords  *float64 `json:"newWords,omitempty"`  // the share of words that the reference does not have
	Alert     Alert    `json:"alert,omitempty"`
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

// Reference is what a stream is compared with.
type Reference struct {
	Events int
	Fields []NamedSummary
}

// NamedSummary is a field of a reference.
type NamedSummary struct {
	Name string
	*Summary
}

var errReference = errors.New("profile: want the file of a profile, as replay --profile writes it")

// ReadReference takes the reference of a report in JSON.
func ReadReference(from io.Reader) (*Reference, error) {
	var r Report
	d := json.NewDecoder(from)
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("%w: %w", errReference, err)
	}
	ref, named := &Reference{}, map[string]bool{}
	for _, f := range r.Fields {
		if f.Reference == nil {
			continue
		}
		if s := f.Reference; !s.valid() || named[f.Name] || len(f.Name) > maxName || len(ref.Fields) == MaxFields ||
			ref.Events > 0 && s.Events != ref.Events {
			return nil, fmt.Errorf("%w: the field %q is not what a profile has", errReference, f.Name)
		}
		named[f.Name] = true
		ref.Events = f.Reference.Events
		ref.Fields = append(ref.Fields, NamedSummary{f.Name, f.Reference})
	}
	if len(ref.Fields) == 0 {
		return nil, fmt.Errorf("%w: it has no field with a reference", errReference)
	}
	return ref, nil
}

// valid reports whether a summary that was read may be a reference.
func (s *Summary) valid() bool {
	for _, n := range append([]int{s.Events - 1, s.Nulls, s.Numbers, s.Words, s.Booleans, s.Distinct, s.others()},
		s.Bins...) {
		if n < 0 || n > math.MaxInt32 {
			return false
		}
	}
	n := 0
	for _, w := range s.Top {
		if w.Count < 0 {
			return false
		}
	}
	for _, x := range s.Bins {
		n += x
	}
	return s.Present >= 0 && s.Present <= s.Events && n == s.Numbers && len(s.Bounds) <= bins &&
		len(s.Top) <= topWords && slices.IsSorted(s.Bounds) && (len(s.Bins) == 0 || len(s.Bins) == len(s.Bounds)+1) &&
		(len(s.Seen) == 0 || len(s.Seen) == bitmapSize)
}
