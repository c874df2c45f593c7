package main

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	fences  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	item    = regexp.MustCompile(`^\s*([-*]|\d+\.)\s+`)
	codes   = regexp.MustCompile("``.+?``|`[^`]+`")
	links   = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	address = regexp.MustCompile(`<https?://[^>]*>`)
	marks   = strings.NewReplacer("**", "", "*", "")
	// A sentence ends at a full stop and the like, in quotes or brackets too, before what may begin another one.
	end = regexp.MustCompile(`[.?!][")’”]*\s+["(“]?[\p{Lu}\p{N}]`)
)

// sentences returns the sentences of a text in Markdown or of a package comment: its paragraphs and items of lists,
// without headings, tables and code.
func sentences(text string) (all []string) {
	for _, block := range blocks(fences.ReplaceAllString(text, "")) {
		block = codes.ReplaceAllString(block, "Code")
		block = address.ReplaceAllString(links.ReplaceAllString(block, "$1"), "Address")
		all = append(all, split(marks.Replace(block))...)
	}
	return all
}

// blocks returns the paragraphs and items of a text, each on one line.
func blocks(text string) (all []string) {
	var open []string
	flush := func() {
		if len(open) > 0 {
			all = append(all, strings.Join(open, " "))
		}
		open = nil
	}
	listed := false // within a list, where what is indented is no code
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n ")
		switch indented := strings.HasPrefix(line, "    "); {
		case line == "":
			flush()
		case item.MatchString(line):
			flush()
			listed, open = true, []string{item.ReplaceAllString(line, "")}
		case line[0] == '#' || line[0] == '|' || indented && !listed && open == nil:
			flush()
		default:
			listed = listed && (open != nil || line[0] == ' ')
			open = append(open, strings.TrimSpace(strings.TrimPrefix(line, "> ")))
		}
	}
	flush()
	return all
}

func split(block string) (all []string) {
	for {
		at := end.FindStringIndex(block)
		if at == nil {
			return append(all, block)
		}
		cut := at[0] + strings.IndexFunc(block[at[0]:], unicode.IsSpace)
		all, block = append(all, block[:cut]), strings.TrimSpace(block[cut:])
	}
}

// words counts what has a letter or a digit.
func words(sentence string) (n int) {
	for word := range strings.FieldsSeq(sentence) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}
