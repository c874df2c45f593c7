package event

import (
	"bytes"

	"rosenblatt/learner"
)

// The class of an example in a task of several classes is a text of its own for each way in which JSON can say it: a number, true or
// false stands as it was written (1 and 1.0 are two classes), a string as its content. A string that would then look like
// one of those, is empty, or begins with a quote stands in quotes, as a JSON token: the string "1" is not the number 1. In the other formats a word is
// what JSON would make of it bare, so 1 there is the number.

// multi says whether labels are classes.
func (o *Options) multi() bool { return o.Task == Multiclass }

// stringClass takes a label that is the JSON string raw, at offset i of the event.
func (d *Decoder) stringClass(raw []byte, i int) {
	if bytes.IndexByte(raw, '\\') < 0 {
		class := raw[1 : len(raw)-1]
		if mustQuote(class) {
			class = raw
		}
		d.class(class)
		return
	}
	text, scratch, _ := d.str(i, d.text)
	d.text = scratch
	if mustQuote(text) {
		d.class(AppendQuoted(nil, text))
		return
	}
	d.class(bytes.Clone(text)) // scratch memory does not last
}

// wordClass takes a label of a text format, which lies in the event.
func (d *Decoder) wordClass(word []byte) {
	if word[0] == '"' {
		word = AppendQuoted(nil, word)
	}
	d.class(word)
}

// class takes the text of a class.
func (d *Decoder) class(text []byte) {
	if len(text) > learner.MaxClassBytes {
		d.failed.add(BadLabel, "the label %v has %d bytes, more than %d", quoted(text), len(text), learner.MaxClassBytes)
		return
	}
	d.example.Class, d.example.Family = text, Named
}

// mustQuote says whether the content of a string cannot stand for itself.
func mustQuote(content []byte) bool {
	return len(content) == 0 || content[0] == '"' || isTokenText(content)
}

// AppendClassKey appends the text of a class as the name of a JSON object's member.
func AppendClassKey(dst []byte, class string) []byte { return AppendQuoted(dst, view(class)) }

// AppendClass appends a class, as Example.Class has it, as a JSON value, spelled as the user spelled it.
func AppendClass(dst []byte, class string) []byte { return AppendClassText(dst, view(class)) }

// AppendClassText is AppendClass for Example.Class itself.
func AppendClassText(dst, class []byte) []byte {
	if len(class) != 0 && class[0] == '"' || isTokenText(class) {
		return append(dst, class...)
	}
	return AppendQuoted(dst, class)
}
