package survey

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rosenblatt/stream/event"
)

// texts counts the texts of a field that are not meant to be: neither a missing value nor, among words, plain numbers.
func (s *Survey) texts(x *field) float64 {
	n := x.texts - x.absent.total()
	if s.options.IsWord(x.name) {
		n -= x.plain
	}
	return float64(n)
}

// aboutTexts is a warning about a field that has texts; empty for none. This one is about texts as numbers are written,
// or beside numbers.
func (s *Survey) aboutTexts(x *field) string {
	texts := s.texts(x)
	switch {
	case x.texts == 0:
	//mutation:base64-surveyed
	case s.isCoded(x):
		return "base64, as Debezium and Kafka Connect write decimals and bytes in json: each becomes a feature of " +
			"its own; json with its schema part (value.converter.schemas.enable=true, --envelope debezium) makes " +
			"decimals numbers, decimal.handling.mode=double too"
	//mutation:decimal-commas
	case s.format.Cells != nil && s.options.Decimal == "" && texts > 0 && float64(x.commas) >= nearlyAll*texts:
		return fmt.Sprintf("numbers with a comma, as %s: each becomes a feature of its own; --decimal comma reads them",
			x.comma)
	//mutation:thousands
	case x.grouped > 0 && float64(x.grouped+x.commas) >= nearlyAll*texts:
		text := fmt.Sprintf("thousands separators, as %s: each becomes a feature of its own; remove them", x.group)
		if x.numbers == 0 && s.format.Cells != nil && s.options.Decimal == "" && strings.Contains(x.group, ",") {
			text += "; if they are decimal commas, --decimal comma reads them"
		}
		return text
	//mutation:one-word-among-numbers
	case s.format.Cells != nil && x.numbers >= x.texts && len(x.odd.names) == 1 && !x.spelledNumber():
		return fmt.Sprintf("a number %s and the text %s %s: it becomes a feature of its own; where it means a missing "+
			"value, --missing %s", times(x.numbers), strconv.Quote(clip(x.odd.names[0])), times(x.texts),
			s.missingWith(x.odd.names[0]))
	case x.numbers > x.texts && x.absent.total() > 0:
		return fmt.Sprintf("%s: each becomes a feature of its own; send null where a value is missing",
			x.absent.list(10))
	case x.numbers > 0 && (x.numbers > x.texts || s.format.Cells != nil):
		text := fmt.Sprintf("a number %s and a text %s: each text becomes a feature of its own", times(x.numbers),
			times(x.texts))
		if s.format.LabelField != "" && !s.decided(x) {
			text += fmt.Sprintf("; --categorical %s makes words of all", event.ShellList(x.name))
		}
		return text
	}
	return s.aboutTextsAlone(x, texts)
}

// aboutTextsAlone is aboutTexts of a field that has hardly anything else.
func (s *Survey) aboutTextsAlone(x *field, texts float64) string {
	n, people, word := x.count(), x.plain+x.numeric, s.options.IsWord(x.name)
	if word {
		people = x.numeric
	}
	switch {
	case texts == 0:
	case !word && float64(x.plain) >= nearlyAll*texts && (x.fraction || len(x.distinct) > categories):
		return fmt.Sprintf("numbers as text, as %s: each becomes a feature of its own; --numeric %s reads them as "+
			"numbers", x.example, event.ShellList(x.name))
	case float64(people) >= nearlyAll*texts && (x.fraction || x.signed || len(x.distinct) > categories):
		how := "without quotes, with a point"
		if x.signed {
			how = "alone, without signs as $ and %"
		}
		return fmt.Sprintf("numbers as text, as %s: each becomes a feature of its own; send numbers %s", x.example, how)
	case float64(x.dates) >= nearlyAll*texts && len(x.distinct) > 1:
		if name := event.ShellList(x.name); event.IsTime(strings.Trim(x.example, `"`)) {
			return fmt.Sprintf("times, as %s: each becomes a feature of its own; --time-parts %s makes features of "+
				"hour and day of the week, --ignore %s leaves it out", x.example, name, name)
		}
		return fmt.Sprintf("dates, as %s: each becomes a feature of its own; send what matters of them as numbers, "+
			"or --ignore %s", x.example, event.ShellList(x.name))
	case x.hasTexts():
		if s.options.TextField != "" {
			return fmt.Sprintf("texts of several words: each whole text becomes a feature of its own; --text-field is "+
				"one field, %s: --ignore %s leaves this one out, or join both", s.options.TextField,
				event.ShellList(x.name))
		}
		return fmt.Sprintf("texts of several words: each whole text becomes a feature of its own; --text-field %s "+
			"splits them into words", event.ShellWord(x.name))
	//mutation:repeated-words-are-no-ids
	case len(x.distinct) >= manyWords && 2*len(x.distinct) > n:
		return fmt.Sprintf("%d different texts in %d events: is it an id? Each becomes a feature of its own; "+
			"--ignore %s, or %s", len(x.distinct), n, event.ShellList(x.name), s.asID(x))
	}
	return ""
}

// spelledNumber reports whether one of the texts is a number to people, or to a column of numbers.
func (x *field) spelledNumber() bool { return x.plain+x.numeric > 0 }

// missingWith is the value of --missing that adds a word to those that are seen.
func (s *Survey) missingWith(word string) string {
	words := []string{word}
	for _, x := range s.fields.all {
		for _, known := range x.missing.names {
			if !slices.Contains(words, known) {
				words = append(words, known)
			}
		}
	}
	return event.ShellList(words...)
}

// asID says how a field becomes the id.
func (s *Survey) asID(x *field) string {
	if s.format.IDField == "" {
		return "send it as the tag"
	}
	return "--id-field " + event.ShellWord(x.path)
}

// hasTexts reports whether values are texts of several words, most of them different.
func (x *field) hasTexts() bool {
	return len(x.distinct) >= manyWords && 2*len(x.distinct) > x.count() && x.words >= 3*x.texts
}

// Texts says what to do with a field that is likely a text: one that was taken for the label, or a single one of the
// features; empty for none.
func (s *Survey) Texts() string {
	if x := s.labelField(); x != nil && s.format.Cells != nil && x.isText() {
		return WithAdvice(s.labels(""), s.textAdvice(x))
	}
	var text *field
	for _, x := range s.fields.all {
		switch {
		case x.role != feature || x.texts == 0 || !x.hasTexts():
		case text != nil:
			return ""
		default:
			text = x
		}
	}
	if text == nil {
		return ""
	}
	return fmt.Sprintf("%s: texts of several words: --text-field %s, too, splits them into words", text.name,
		event.ShellWord(text.path))
}
