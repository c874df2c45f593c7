package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	recipes    = regexp.MustCompile(`(?s)\n## Adding a .*\n## Decisions`)
	backTicked = regexp.MustCompile("`([^`\n]+)`")
	identifier = regexp.MustCompile(`^\*?[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$`)
	fileName   = regexp.MustCompile(`^[\w./-]+\.(go|js|json|py|md)$`)
)

// toCome are names in the recipes that a reader is told to make.
var toCome = []string{"tsv", "newTSV", "stream/event/tsv.go"}

// declared are the names that Go code declares outside functions: types, functions, methods, fields, constants and
// variables.
func declared(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, path := range files(t, ".go") {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(top, path), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				names[n.Name.Name] = true
			case *ast.TypeSpec:
				names[n.Name.Name] = true
			case *ast.Field:
				for _, name := range n.Names {
					names[name.Name] = true
				}
				names[embeddedName(n)] = true
			case *ast.ValueSpec:
				for _, name := range n.Names {
					names[name.Name] = true
				}
			case *ast.BlockStmt:
				return false // what is local to a function is no name to look for
			}
			return true
		})
	}
	return names
}

func embeddedName(f *ast.Field) string {
	x := f.Type
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	if id, ok := x.(*ast.Ident); ok && len(f.Names) == 0 {
		return id.Name
	}
	return ""
}

// TestRecipesNameWhatIsThere: each name in back-ticks in the recipes is a file, a package, a name that code declares,
// a command or setting, or one that the reader is told to make.
func TestRecipesNameWhatIsThere(t *testing.T) {
	t.Parallel()
	text := recipes.FindString(page(t, ".github/CONTRIBUTING.md"))
	names, count := declared(t), 0
	var paths []string
	for _, ext := range []string{".go", ".js", ".json", ".py", ".md"} {
		paths = append(paths, files(t, ext)...)
	}
	for _, m := range backTicked.FindAllStringSubmatch(text, -1) {
		name := m[1]
		switch {
		case slices.Contains(toCome, name):
		case fileName.MatchString(name):
			if !slices.ContainsFunc(paths, func(p string) bool { return p == name || strings.HasSuffix(p, "/"+name) }) {
				t.Errorf("no file %s", name)
			}
		case strings.Contains(name, "/") && !strings.Contains(name, " "):
			dir := strings.TrimSuffix(name, "/")
			inDir := func(p string) bool { return strings.HasPrefix(p, dir+"/") }
			if dir[0] != '/' && !slices.ContainsFunc(paths, inDir) {
				t.Errorf("no folder %s", name)
			}
		case identifier.MatchString(name):
			last := strings.TrimPrefix(name[strings.LastIndexByte(name, '.')+1:], "*")
			if !names[last] && last != "omitempty" && !isCommand(last) {
				t.Errorf("no code declares %s", name)
			}
		default:
			continue
		}
		count++
	}
	if count < 50 {
		t.Errorf("only %d names found", count)
	}
}

func isCommand(name string) bool {
	same := func(field string) bool { return strings.EqualFold(field, name) }
	_, found := reflect.TypeFor[commandLine]().FieldByNameFunc(same)
	return found
}
