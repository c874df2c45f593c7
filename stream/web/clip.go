package web

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clip is the beginning of a text in at most n bytes, n over 3, as valid UTF-8. "…" ends it where something is left out.
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

// visible replaces what would be seen in its effect on other text only: controls, and marks that turn the direction of writing.
func visible(r rune) rune {
	if r == ' ' || unicode.IsPrint(r) {
		return r
	}
	return utf8.RuneError
}
