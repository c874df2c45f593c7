package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

const guideIndex = "cmd/rosenblatt/README.md"

// guidePages are the pages of the operator's guide, in the order in which its index has them.
func guidePages(t *testing.T) (paths []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^\| \[[^\]]+\]\((docs/[\w-]+\.md)\) \|`).FindAllStringSubmatch(
		page(t, guideIndex), -1) {
		paths = append(paths, "cmd/rosenblatt/"+m[1])
	}
	return paths
}

// guide is the text of the operator's guide: its index and all its pages.
func guide(t *testing.T) string {
	t.Helper()
	text := page(t, guideIndex)
	for _, path := range guidePages(t) {
		text += "\n" + page(t, path)
	}
	return text
}

// documents are the pages whose commands are run, in the order in which a reader meets them.
func documents(t *testing.T) []string {
	t.Helper()
	pages := append([]string{"README.md", guideIndex}, guidePages(t)...)
	return append(pages, "stream/PROTOCOL.md", ".github/CONTRIBUTING.md")
}

var (
	fenced    = regexp.MustCompile("(?s)```([a-z]*)\n(.*?)```")
	heading   = regexp.MustCompile(`(?m)^#+ (.+)$`)
	linked    = regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)
	cited     = regexp.MustCompile(`([\w/.]+\.md), "([^"\n]+)"`)
	namedFile = regexp.MustCompile("`(Test\\w+|(?:cmd|stream|learner|checkpoint|\\.ci)/[\\w./*-]+)")

	notAWord = regexp.MustCompile(`[^\pL\pN _-]`)
)

func page(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// commandLines are the lines of a page's blocks of shell commands.
func commandLines(t *testing.T, path string) (all []string) {
	t.Helper()
	for _, block := range fenced.FindAllStringSubmatch(page(t, path), -1) {
		if block[1] == "sh" {
			all = append(all, strings.Split(strings.TrimSpace(block[2]), "\n")...)
		}
	}
	return all
}

// headings are a page's headings; anchors the names under which GitHub links to them.
func headings(t *testing.T, path string) (titles, anchors []string) {
	t.Helper()
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(page(t, path), ""), -1) {
		titles = append(titles, m[1])
		anchors = append(anchors, "#"+strings.ReplaceAll(strings.ToLower(notAWord.ReplaceAllString(m[1], "")), " ",
			"-"))
	}
	return titles, anchors
}

// files lists the files of the repository with an extension.
func files(t *testing.T, ext string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if rel, _ := filepath.Rel(top, path); err == nil && filepath.Ext(path) == ext {
			paths = append(paths, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatal(len(paths), err)
	}
	return paths
}

// TestDocumentsLink: every relative link leads to a file and, if it names one, a heading.
func TestDocumentsLink(t *testing.T) {
	t.Parallel()
	for _, path := range files(t, ".md") {
		for _, m := range linked.FindAllStringSubmatch(fenced.ReplaceAllString(page(t, path), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			to := path
			if m[1] != "" {
				to = filepath.ToSlash(filepath.Join(filepath.Dir(path), m[1]))
			}
			if _, err := os.Stat(filepath.Join(top, to)); err != nil {
				t.Errorf("%s: %v", path, err)
			} else if m[2] != "" {
				if _, anchors := headings(t, to); !slices.Contains(anchors, m[2]) {
					t.Errorf("%s: %s has no heading %s", path, to, m[2])
				}
			}
		}
	}
}

// TestNamedFilesExist: the pages name files and tests that are there.
func TestNamedFilesExist(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	for _, path := range files(t, ".go") {
		if strings.HasSuffix(path, "_test.go") {
			code.WriteString(page(t, path))
		}
	}
	for _, path := range documents(t) {
		text := recipes.ReplaceAllString(page(t, path), "")
		for _, m := range namedFile.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], "Test") {
				if !strings.Contains(code.String(), "\nfunc "+m[1]+"(") {
					t.Errorf("%s names %s, which is no test", path, m[1])
				}
			} else if found, err := filepath.Glob(filepath.Join(top, m[1])); err != nil || len(found) == 0 {
				t.Errorf("%s names %s, which is not there", path, m[1])
			}
		}
	}
}

// TestCitedHeadingsExist: comments cite pages as PROTOCOL.md, "Takeover".
func TestCitedHeadingsExist(t *testing.T) {
	t.Parallel()
	count := 0
	for _, path := range files(t, ".go") {
		for _, m := range cited.FindAllStringSubmatch(page(t, path), -1) {
			to := m[1]
			if !strings.Contains(to, "/") {
				to = "stream/" + to
			}
			if titles, _ := headings(t, to); !slices.Contains(titles, m[2]) {
				t.Errorf("%s cites %s, %q", path, m[1], m[2])
			}
			count++
		}
	}
	if count < 10 {
		t.Errorf("only %d citations found", count)
	}
}

// TestGuideIndex: the index has every page once, and a page is short enough to be read.
func TestGuideIndex(t *testing.T) {
	t.Parallel()
	pages := guidePages(t)
	for _, path := range files(t, ".md") {
		if strings.HasPrefix(path, "cmd/rosenblatt/docs/") && !slices.Contains(pages, path) {
			t.Errorf("%s does not list %s", guideIndex, path)
		}
	}
	for i, path := range pages {
		text := page(t, path)
		if n := len(text); n > 10_000 {
			t.Errorf("%s has %d bytes, want 10,000 at most", path, n)
		}
		if slices.Contains(pages[:i], path) {
			t.Errorf("%s lists %s twice", guideIndex, path)
		}
		if !regexp.MustCompile(`^# .+\n\nFor `).MatchString(text) {
			t.Errorf("%s does not begin with whom it is for", path)
		}
	}
	if len(pages) < 15 {
		t.Errorf("only %d pages", len(pages))
	}
}

// TestReadmeIsShort: a newcomer reads it to the end.
func TestReadmeIsShort(t *testing.T) {
	t.Parallel()
	if n := len(page(t, "README.md")); n > 10_000 {
		t.Errorf("README.md has %d bytes, want 10,000 at most", n)
	}
}

// TestReadmeTables: every format is there, with the endings of its files and its scaling, and every learner with its
// parameters.
func TestReadmeTables(t *testing.T) {
	t.Parallel()
	text := page(t, "README.md")
	check := func(name string, wanted []string) {
		row := regexp.MustCompile("(?m)^\\| [^|]*`" + name + "`[^|]* \\|.*$").FindString(text)
		for _, want := range append(wanted, name) {
			if !strings.Contains(row, "`"+want) {
				t.Errorf("%s: no %s in the row %q", name, want, row)
			}
		}
	}
	for _, f := range event.Formats() {
		check(f.Name, append(f.Endings, f.Scale))
	}
	for _, l := range learner.Learners() {
		var keys []string
		for _, p := range l.Parameters {
			if p.Key != "bias" && !strings.HasSuffix(p.Key, "-weight") { // those of all learners
				keys = append(keys, p.Key)
			}
		}
		check(l.Name, keys)
	}
}
