// Command mutate takes the protections of the promise out one at a time and shows that a test notices:
//
//	go run ./stream/streamtest/mutate [NAME ...]
//
// A protection is a statement, a case or an element of a literal. The comment //mutation:NAME on the line above marks
// it. A row of the files table_*.go says what happens to it. A row of the README of streamtest says what that takes out
// and which test has to fail. A mark moves with its statement and names no identifier, so renames and moves leave most
// mutations as they are.
//
// Each test has to pass without the mutation and fail with it. The compiler gets the changed files as an overlay. A
// mark without a row, a row without a mark, and a mutation that does not compile are errors. Standard output ends
// with a table in Markdown. Exit code 1 if a mutant survives.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	limit := flag.Duration("limit", 5*time.Minute, "time for one test; one that takes longer has failed")
	flag.Parse()
	if err := run(flag.Args(), *limit); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(names []string, limit time.Duration) error {
	marks, err := findMarks(".")
	if err != nil {
		return err
	}
	if err := compare(marks); err != nil {
		return err
	}
	for _, name := range names {
		if !slices.ContainsFunc(table, func(m mutation) bool { return m.name == name }) {
			return fmt.Errorf("no mutation %q", name)
		}
	}
	rows, err := readRows("stream/streamtest/README.md")
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }() // a folder of the system's temporary ones
	r := runner{marks: marks, described: rows, temp: temp, limit: limit, passed: map[string]bool{}}
	for i := range table {
		m := &table[i]
		if len(names) > 0 && !slices.Contains(names, m.name) {
			continue
		}
		if err := r.try(m); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", m.name, err)
			r.failed++
		}
	}
	fmt.Printf("\n| mutation | takes out | test | result |\n|---|---|---|---|\n%s", strings.Join(r.rows, ""))
	if r.failed > 0 {
		return fmt.Errorf("%d mutations survive or are in error", r.failed)
	}
	return nil
}

// compare reports marks without a row and rows without a mark.
func compare(marks map[string][]mark) error {
	var errs []error
	rows := map[string]bool{}
	for _, m := range table {
		for _, e := range m.edits {
			for _, mark := range e.marks() {
				rows[mark] = true
				if n := len(marks[mark]); n != 1 {
					errs = append(errs, fmt.Errorf("//mutation:%s marks %d places, not one", mark, n))
				}
			}
		}
	}
	for name, at := range marks {
		if !rows[name] {
			errs = append(errs, fmt.Errorf("%s: //mutation:%s is in no row of the table", at[0].file, name))
		}
	}
	return errors.Join(errs...)
}

type runner struct {
	marks     map[string][]mark
	described map[string]described
	temp      string
	limit     time.Duration
	passed    map[string]bool // tests that passed without a mutation
	rows      []string
	failed    int
}

// try runs the test without and with the mutation.
func (r *runner) try(m *mutation) error {
	row := r.described[m.name]
	if key := row.pkg + " " + row.test; !r.passed[key] {
		out, err := r.test(row)
		if err != nil || !strings.Contains(out, "--- PASS") || strings.Contains(out, "--- SKIP") {
			return fmt.Errorf("its test does not pass without it\n%s", out)
		}
		r.passed[key] = true
	}
	overlay, err := r.overlay(m)
	if err != nil {
		return err
	}
	begin := time.Now()
	out, err := r.test(row, "-overlay", overlay)
	if broken.MatchString(out) {
		return fmt.Errorf("it does not compile\n%s", out)
	}
	result := "**survives**"
	if err != nil {
		red := failures.FindAllStringSubmatch(out, -1)
		result = fmt.Sprintf("fails in %.0f s", time.Since(begin).Seconds())
		if len(red) > 0 {
			result += ": " + red[0][1]
		}
	}
	fmt.Fprintf(os.Stderr, "%-28s %s\n", m.name, result)
	test := fmt.Sprintf("%s -run '%s'", row.pkg, strings.ReplaceAll(row.test, "|", `\|`))
	r.rows = append(r.rows, fmt.Sprintf("| `%s` | %s | `%s` | %s |\n", m.name, row.what, test, result))
	if err == nil {
		return errors.New("it survives")
	}
	return nil
}

var (
	failures = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)
	broken   = regexp.MustCompile(`(?m)^FAIL.*\[(build|setup) failed\]`)
)

func (r *runner) test(row described, flags ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), r.limit)
	defer cancel()
	args := append([]string{"test", "-count=1", "-failfast", "-v", "-run", row.test}, flags...)
	c := exec.CommandContext(ctx, "go", append(args, row.pkg)...)
	c.WaitDelay = 5 * time.Second
	out, err := c.CombinedOutput()
	return string(out), err
}

// overlay writes the changed files and the list of them for the go command.
func (r *runner) overlay(m *mutation) (string, error) {
	files := map[string]string{}
	for _, e := range m.edits {
		at := r.marks[e.mark][0]
		source, ok := files[at.file]
		if !ok {
			b, err := os.ReadFile(at.file)
			if err != nil {
				return "", err
			}
			source = string(b)
		}
		changed, err := e.apply(at.file, source)
		if err != nil {
			return "", err
		}
		files[at.file] = changed
	}
	replace := map[string]string{}
	for file, source := range files {
		path := filepath.Join(r.temp, strings.ReplaceAll(file, string(filepath.Separator), "_"))
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			return "", err
		}
		replace[file] = path
	}
	return writeOverlay(r.temp, replace)
}
