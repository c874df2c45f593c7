package main

import (
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMutationsFitTheCode applies each mutation, without running its test: that takes minutes. Each has a row in the
// README, too.
func TestMutationsFitTheCode(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../..")
	marks, err := findMarks(".")
	if err != nil {
		t.Fatal(err)
	}
	if err := compare(marks); err != nil {
		t.Fatal(err)
	}
	for _, m := range table {
		if !strings.Contains(string(readme), "\n| `"+m.name+"` | "+m.what+" |") {
			t.Errorf("%s: no such row in stream/streamtest/README.md: run it and put its row there", m.name)
		}
		if !hasTest(t, m.pkg, m.test) {
			t.Errorf("%s: no test %s in %s", m.name, m.test, m.pkg)
		}
		for _, e := range m.edits {
			file := marks[e.mark][0].file
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			changed, err := e.apply(file, string(source))
			if err != nil {
				t.Errorf("%s: %v", m.name, err)
			} else if _, err := format.Source([]byte(changed)); err != nil {
				t.Errorf("%s: %s: %v", m.name, file, err)
			}
		}
	}
}

// hasTest reports whether -run finds a test in a package.
func hasTest(t *testing.T, pkg, pattern string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^func (` + pattern + `)`)
	for _, file := range files {
		if source, err := os.ReadFile(file); err != nil {
			t.Fatal(err)
		} else if declared.Match(source) {
			return true
		}
	}
	return false
}
