package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"one line", "One. Two! Three?", []string{"One.", "Two!", "Three?"}},
		{"over lines", "It is\nlong. It\nends.", []string{"It is long.", "It ends."}},
		{"no end within names and numbers", "See a.b, 1.5 and x.go. End.", []string{"See a.b, 1.5 and x.go.", "End."}},
		{"an ellipsis goes on", "It counts 1, 2, 3 ... over all. So it does.",
			[]string{"It counts 1, 2, 3 ... over all.", "So it does."}},
		{"in brackets and quotes", `(It ends.) "Here." There.`, []string{"(It ends.)", `"Here."`, "There."}},
		{"code", "Type `go test ./... -run X` now. `check` does it.", []string{"Type Code now.", "Code does it."}},
		{"links", "See [the page](a.md#b). <https://example.org> too.", []string{"See the page.", "Address too."}},
		{"emphasis", "**Order.** It *is*.", []string{"Order.", "It is."}},
		{"headings, tables, fences", "# A title\n\n| a. B | c |\n|---|---|\n\n```sh\nls. Do\n```\n\nText.",
			[]string{"Text."}},
		{"items", "- one\n- two\n  goes on\n\n1. three\n", []string{"one", "two goes on", "three"}},
		{"a quotation", "> Said\n> so.", []string{"Said so."}},
		{"code of a comment", "Text:\n\n    code here. And here\n\nMore.", []string{"Text:", "More."}},
		{"an item's second paragraph", "- one\n\n    not code\n", []string{"one", "not code"}},
	} {
		if got := sentences(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	if n := words("A - b: 2 × w·x, and (so) on."); n != 7 {
		t.Errorf("%d words", n)
	}
}

func TestJudge(t *testing.T) {
	of := func(n int) string { return strings.Repeat("word ", n-1) + "end." }
	short := slices.Repeat([]string{of(5)}, 18)
	for _, c := range []struct {
		name string
		all  []string
		bad  bool
	}{
		{"short", short, false},
		{"the longest", append(slices.Clone(short), of(most)), false},
		{"one too long", append(slices.Clone(short), of(most+1)), true},
		{"one in ten", append(slices.Clone(short), of(few), of(few)), false},
		{"more than one in ten", append(slices.Clone(short), of(few), of(few), of(few)), true},
		{"one of few", []string{of(few)}, false},
		{"two of few", []string{of(few), of(few)}, true},
	} {
		if report := judge("page", c.all); report != "" != c.bad {
			t.Errorf("%s: %q", c.name, report)
		}
	}
}

// TestRun reads a page and a package comment, and finds the sentence that is too long in each.
func TestRun(t *testing.T) {
	top := t.TempDir()
	long := strings.TrimSpace(strings.Repeat("word ", most+1)) + "."
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(top, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range documents {
		write(path, "Short.\n")
	}
	write(guide+"/page.md", long)
	write("a/doc.go", "// Package a is "+long+"\npackage a\n")
	write("a/b.go", "package a\n\n// B is "+long+"\nvar B int\n")
	write("a/testdata/c.go", "not Go")
	paths, err := find(top)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	bad, err := run(paths, &out)
	if err != nil || bad != 2 || !strings.Contains(out.String(), "page.md: 36 words") ||
		!strings.Contains(out.String(), "doc.go: 39 words") {
		t.Errorf("%d, %v: %s", bad, err, out.String())
	}
}

// TestRepository holds the documents and package comments of this project to the limits.
func TestRepository(t *testing.T) {
	paths, err := find("../../..")
	if err != nil || len(paths) < 100 {
		t.Fatal(len(paths), err)
	}
	var out bytes.Buffer
	if bad, err := run(paths, &out); err != nil || bad > 0 {
		t.Errorf("%d, %v: %s", bad, err, out.String())
	}
}
