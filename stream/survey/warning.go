package survey

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/stream/event"
)

func count(n int) string { return strconv.Itoa(n) }

// verdict says that all or most events are rejected, or that none has a label.
func (s *Survey) verdict() string {
	switch rejected := s.rejections(); {
	case s.events > s.skipped && s.events-s.skipped == rejected:
		return "every event is rejected: " + s.worstCounted()
	case mostRejected(rejected, s.events-s.skipped):
		return fmt.Sprintf("%d of %d events are rejected: %s", rejected, s.events-s.skipped, s.worstCounted())
	case s.events-s.skipped > rejected && s.labelled == 0 && !s.LabelsLater:
		return s.unlabelled()
	}
	return ""
}

// featureless says that no event has a feature, and what may be wrong.
func (s *Survey) featureless() string {
	const text = "no event has a feature: the bias alone predicts, the same for all; "
	switch {
	//mutation:featureless
	case s.events-s.skipped == s.rejections() || s.featured > 0:
		return ""
	case s.format.Cells != nil && len(s.options.Columns) < 2:
		return text + "the rows have one column: --delimiter says what separates columns"
	case s.options.Format == event.JSON:
		return text + "--features-field NAME names the object of features, --text-field NAME a text"
	}
	return text + "is it another --format?"
}

// unmetLabel names a label of the settings that no event has.
func (s *Survey) unmetLabel() string {
	unmet := ""
	switch o := &s.options; {
	case s.labelled == 0:
	case s.positive == 0 && len(o.LabelNames) == 2:
		unmet = o.LabelNames[1]
	case s.positive == 0:
		unmet = o.Positive
	case s.positive == s.labelled && len(o.LabelNames) == 2:
		unmet = o.LabelNames[0]
	}
	if unmet == "" {
		return ""
	}
	return fmt.Sprintf("no event has the label %q of the settings%s", unmet, s.labels(": "))
}

// unknownLabels tells of labels that are rejected although others are not: what is left may be all alike.
func (s *Survey) unknownLabels() string {
	for _, r := range s.rejected {
		if r.Reason == event.BadLabel && s.labelled > 0 && many*r.Count >= s.events {
			text := fmt.Sprintf("%d of %d labels are rejected%s; %s", r.Count, r.Count+s.labelled, s.labels("; "),
				s.advice(&r))
			//mutation:one-label-left
			if s.oneLabel() {
				text += "; only one label is left: the figures say nothing"
			}
			return text
		}
	}
	return ""
}

// unlabelled says that no event has a label, and which field may hold it.
func (s *Survey) unlabelled() string {
	if s.format.LabelField == "" {
		return "no event has a label, which is the first word of a line: nothing is learned"
	}
	text := fmt.Sprintf("no event has a label in the field %q: nothing is learned; --label-field NAME names it",
		s.options.LabelField)
	for _, x := range s.fields.all {
		if x.role == feature && event.IsLabelName(x.path[1+strings.LastIndexByte(x.path, '.'):]) {
			return text + fmt.Sprintf(", is it %q?", x.path)
		}
	}
	return text
}

func (s *Survey) worstCounted() string {
	most, first := s.worst()
	return fmt.Sprintf("%s %s, the first: %s", most.Reason, times(most.Count), first)
}

// worst returns the most frequent rejection, and its first error with all that is known of it.
func (s *Survey) worst() (most Rejection, first string) {
	most = slices.MaxFunc(s.rejected, func(a, b Rejection) int { return a.Count - b.Count })
	labels := ""
	if most.Reason == event.BadLabel {
		labels = s.labels("; ")
	}
	return most, WithAdvice(most.First+labels, s.advice(&most))
}

// oneLabel reports whether all labelled events have the same of two labels.
func (s *Survey) oneLabel() bool {
	return s.options.Task != event.Multiclass && s.labelled > 0 && (s.positive == 0 || s.positive == s.labelled)
}

// advice is what to do about a rejection. Where two labels occur, it names both.
func (s *Survey) advice(r *Rejection) string {
	//mutation:uneven-rows
	if r.Reason == event.Syntax && r.Advice == otherColumns && !mostRejected(r.Count, s.events-s.skipped) {
		return "most rows have as many cells as there are columns: this one is cut short, or a cell in it that holds " +
			"the delimiter is not quoted"
	}
	if r.Reason == event.BadLabel {
		return s.labelAdvice(r)
	}
	return r.Advice
}

func times(n int) string { return english.Plural(n, "time", "") }

func (s *Survey) rejections() (n int) {
	for _, r := range s.rejected {
		n += r.Count
	}
	return n
}

// list lists the most frequent texts: `"Yes" 13, "No" 12 and others`.
func (c *counts) list(most int) string {
	names := slices.Clone(c.names)
	slices.SortStableFunc(names, func(a, b string) int { return c.of[b] - c.of[a] })
	var out []string
	for _, name := range names[:min(most, len(names))] {
		out = append(out, clip(name)+" "+count(c.of[name]))
	}
	if len(names) > most {
		out = append(out, "others")
	}
	return strings.Join(out, ", ")
}

// Of the values of a field, a warning is about so many.
const (
	nearlyAll  = 0.9
	manyWords  = 50  // distinct words, at least
	categories = 10  // numbers in quotes up to which they may be meant as words
	many       = 100 // one event in so many
	quantity   = 50  // distinct numbers as labels, over which they are most likely none
)

// missing tells of the words that were taken for missing values, once for all fields.
func (s *Survey) missing() (w Warning, ok bool) {
	var all counts
	in := []string{}
	for _, x := range s.fields.all {
		if x.missing.total() > 0 {
			in = append(in, x.name)
		}
		for _, name := range x.missing.names {
			all.addTimes(name, x.missing.of[name])
		}
	}
	if len(in) == 0 {
		return w, false
	}
	text := all.list(10)
	if len(in) == 1 {
		w.Field = visible(in[0])
	} else {
		text += fmt.Sprintf(", in %d columns", len(in))
	}
	w.Text = visible(text + ": taken for a missing value (--missing); where that is a value, --missing names the " +
		"others")
	return w, true
}

// warnings are about one field.
func (s *Survey) warnings(x *field) (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if x.role != feature {
		return out
	}
	if x.objects > 0 && !s.options.SkipUnknown {
		add("%s rejected for an array of mixed kinds or of objects: --ignore %s or --unknown skip leaves it out",
			english.Plural(x.objects, "event is", "events are"), event.ShellList(x.name))
	}
	//mutation:times-surveyed
	if s.options.IsTime(x.name) {
		return out
	}
	if x.huge > 0 {
		add("%s over 2^53, where not all are exact: is it an id? --ignore %s, or --id-field %s",
			english.Plural(x.huge, "whole number is", "whole numbers are"), event.ShellList(x.name),
			event.ShellWord(x.path))
	} else if text := s.codes(x); text != "" {
		out = append(out, text)
	}
	if text := s.aboutTexts(x); text != "" {
		out = append(out, text)
	}
	return out
}
