package survey

import (
	"cmp"
	"slices"
	"strings"

	"rosenblatt/stream/event"
)

// Report is what a survey has found. It does not change.
type Report struct {
	Events   int         `json:"events"`
	Labelled int         `json:"labelled"` // accepted ones with a label
	Skipped  int         `json:"skipped"`  // null values
	Rejected int         `json:"rejected"`
	Reasons  []Rejection `json:"-"`       // most first
	Verdict  string      `json:"verdict"` // that all or most are rejected, or that none has a label; else empty
	Labels   string      `json:"-"`       // what is wrong with labels that have names or are no labels; else empty
	Worst    string      `json:"-"`       // of the first reason, the error of the first one and the advice; else empty
	Fields   []Field     `json:"fields"`
	Hidden   int         `json:"hidden_fields"` // not in Fields
	Warnings []Warning   `json:"warnings"`
}

// Field is one field, or of libsvm and vw one feature.
type Field struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`     // number, text, ...; several with their counts, most first
	Distinct int    `json:"distinct"` // values, at most 1,000
	Example  string `json:"example"`
	Becomes  string `json:"becomes"` // features, the label ...
}

// Warning names one thing that is most likely a mistake. Field may be empty. There are no control characters in it.
type Warning struct {
	Field string `json:"field"`
	Text  string `json:"text"`
}

// String returns the warning in one line.
func (w Warning) String() string {
	if w.Field == "" {
		return w.Text
	}
	return w.Field + ": " + w.Text
}

// shownFields bounds the fields of a report.
const shownFields = 200

// MostRejected reports whether more events are rejected than accepted.
func (r *Report) MostRejected() bool { return mostRejected(r.Rejected, r.Events-r.Skipped) }

func mostRejected(rejected, of int) bool { return 2*rejected > of }

// Report returns what was found so far.
func (s *Survey) Report() *Report {
	r := &Report{Events: s.events, Labelled: s.labelled, Skipped: s.skipped, Fields: []Field{}, Warnings: []Warning{}}
	r.Reasons = slices.Clone(s.rejected)
	slices.SortStableFunc(r.Reasons, func(a, b Rejection) int { return cmp.Compare(b.Count, a.Count) })
	for i := range r.Reasons {
		r.Rejected += r.Reasons[i].Count
		r.Reasons[i].Advice = s.advice(&r.Reasons[i])
	}
	for _, x := range s.fields.all[:min(len(s.fields.all), shownFields)] {
		name := strings.ToValidUTF8(x.name, "")
		r.Fields = append(r.Fields, Field{name, x.kinds(), len(x.distinct), x.example, s.becomes(x)})
	}
	r.Hidden = max(0, len(s.fields.all)-shownFields)
	r.Labels = s.wrongLabels()
	if r.Verdict = s.verdict(); len(s.rejected) > 0 {
		_, r.Worst = s.worst()
	}
	for _, text := range []string{s.featureless(), s.unmetLabel(), s.unknownLabels(), s.quantity(),
		s.bases(), s.sizes()} {
		if text != "" {
			r.Warnings = append(r.Warnings, Warning{Text: visible(text)})
		}
	}
	for _, text := range s.unmet() {
		r.Warnings = append(r.Warnings, Warning{Text: visible(text)})
	}
	if w, ok := s.missing(); ok {
		r.Warnings = append(r.Warnings, w)
	}
	for _, x := range s.fields.all {
		for _, text := range s.warnings(x) {
			r.Warnings = append(r.Warnings, Warning{visible(x.name), visible(text)})
		}
	}
	return r
}

// kinds lists what the values are, most first.
func (x *field) kinds() string {
	type kind struct {
		name string
		n    int
	}
	all := []kind{{"number", x.numbers}, {"text", x.texts}, {"true/false", x.bools}, {"array", x.arrays},
		{"object", x.objects}, {"absent", x.nulls + x.missing.total()}}
	all = slices.DeleteFunc(all, func(k kind) bool { return k.n == 0 })
	if len(all) == 1 {
		return all[0].name
	}
	slices.SortStableFunc(all, func(a, b kind) int { return cmp.Compare(b.n, a.n) })
	var out []string
	for _, k := range all {
		out = append(out, k.name+" "+count(k.n))
	}
	return strings.Join(out, ", ")
}

// becomes says what the decoder makes of the field.
func (s *Survey) becomes(x *field) string {
	switch x.role {
	case label:
		return "the label"
	case id:
		return "the id"
	case weight:
		return "the weight"
	case ignored:
		return "nothing, it is ignored"
	}
	var out []string
	add := func(n int, what string) {
		if n > 0 {
			out = append(out, what)
		}
	}
	if s.options.IsTime(x.name) {
		return s.timeParts(x)
	}
	add(x.numbers, x.name+s.scaled(x))
	switch {
	case x.role == text:
		add(x.texts, x.name+"=word of each word")
	default:
		add(x.texts, x.name+"=text, 1")
	}
	add(x.bools, x.name+"=true or =false, 1")
	add(x.arrays, x.name+" of each element")
	if !s.options.SkipUnknown {
		add(x.objects, "rejected")
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, "; ")
}

// timeParts says which features a time has. What a number counts only its schema says.
func (s *Survey) timeParts(x *field) string {
	text := strings.Trim(x.example, `"`)
	switch {
	case event.IsDate(text):
		return x.name + ".weekday"
	case x.numbers > 0 && s.options.HasSchema():
		return x.name + ".hour and " + x.name + ".weekday, as far as its type has them"
	}
	return x.name + ".hour and " + x.name + ".weekday"
}

func (c *counts) total() (n int) {
	for _, x := range c.of {
		n += x
	}
	return n
}
