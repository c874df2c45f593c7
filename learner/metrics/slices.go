package metrics

import (
	"fmt"
	"slices"
)

const (
	// MostSliced is how many fields Slices may be of.
	MostSliced = 4
	// SliceValues is how many values of a field have counts of their own: those seen first.
	SliceValues = 50
	// SliceText is how many bytes of a value are kept at most: longer ones are among OtherValues.
	SliceText = 100

	// NoValue and OtherValues are the names of what has no value of its own.
	NoValue     = "(none)"
	OtherValues = "other"
)

// SliceCodes are the values of an example by field, as Slices numbers them: 0 where nothing is known.
type SliceCodes [MostSliced]uint8

const (
	codeNone  = 1 + iota // NoValue
	codeOther            // OtherValues
	firstCode            // of the value seen first
)

// Slices counts decisions of two labels by the value of each of some fields. Code numbers the values in the order in
// which they are seen: so the order of its calls is part of the state.
type Slices struct {
	fields []slicedField
}

type slicedField struct {
	name   string
	values []string
	codes  map[string]uint8
	counts [firstCode + SliceValues]cells // by code
}

// NewSlices makes slices without counts, by at most MostSliced fields.
func NewSlices(fields []string) *Slices {
	s := &Slices{}
	for _, name := range fields {
		s.fields = append(s.fields, slicedField{name: name, codes: map[string]uint8{}})
	}
	return s
}

// Fields are the names of the fields.
func (s *Slices) Fields() (names []string) {
	for i := range s.fields {
		names = append(names, s.fields[i].name)
	}
	return names
}

// Code is the number of a value of a field; absent values and those that count as OtherValues are said to be so.
func (s *Slices) Code(field int, value []byte, absent, other bool) uint8 {
	f := &s.fields[field]
	switch code, known := f.codes[string(value)]; {
	case absent || string(value) == NoValue:
		return codeNone
	case known:
		return code
	//mutation:slices-are-few
	case other || len(value) > SliceText || len(f.values) == SliceValues || string(value) == OtherValues:
		return codeOther
	}
	return f.add(string(value))
}

// Adopt numbers the values as other slices by the same fields do, which have met all that these have.
func (s *Slices) Adopt(from *Slices) {
	for i := range s.fields {
		f := &s.fields[i]
		for _, value := range from.fields[i].values[len(f.values):] {
			f.add(value)
		}
	}
}

func (f *slicedField) add(value string) uint8 {
	code := uint8(firstCode + len(f.values))
	f.values = append(f.values, value)
	f.codes[value] = code
	return code
}

// Add counts a decision: its prediction and its label, -1 or 1.
func (s *Slices) Add(codes SliceCodes, prediction, label int8) {
	o := outcomeOf(label, prediction)
	for i := range s.fields {
		if code := codes[i]; code > 0 && int(code) < firstCode+len(s.fields[i].values) {
			s.fields[i].counts[code][o.cell(0)]++
		}
	}
}

// CopyTo makes dst slices of its own with the same counts, in dst's memory where that fits.
func (s *Slices) CopyTo(dst *Slices) {
	if len(dst.fields) != len(s.fields) {
		dst.fields = NewSlices(s.Fields()).fields
	}
	for i := range s.fields {
		from, to := &s.fields[i], &dst.fields[i]
		if to.name != from.name || len(to.values) > len(from.values) ||
			!slices.Equal(to.values, from.values[:len(to.values)]) {
			*to = slicedField{name: from.name, codes: map[string]uint8{}}
		}
		for _, value := range from.values[len(to.values):] {
			to.add(value)
		}
		to.counts = from.counts
	}
}

// SliceRow is what is counted of one value of a field.
type SliceRow struct {
	Field string `json:"field"`
	Value string `json:"value"` // NoValue or OtherValues of those that have no counts of their own
	Figures
}

// Rows are the values that occurred, by field and in the order in which they were seen; OtherValues and NoValue come
// last. Their Figures are those that follow from the four counts.
func (s *Slices) Rows() (rows []SliceRow) {
	for i := range s.fields {
		f := &s.fields[i]
		add := func(value string, code int) {
			if c := &f.counts[code]; c.total() > 0 {
				scope := [predictors]cells{*c}
				rows = append(rows, SliceRow{f.name, value, figuresOf(&scope, learned)})
			}
		}
		for v, value := range f.values {
			add(value, firstCode+v)
		}
		add(OtherValues, codeOther)
		add(NoValue, codeNone)
	}
	return rows
}

// Unseen are the fields that none of the counted examples has, each with how many those are: of Rows.
func Unseen(rows []SliceRow) (none []SliceRow) {
	for i := range rows {
		alone := (i == 0 || rows[i-1].Field != rows[i].Field) && (i == len(rows)-1 || rows[i+1].Field != rows[i].Field)
		//mutation:unseen-field
		if alone && rows[i].Value == NoValue {
			none = append(none, rows[i])
		}
	}
	return none
}

// UnseenText says that none of the counted examples has the field, for people.
func (r *SliceRow) UnseenText() string {
	return fmt.Sprintf("none of %.0f events whose labels are known has the field %q of --by: it may be misspelt",
		r.Examples(), r.Field)
}

// Mistakes counts the wrong decisions.
func (r *SliceRow) Mistakes() float64 { return r.Confusion.FalsePositive + r.Confusion.FalseNegative }

// Examples counts all.
func (r *SliceRow) Examples() float64 {
	return r.Mistakes() + r.Confusion.TruePositive + r.Confusion.TrueNegative
}

// savedField is the JSON of a field. Counts are by code, without 0.
type savedField struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	Counts []cells  `json:"counts"`
}

// Saved is the state as it is encoded as JSON.
func (s *Slices) Saved() any {
	out := []savedField{}
	for i := range s.fields {
		f := &s.fields[i]
		out = append(out, savedField{f.name, slices.Clone(f.values),
			slices.Clone(f.counts[codeNone : firstCode+len(f.values)])})
	}
	return out
}
