package streamtest_test

import (
	"fmt"
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
	text, _, _ = strings.Cut(text, "\n## Mutations") // there names are patterns
	for _, name := range named.FindAllString(text, -1) {
		if len(all[name]) == 0 {
			t.Errorf("the README names %s, which is no test", name)
		}
	}
	const faults = 54
	for n := 1; n <= faults; n++ {
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^\| %d \| [^|]+ \| (.+) \|$`, n)).FindStringSubmatch(text)
		if row == nil || !strings.Contains(row[1], "`Test") && !strings.Contains(row[1], "many machines") {
			t.Errorf("fault %d has no test and no reason: %q", n, row)
		}
	}
}

// TestMutationsAreKnown: each mutation names a test that exists, changes files that exist, and is in the
// README's table.
func TestMutationsAreKnown(t *testing.T) {
	text, all := readme(t), tests(t)
	patches, err := filepath.Glob("mutations/*.patch")
	if err != nil || len(patches) < 20 {
		t.Fatalf("%d mutations: %v", len(patches), err)
	}
	head := regexp.MustCompile(`\A# test: go test \./(\S+) (?:.* )?-run '?([^'\s]+)'?[^\n]*\n# takes out: .+\n`)
	target := regexp.MustCompile(`(?m)^\+\+\+ b/(.+)$`)
	for _, path := range patches {
		patch, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".patch")
		m := head.FindSubmatch(patch)
		if m == nil {
			t.Errorf("%s does not begin with a test and what it takes out", path)
			continue
		}
		for _, test := range strings.Split(string(m[2]), "|") {
			if !matches(all, root+"/"+string(m[1]), test) {
				t.Errorf("%s: no test %s in %s", name, test, m[1])
			}
		}
		for _, f := range target.FindAllSubmatch(patch, -1) {
			if _, err := os.Stat(filepath.Join(root, string(f[1]))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !strings.Contains(text, "| `"+name+"` |") {
			t.Errorf("mutation %s is not in the README's table: run mutate", name)
		}
	}
}

// matches reports whether -run finds a test in a folder.
func matches(all map[string][]string, folder, pattern string) bool {
	pattern, _, _ = strings.Cut(pattern, "/")
	run := regexp.MustCompile(pattern)
	for name, folders := range all {
		for _, f := range folders {
			if f == folder && run.MatchString(name) {
				return true
			}
		}
	}
	return false
}
