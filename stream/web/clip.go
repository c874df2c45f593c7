package web

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clip cuts a text to at most n bytes, n over 3, of valid UTF-8. A cut text ends with "…".
func clip(s string, n int) string {
	const more = "…"
	if len(s) <= n && utf8.ValidString(s) {
		return s
	}
	if s = strings.ToValidUTF8(s[:min(len(s), 4*n)], "\ufffd"); len(s) <= n {
		return s
	}
	end := n - len(more)
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + more
}

// visible replaces invisible characters: controls, and marks that change the direction of writing.
func visible(r rune) rune {
	if r == ' ' || unicode.IsPrint(r) {
		return r
	}
	return utf8.RuneError
}
