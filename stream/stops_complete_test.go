package stream_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryStopIsComplete: wherever a stop is made it has a name, says what happened, what is safe and what to do, and
// its name is in the table of stops.
func TestEveryStopIsComplete(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for _, path := range append(files, more...) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			fn, ok := n.(*ast.FuncDecl)
			if !ok {
				return true
			}
			later := assigned(fn)
			ast.Inspect(fn, func(n ast.Node) bool {
				if keys := stopKeys(n); keys != nil {
					made++
					for _, part := range []string{"Name", "What", "Safe", "Do"} {
						if !keys[part] && !later[part] {
							t.Errorf("%s: a stop without %s", set.Position(n.Pos()), part)
						}
					}
				}
				return true
			})
			return false
		})
	}
	if made < 18 {
		t.Errorf("only %d places found that make a stop", made)
	}
	reference, err := os.ReadFile("../cmd/rosenblatt/reference/stops.md")
	if err != nil {
		t.Fatal(err)
	}
	protocol, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("stops/stop.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^\t\w+ += "([a-z-]+)"$`).FindAllSubmatch(source, -1)
	if len(names) < 20 {
		t.Errorf("only %d names found", len(names))
	}
	for _, m := range names {
		if !strings.Contains(string(reference), "\n| `"+string(m[1])+"` |") {
			t.Errorf("the stop %s is not in the table of stops", m[1])
		}
		if !strings.Contains(string(protocol), "`"+string(m[1])+"`") {
			t.Errorf("the stop %s is not in PROTOCOL.md", m[1])
		}
	}
}

// assigned are the fields of a stop that a function sets behind the literal.
func assigned(fn *ast.FuncDecl) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, left := range a.Lhs {
				if s, ok := left.(*ast.SelectorExpr); ok {
					out[s.Sel.Name] = true
				}
			}
		}
		return true
	})
	return out
}

// stopKeys are the fields that a literal of a stop gives, nil for any other node.
func stopKeys(n ast.Node) map[string]bool {
	lit, ok := n.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	typ, ok := lit.Type.(*ast.SelectorExpr)
	if !ok || typ.Sel.Name != "Error" {
		return nil
	}
	if from, ok := typ.X.(*ast.Ident); !ok || from.Name != "stops" {
		return nil
	}
	keys := map[string]bool{}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				keys[id.Name] = true
			}
		}
	}
	return keys
}
