// Command prose counts the words of sentences in the project's documents and package comments:
//
//	go run ./stream/streamtest/prose [FILE ...]
//
// No sentence may have more than 35 words, and of the sentences of a file at most one in ten may have 24 or more.
// Tables, headings and code do not count; a piece of code in a sentence is a word. Without arguments it reads the
// README, the operator's guide, CONTRIBUTING, PROTOCOL and all package comments of the repository in which it is run.
// Exit code 1 if a file has sentences that are too long, each of which is printed.
package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	most = 35 // words of a sentence
	few  = 24 // nine sentences in ten have fewer words
)

var documents = []string{"README.md", ".github/CONTRIBUTING.md", "stream/PROTOCOL.md", "cmd/rosenblatt/README.md"}

const guide = "cmd/rosenblatt/docs"

func main() {
	bad, err := run(os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(2)
	}
	if bad > 0 {
		os.Exit(1)
	}
}

// run reports the sentences of the files that are too long and returns how many files have such.
func run(paths []string, out io.Writer) (bad int, err error) {
	if len(paths) == 0 {
		if paths, err = find("."); err != nil {
			return 0, err
		}
	}
	for _, path := range paths {
		text, err := read(path)
		if err != nil {
			return bad, err
		}
		if report := judge(path, sentences(text)); report != "" {
			bad++
			fmt.Fprint(out, report)
		}
	}
	return bad, nil
}

// find lists the documents and the Go files with a package comment that is read.
func find(top string) (paths []string, err error) {
	for _, path := range documents {
		paths = append(paths, filepath.Join(top, path))
	}
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch dir, name := filepath.Split(path); {
		case err != nil:
			return err
		case d.IsDir():
			if name == ".git" || name == "testdata" {
				return fs.SkipDir
			}
		case filepath.Ext(name) == ".md" && filepath.Clean(dir) == filepath.Join(top, guide),
			filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go"):
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

// read returns the text of a document, or the package comment of a Go file.
func read(path string) (string, error) {
	if filepath.Ext(path) != ".go" {
		text, err := os.ReadFile(path)
		return string(text), err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil || file.Doc == nil {
		return "", err
	}
	return "\n" + strings.ReplaceAll(file.Doc.Text(), "\t", "    "), nil
}

// judge lists what is too long in a file: each sentence over the limit, and if too many are over few, those.
func judge(path string, all []string) (report string) {
	long := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return words(s) < few })
	many := len(long) > max(1, len(all)/10)
	for _, s := range long {
		if n := words(s); n > most || many {
			report += fmt.Sprintf("%s: %d words: %s\n", path, n, s)
		}
	}
	if many {
		report += fmt.Sprintf("%s: of %d sentences, %d have %d words or more: want one in ten at most\n", path,
			len(all), len(long), few)
	}
	return report
}
