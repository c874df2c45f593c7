package event

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// Charset makes UTF-8 of text in an encoding. One goroutine at a time may use it.
type Charset struct {
	// Lines says that lines end in the bytes LF and CR LF, as in UTF-8, so that each can be read by itself.
	Lines bool

	name    string
	from    encoding.Encoding
	decoder *encoding.Decoder
}

// NewCharset returns the one that an encoding's name means, as FindEncoding takes it; nil for UTF-8.
func NewCharset(name string) (*Charset, error) {
	from, name, err := FindEncoding(name)
	if from == nil || err != nil {
		return nil, err
	}
	c := &Charset{name: name, from: from, decoder: from.NewDecoder()}
	const plain = "\t\r\n ,;{}\"'azAZ09"
	text, err := c.decoder.String(plain)
	c.Lines = err == nil && text == plain
	return c, nil
}

// Name is the one name of the encoding.
func (c *Charset) Name() string { return c.name }

// Decoder returns a decoder for a reader.
func (c *Charset) Decoder() *encoding.Decoder { return c.from.NewDecoder() }

// Append appends text in UTF-8. If the encoding lacks bytes of it, the error names the first of them, and a byte that
// is not UTF-8 stands in the place of each.
func (c *Charset) Append(out, text []byte) ([]byte, *Error) {
	start := len(out)
	out, _, err := transform.Append(c.decoder, out, text)
	if err == nil && !bytes.Contains(out[start:], replacement) {
		return out, nil
	}
	at, size := c.lacks(text)
	//mutation:lacking-bytes-named
	if at < 0 {
		return out, nil
	}
	lacking := fmt.Sprintf("%v is not %s; %s", quoted(text[at:at+size]), c.name, EncodingAdvice(text, c.name))
	return append(out[:start], MarkReplaced(bytes.Clone(out[start:]))...), &Error{Encoding, at, lacking}
}

// lacks finds the first bytes that have no meaning in the encoding; at is -1 if all have one.
func (c *Charset) lacks(text []byte) (at, size int) {
	var one [2 * utf8.UTFMax]byte
	d := c.Decoder()
	for at < len(text) {
		written, read := 0, 0
		for end := at + 1; read == 0 && end <= len(text); end++ { // a character more
			written, read, _ = d.Transform(one[:], text[at:end], end == len(text))
		}
		if read == 0 {
			return at, len(text) - at
		}
		if bytes.Contains(one[:written], replacement) && !c.means(text[at:at+read]) {
			return at, read
		}
		at += read
	}
	return -1, 0
}

// means reports whether bytes are the replacement character itself, which a text may hold.
func (c *Charset) means(raw []byte) bool {
	written, err := c.from.NewEncoder().Bytes(replacement)
	return err == nil && bytes.HasSuffix(written, raw)
}

// usualEncodings are those that are tried for a text, as people call them.
var usualEncodings = []string{"utf-8", "cp1252", "gbk", "shift_jis", "euc-kr", "big5"}

// EncodingAdvice says which of the usual encodings read a text that another one does not; empty is UTF-8.
func EncodingAdvice(text []byte, not string) string {
	var fit []string
	if seems := SeemsUTF16(text); seems != "" && seems != not {
		fit = append(fit, seems)
	}
	for _, name := range usualEncodings {
		if readable(text, name, not) {
			fit = append(fit, name)
		}
	}
	switch len(fit) {
	case 0:
		return "mend it where the events are made"
	case 1:
		return "--encoding " + fit[0] + " reads it"
	}
	return "--encoding " + fit[0] + " reads it, or " + strings.Join(fit[1:], ", ")
}

// readable reports whether an encoding makes text of bytes that another one does not.
func readable(text []byte, name, not string) bool {
	from, canonical, err := FindEncoding(name)
	if err != nil || canonical == not {
		return false
	}
	if from == nil {
		return utf8.Valid(text)
	}
	out, err := from.NewDecoder().Bytes(text)
	return err == nil && !slices.ContainsFunc([]rune(string(out)), func(r rune) bool {
		return r == utf8.RuneError || unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r'
	})
}
