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

func (classLabels) token(d *Decoder, text []byte, _ bool, _ float64) { d.class(text) }

func (classLabels) quoted(p *jsonParser, raw []byte, i int) {
	if bytes.IndexByte(raw, '\\') < 0 {
		class := raw[1 : len(raw)-1]
		if mustQuote(class) {
			class = raw
		}
		p.class(class)
		return
	}
	text, _ := p.str(i, &p.text)
	if mustQuote(text) {
		p.class(AppendQuoted(nil, text))
		return
	}
	p.class(bytes.Clone(text)) // scratch memory is reused
}

func (classLabels) word(d *Decoder, word []byte) {
	if word[0] == '"' {
		word = AppendQuoted(nil, word)
	}
	d.class(word)
}

// class stores the text of a class.
func (d *Decoder) class(text []byte) {
	if len(text) > learner.MaxClassBytes {
		d.failed.add(BadLabel, -1, "the label %v has %d bytes, more than %d",
			quoted(text), len(text), learner.MaxClassBytes)
		return
	}
	d.example.Class, d.example.Family = text, Named
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
