package main

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// stated are numbers in the documents that the code defines: where each stands, as a pattern around the number, and
// which constant it is. The number may have commas, and a unit behind it.
var stated = []struct{ page, pattern, dir, name string }{
	{"stream/PROTOCOL.md", `chunks of at most (\d+) records of all partitions`, "stream", "chunkRecords"},
	{"stream/PROTOCOL.md", `grow with the backlog, up to (\d+ MiB)`, "stream", "maxFlightBytes"},
	{"stream/PROTOCOL.md", `25 ms of learning, ([\d,]+) runs`, "stream/journal", "MostRuns"},
	{"stream/PROTOCOL.md", `bounded by the smaller of ([\d,]+) bytes`, "stream/recordbatch", "DefaultLimit"},
	{"stream/PROTOCOL.md", `larger than ([\d,]+) bytes is a flight`, "stream/recordbatch", "DefaultLimit"},
	{"stream/PROTOCOL.md", `alone, and by (\d+ MiB)`, "stream/topics", "MaxOwnBatch"},
	{"stream/PROTOCOL.md", `beyond (\d+ MiB), the largest batch that a task`, "stream/topics", "MaxOwnBatch"},
	{"stream/PROTOCOL.md", `read, up to ([\d,]+) at a time and three`, "stream/recall", "Most"},
	{"stream/PROTOCOL.md", `in the folder, in pieces of (\d+ KiB)`, "stream/statetopic", "PieceSize"},
	{"cmd/rosenblatt/docs/predictions.md", `of the output topic \(at most (\d+ MiB)\)`, "stream/topics", "MaxOwnBatch"},
	{"cmd/rosenblatt/docs/sizing.md", `HTTP clients \| (\d+) connections`, "stream/web", "maxConns"},
	{"cmd/rosenblatt/docs/sizing.md", `HTTP clients \| 256 connections, (\d+ KiB) of header`, "stream/web",
		"maxHeader"},
	{"cmd/rosenblatt/docs/http.md", "and (\\d+ MiB) of response", "stream/web", "maxLines"},
	{"cmd/rosenblatt/docs/sizing.md", `names? per slot, at most ([\d,]+) of 256 bytes`, "learner", "DefaultMaxNames"},
	{"cmd/rosenblatt/docs/sizing.md", `names? per slot, at most 262,144 of (\d+) bytes`, "learner", "MaxNameBytes"},
	{"cmd/rosenblatt/docs/comparing.md", "shows what the first ([\\d,]+) events hold", "stream/survey", "Most"},
	{"cmd/rosenblatt/docs/http.md", "over the last ([\\d,]+) against the better", "learner/metrics", "Window"},
	{"cmd/rosenblatt/docs/training.md", "in `last` over the last ([\\d,]+)", "learner/metrics", "Window"},
	{"cmd/rosenblatt/docs/training.md", "in `last10000` over the last ([\\d,]+)", "learner/metrics", "LongWindow"},
}

// constantOf is the value of an integer constant of a package.
func constantOf(t *testing.T, dir, name string) int64 {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(top, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.CONST {
				continue
			}
			for _, spec := range gen.Specs {
				s := spec.(*ast.ValueSpec)
				for i, id := range s.Names {
					if id.Name == name && i < len(s.Values) {
						return evaluated(t, dir, name, types.ExprString(s.Values[i]))
					}
				}
			}
		}
	}
	t.Fatalf("package %s has no constant %s", dir, name)
	return 0
}

func evaluated(t *testing.T, dir, name, expression string) int64 {
	t.Helper()
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, expression)
	if err != nil {
		t.Fatalf("%s.%s: %v", dir, name, err)
	}
	n, exact := constant.Int64Val(constant.ToInt(v.Value))
	if !exact {
		t.Fatalf("%s.%s is %s", dir, name, expression)
	}
	return n
}

var units = map[string]int64{"": 1, "KiB": 1 << 10, "MiB": 1 << 20}

// TestStatedNumbers: the documents state the limits that the code has.
func TestStatedNumbers(t *testing.T) {
	t.Parallel()
	for _, s := range stated {
		text := strings.Join(strings.Fields(page(t, s.page)), " ")
		m := regexp.MustCompile(s.pattern).FindStringSubmatch(text)
		if m == nil {
			t.Errorf("%s does not say %q", s.page, s.pattern)
			continue
		}
		digits, unit, _ := strings.Cut(m[1], " ")
		n, err := strconv.ParseInt(strings.ReplaceAll(digits, ",", ""), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if want := constantOf(t, s.dir, s.name); n*units[unit] != want {
			t.Errorf("%s says %q, but %s.%s is %d", s.page, m[0], s.dir, s.name, want)
		}
	}
}
