package event

import (
	"unicode/utf8"
	"unsafe"
)

// AppendQuoted appends text as a JSON string. It escapes only what JSON requires: quotes, backslashes and control
// characters (RFC 8259, section 7). A byte that is not UTF-8 becomes U+FFFD, so that the result is valid for any text.
func AppendQuoted(dst, text []byte) []byte {
	return append(appendEscaped(append(dst, '"'), text), '"')
}

// appendEscaped is AppendQuoted without the quotes.
func appendEscaped(dst, text []byte) []byte {
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			if r, n := utf8.DecodeRune(text[i:]); r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		dst = appendEscape(append(dst, text[from:i]...), c)
		i++
		from = i
	}
	return append(dst, text[from:]...)
}

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch {
	case c >= utf8.RuneSelf:
		return append(dst, "\ufffd"...)
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, '\\', 'n')
	case c == '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// view returns the bytes of a string, which must not be written to.
func view(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
