package survey

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rosenblatt/stream/event"
	"rosenblatt/stream/internal/number"
)

// labelField is the field with the label; in formats without fields it holds the labels of lines. It is nil where no
// event has one.
func (s *Survey) labelField() *field {
	if s.firstWords != nil {
		return s.firstWords
	}
	for _, x := range s.fields.all {
		if x.role == label {
			return x
		}
	}
	return nil
}

// addFirstWord notes the label of a line of a format without fields. Several labels, and those with costs, are none.
func (s *Survey) addFirstWord(line []byte) {
	head, _, _ := bytes.Cut(line, []byte("|"))
	word, rest, _ := bytes.Cut(bytes.TrimLeft(head, " \t"), []byte(" "))
	word, _, _ = bytes.Cut(word, []byte("\t"))
	tag := len(rest) == 0 && len(head) < len(line) && bytes.HasSuffix(head, word) // of vw: 1|a
	if len(word) == 0 || tag || bytes.ContainsAny(word, ",:'") {
		return
	}
	if s.firstWords == nil {
		s.firstWords = &field{role: label, distinct: map[uint64]struct{}{}}
	}
	if v, kind := number.Text(word); kind == number.Finite {
		s.firstWords.numbers++
		s.firstWords.wholes.add(string(word), v)
		s.firstWords.see(string(word), false)
		return
	}
	s.firstWords.addText(string(word), string(word))
}

// LabelSettings are the settings with which run takes the labels that were rejected, empty for none: the names of two,
// or that there are more.
func (s *Survey) LabelSettings() string {
	x := s.labelField()
	rejected := slices.ContainsFunc(s.rejected, func(r Rejection) bool { return r.Reason == event.BadLabel })
	switch {
	case x == nil || !rejected || len(x.distinct) > quantity || x.isText():
		return ""
	case len(x.distinct) == 2 && len(x.values.names) == 2:
		return labelNames(x.values.names)
	case len(x.distinct) > 2 && !x.isMeasured():
		return "--task " + event.Multiclass
	}
	return ""
}

// wrongLabels says what labels are that were rejected, where one setting mends it or none does; else it is empty.
func (s *Survey) wrongLabels() string {
	for i := range s.rejected {
		r := &s.rejected[i]
		if r.Reason != event.BadLabel {
			continue
		}
		if advice := s.labelAdvice(r); advice != r.Advice || s.labelField().isQuantity() {
			return WithAdvice(s.labels(""), advice)
		}
	}
	return ""
}

// isQuantity reports whether the values are many different numbers.
func (x *field) isQuantity() bool {
	return x != nil && len(x.distinct) > quantity && x.numbers == x.count()
}

// isMeasured reports whether they are many different numbers, nearly each another one or some with fractions, as no
// classes are.
func (x *field) isMeasured() bool {
	return x.isQuantity() && (x.wholes.count < x.numbers || 2*len(x.distinct) > x.numbers)
}

// isText reports whether the values are texts of several words, most of them different, as no label is.
func (x *field) isText() bool {
	const few = 10
	return x.texts == x.count() && len(x.distinct) >= few && 2*len(x.distinct) > x.texts && x.words >= 3*x.texts
}

// textAdvice is about a column of texts that is taken for the label, as the last one: which is the text, and which the
// label.
func (s *Survey) textAdvice(x *field) string {
	advice := "--text-field " + event.ShellWord(x.path) + " splits it into words"
	for _, other := range s.fields.all {
		n := len(other.distinct)
		if other.role == feature && 2 <= n && n <= categories && other.texts == other.count() {
			return advice + ", and --label-field " + event.ShellWord(other.path) + " may be the label"
		}
	}
	return advice + ", --label-field NAME names the label"
}

// labels lists the values of the label with their counts, behind a separator; empty where there are none.
func (s *Survey) labels(separator string) string {
	x := s.labelField()
	switch {
	case x == nil || len(x.values.names) == 0:
		return ""
	//mutation:text-as-label
	case x.isText():
		return fmt.Sprintf("%slabels are %d texts, nearly all different: is it the text?", separator, len(x.distinct))
	case x.isQuantity():
		return fmt.Sprintf("%slabels are %d different numbers: is it a quantity? Learners predict two labels, or "+
			"classes", separator, len(x.distinct))
	}
	return separator + "labels are " + x.values.list(10)
}

// quantity asks about labels of several classes that are numbers, nearly each another one or with fractions.
func (s *Survey) quantity() string {
	x := s.labelField()
	if x == nil || s.options.Task != event.Multiclass {
		return ""
	}
	//mutation:quantity-as-classes
	if x.isMeasured() {
		text := fmt.Sprintf("labels are %d different numbers: is it a quantity? Each is a class of its own, up to "+
			"--max-classes", len(x.distinct))
		if s.format.LabelField != "" {
			text += "; --label-field NAME names another column"
		}
		return text
	}
	return ""
}

// labelAdvice is what to do about labels that are rejected: where two occur, it names both.
func (s *Survey) labelAdvice(r *Rejection) string {
	x := s.labelField()
	switch {
	case x == nil:
	case s.format.Cells != nil && x.isText():
		return s.textAdvice(x)
	//mutation:no-classes-of-a-quantity
	case x.isMeasured():
		if s.format.LabelField != "" {
			return nameLabel + noRegression
		}
		return noRegression
	//mutation:two-labels-named
	case len(x.distinct) == 2 && len(x.values.names) == 2 &&
		(s.firstWords == nil || x.count() == s.labelled+r.Count): // else some have several labels
		return labelNames(x.values.names) + " takes the second for the positive one"
	}
	return r.Advice
}

// noRegression is the advice for labels that are a quantity.
const noRegression = "a quantity is not learned, there is no regression: make two labels of it where events are " +
	"made, as of what is over a limit"

// labelNames is the setting that names two labels, as json or a table has them.
func labelNames(values []string) string {
	var names []string
	for _, name := range values {
		//mutation:quotes-of-labels
		if text, err := strconv.Unquote(name); err == nil && name[0] == '"' { // in json; others are part of the label
			name = text
		}
		names = append(names, name)
	}
	slices.SortFunc(names, smaller)
	separator := " "
	if strings.HasPrefix(names[0], "-") { // else it looks like a flag
		separator = "="
	}
	return "--label-names" + separator + event.ShellList(names...)
}

// smaller compares labels, as numbers where they are some.
func smaller(a, b string) int {
	x, kind := number.Text([]byte(a))
	y, other := number.Text([]byte(b))
	if kind == number.Finite && other == number.Finite {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}
