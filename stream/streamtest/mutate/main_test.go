package main

import (
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestMutationsFitTheCode applies each mutation, without running its test: that takes minutes.
func TestMutationsFitTheCode(t *testing.T) {
	rows, err := readRows("../README.md")
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
		if row := rows[m.name]; !hasTest(t, row.pkg, row.test) {
			t.Errorf("%s: no test %s in %s", m.name, row.test, row.pkg)
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
