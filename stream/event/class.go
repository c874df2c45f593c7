package event

import (
	"bytes"

	"rosenblatt/learner"
)

// A class of a Multiclass task is a text, one for each way to write it in JSON. A number, true or false is its token as
// written, so 1 and 1.0 are two classes. A string is its content, except that one which would be taken for a token, is
// empty, or begins with a quote keeps its quotes: the string "1" is not the number 1. A word of another format is what
// JSON would make of it without quotes, so 1 is the number there.

// multi reports whether labels are classes.
func (o *Options) multi() bool { return o.Task == Multiclass }

// classLabels stores labels as classes.
type classLabels struct{}

func (classLabels) token(s *sink, text []byte, _ bool, _ float64) { s.class(text) }

func (classLabels) quoted(s *sink, raw, text []byte) {
	switch escaped := len(raw) != len(text)+2; {
	case mustQuote(text) && escaped:
		s.class(AppendQuoted(nil, text))
	case mustQuote(text):
		s.class(raw)
	case escaped:
		s.class(bytes.Clone(text)) // scratch memory is reused
	default:
		s.class(text)
	}
}

func (classLabels) word(s *sink, word []byte) {
	if word[0] == '"' {
		word = AppendQuoted(nil, word)
	}
	s.class(word)
}

// class stores the text of a class.
func (s *sink) class(text []byte) {
	if len(text) > learner.MaxClassBytes {
		s.failed.add(BadLabel, -1, "the label %v has %d bytes, more than %d%s",
			quoted(text), len(text), learner.MaxClassBytes, s.setting(labelRole))
		return
	}
	s.example.Class, s.example.Family = text, Named
}

// mustQuote reports whether a string with this content keeps its quotes.
func mustQuote(content []byte) bool {
	return len(content) == 0 || content[0] == '"' || isTokenText(content)
}

// AppendClassKey appends the text of a class as the key of a JSON object's member.
func AppendClassKey(dst []byte, class string) []byte { return AppendQuoted(dst, view(class)) }

// AppendClass appends a class, in the form of Example.Class, as a JSON value, spelled as the user spelled it.
func AppendClass(dst []byte, class string) []byte { return AppendClassText(dst, view(class)) }

// AppendClassText is AppendClass for Example.Class itself.
func AppendClassText(dst, class []byte) []byte {
	if len(class) != 0 && class[0] == '"' || isTokenText(class) {
		return append(dst, class...)
	}
	return AppendQuoted(dst, class)
}
