package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// mark is a place in the source that a comment //mutation:NAME marks.
type mark struct {
	file string // relative to the module's root
}

var marked = regexp.MustCompile(`(?m)^\s*//mutation:([a-z0-9-]+)$`)

// findMarks finds the marks in all Go files below root but for tests.
func findMarks(root string) (map[string][]mark, error) {
	marks := map[string][]mark{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range marked.FindAllSubmatch(source, -1) {
			marks[string(m[1])] = append(marks[string(m[1])], mark{path})
		}
		return err
	})
	return marks, err
}

type edit struct {
	mark string
	op   op
	code string // of replace, before, after and with
	old  string // of with: what code replaces in the statement
	to   string // of above: the mark of the other statement in the file

	imports string // a package that code needs and the file does not import
}

func (e edit) marks() []string {
	if e.op == above {
		return []string{e.mark, e.to}
	}
	return []string{e.mark}
}

type op int

const (
	drop    op = iota // the statement is removed
	never             // the condition of an if or a case is false
	always            // the condition of an if or a case is true
	replace           // code takes the statement's place
	with              // in the statement code takes the place of old, which is there once
	before            // code is inserted before the statement
	after
	last  // the statement is deferred
	above // the statement moves up, before another one
)

func (e edit) apply(file, source string) (string, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, source, parser.ParseComments)
	if err != nil {
		return "", err
	}
	n, err := node(set, f, e.mark)
	if err != nil {
		return "", err
	}
	from, to := set.Position(n.Pos()).Offset, set.Position(n.End()).Offset
	if source[to] == ',' { // of an element in a literal
		to++
	}
	if e.op == above {
		other, err := node(set, f, e.to)
		if err != nil {
			return "", err
		}
		up := set.Position(other.Pos()).Offset
		return source[:up] + source[from:to] + "\n" + source[up:from] + source[to:], nil
	}
	text, err := e.change(source[from:to], n, func(p token.Pos) int { return set.Position(p).Offset - from })
	if err != nil {
		return "", fmt.Errorf("%s: //mutation:%s: %w", file, e.mark, err)
	}
	changed := source[:from] + text + source[to:]
	if e.imports != "" {
		end := set.Position(f.Name.End()).Offset
		changed = changed[:end] + fmt.Sprintf("\n\nimport %q\n", e.imports) + changed[end:]
	}
	return changed, nil
}

// node returns the outermost statement, case or element that begins on the line below the mark.
func node(set *token.FileSet, f *ast.File, mark string) (found ast.Node, err error) {
	line := 0
	for _, g := range f.Comments {
		for _, c := range g.List {
			if c.Text == "//mutation:"+mark {
				line = set.Position(c.Pos()).Line + 1
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case ast.Stmt, *ast.KeyValueExpr, *ast.ValueSpec:
			if found == nil && line > 0 && set.Position(n.Pos()).Line == line {
				found = n
			}
		}
		return found == nil
	})
	if found == nil {
		return nil, fmt.Errorf("%s: no statement below //mutation:%s", set.Position(f.Pos()).Filename, mark)
	}
	return found, nil
}

var errNoCondition = errors.New("no if and no case")

func (e edit) change(text string, n ast.Node, at func(token.Pos) int) (string, error) {
	switch e.op {
	case drop:
		return "", nil
	case replace:
		return e.code, nil
	case before:
		return e.code + "\n" + text, nil
	case after:
		return text + "\n" + e.code, nil
	case last:
		return "defer func() {\n" + text + "\n}()", nil
	case with:
		if strings.Count(text, e.old) != 1 {
			return "", fmt.Errorf("%q is there %d times", e.old, strings.Count(text, e.old))
		}
		return strings.Replace(text, e.old, e.code, 1), nil
	}
	var conditions []ast.Expr
	switch n := n.(type) {
	case *ast.IfStmt:
		conditions = []ast.Expr{n.Cond}
	case *ast.CaseClause:
		conditions = n.List
	}
	if len(conditions) == 0 {
		return "", errNoCondition
	}
	var any []string
	for _, c := range conditions {
		any = append(any, text[at(c.Pos()):at(c.End())])
	}
	condition := "(" + strings.Join(any, " || ") + ") && false"
	if e.op == always {
		condition = "(" + strings.Join(any, " || ") + ") || true"
	}
	return text[:at(conditions[0].Pos())] + condition + text[at(conditions[len(conditions)-1].End()):], nil
}

func writeOverlay(dir string, replace map[string]string) (string, error) {
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, b, 0o600)
}
