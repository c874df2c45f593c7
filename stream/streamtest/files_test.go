package streamtest_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostUpward is how many uses of definitions in package stream may run from a lower file to a higher one. Before state,
// late, plan and board were packages, 120 did.
const mostUpward = 30

// TestFilesGoDown keeps the files of package stream in an order: each uses what is in lower ones. Go lets files of a
// package use one another, so a loop can become a knot in which nobody finds the beginning. The order is the one in
// which few uses run up; a file counts once for each definition that it uses.
func TestFilesGoDown(t *testing.T) {
	names, uses := usesOf(t, "rosenblatt/stream")
	order := orderOf(uses)
	upward := 0
	var text []string
	for i, low := range order {
		for _, high := range order[i+1:] {
			if n := uses[low][high]; n > 0 {
				upward += n
				text = append(text, names[low]+" uses "+names[high])
			}
		}
	}
	if upward > mostUpward {
		t.Errorf("%d uses of definitions run up, want at most %d:\n%s", upward, mostUpward, strings.Join(text, "\n"))
	}
}

// usesOf returns the files of a package, and how many definitions of one each other one uses.
func usesOf(t *testing.T, pkg string) (names []string, uses [][]int) {
	t.Helper()
	exports, dir, names := listed(t, pkg)
	set := token.NewFileSet()
	var files []*ast.File
	number := map[string]int{}
	for i, name := range names {
		path := filepath.Join(dir, name)
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files, number[path] = append(files, f), i
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	checked, err := config.Check(pkg, set, files, info)
	if err != nil {
		t.Fatal(err)
	}
	uses = make([][]int, len(files))
	for i := range uses {
		uses[i] = make([]int, len(files))
	}
	seen := map[use]bool{}
	for id, o := range info.Uses {
		if o.Pkg() != checked || !isDefinition(o, checked) {
			continue
		}
		by, in := number[set.Position(id.Pos()).Filename], number[set.Position(o.Pos()).Filename]
		if u := (use{by, o}); by != in && !seen[u] {
			seen[u] = true
			uses[by][in]++
		}
	}
	return names, uses
}

type use struct {
	by int
	of types.Object
}

// isDefinition reports whether an object is at the top level of a package, a field or a method.
func isDefinition(o types.Object, pkg *types.Package) bool {
	v, isVariable := o.(*types.Var)
	_, isFunction := o.(*types.Func)
	return o.Parent() == pkg.Scope() || isFunction || isVariable && v.IsField()
}

// listed returns a package's folder and files, and the compiled form of all that it imports.
func listed(t *testing.T, pkg string) (exports map[string]string, dir string, files []string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,Dir,GoFiles", pkg).Output()
	if err != nil {
		t.Fatal(err)
	}
	exports = map[string]string{}
	for packages := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Export, Dir string
			GoFiles                 []string
		}
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			return exports, dir, files
		} else if err != nil {
			t.Fatal(err)
		}
		if exports[p.ImportPath] = p.Export; p.ImportPath == pkg {
			dir, files = p.Dir, p.GoFiles
		}
	}
}

// orderOf orders files, the lowest first: from the order of their names, each moves to where fewest of its uses run up,
// until none moves.
func orderOf(uses [][]int) []int {
	order := make([]int, len(uses))
	for i := range order {
		order[i] = i
	}
	for moved := true; moved; {
		moved = false
		for i, f := range order {
			to := bestPlace(uses, order, i)
			if to != i {
				order, moved = slices.Insert(slices.Delete(order, i, i+1), to, f), true
			}
		}
	}
	return order
}

// bestPlace returns where the file at i has the fewest uses that run up: i, if no other place is better.
func bestPlace(uses [][]int, order []int, i int) int {
	f, best, least := order[i], i, 0
	for _, step := range []int{-1, 1} {
		change := 0
		for j := i + step; j >= 0 && j < len(order); j += step {
			other := order[j]
			change += step * (uses[other][f] - uses[f][other])
			if change < least {
				best, least = j, change
			}
		}
	}
	return best
}
