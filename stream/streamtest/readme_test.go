package streamtest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

var (
	named    = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z][A-Za-z0-9_]*`)
	declared = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z][A-Za-z0-9_]*)\(`)
)

// tests are all tests of the project, with their folders.
func tests(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			found[string(m[1])] = append(found[string(m[1])], filepath.ToSlash(filepath.Dir(path)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeNamesTests: every test that the README names exists, and every fault has one or a reason.
func TestReadmeNamesTests(t *testing.T) {
	text, all := readme(t), tests(t)
	text, _, _ = strings.Cut(text, "\n## Mutations") // there names are patterns: see mutate/main_test.go
	for _, name := range named.FindAllString(text, -1) {
		if len(all[name]) == 0 {
			t.Errorf("the README names %s, which is no test", name)
		}
	}
	_, text, _ = strings.Cut(text, "\n| fault | shown by |\n|---|---|\n")
	text, _, _ = strings.Cut(text, "\n\n")
	rows := regexp.MustCompile(`(?m)^\| (.+) \| (.+) \|$`).FindAllStringSubmatch(text, -1)
	if len(rows) < 54 {
		t.Errorf("only %d faults", len(rows))
	}
	met := map[string]bool{}
	for _, row := range rows {
		if met[row[1]] {
			t.Errorf("two rows are about %q", row[1])
		}
		met[row[1]] = true
		if !strings.Contains(row[2], "`Test") && !strings.Contains(row[2], "many machines") {
			t.Errorf("fault %s has no test and no reason: %q", row[1], row)
		}
	}
}
