package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"rosenblatt/cmd/internal/daemon"
)

// configFile is a file of settings: a YAML mapping from the names of flags to scalars or lists of scalars.
type configFile struct {
	path   string
	values map[string]setting
	keys   []string // in the order of the file
}

// setting is one value of a file, as text: what it means is for the flag to say.
type setting struct {
	value any    // a string, a []any of strings, or nil
	place string // file:line: key
}

func readConfig(path string) (*configFile, error) {
	raw, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	defer func() { _ = raw.Close() }() // it was only read
	return parseConfig(path, raw)
}

// parseConfig reads a file. With an error that is Faults comes what of the file is not among them.
func parseConfig(path string, r io.Reader) (*configFile, error) {
	f := &configFile{path: path, values: map[string]setting{}}
	var doc yaml.Node
	err := yaml.NewDecoder(r).Decode(&doc)
	if errors.Is(err, io.EOF) {
		return f, nil // an empty file
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d: want a mapping, name: value on each line", path, top.Line)
	}
	var faults daemon.Faults
	for i := 0; i+1 < len(top.Content); i += 2 {
		if err := f.add(top.Content[i], top.Content[i+1]); err != nil {
			faults = append(faults, err)
		}
	}
	if len(faults) > 0 {
		return f, faults
	}
	return f, nil
}

func (f *configFile) add(key, value *yaml.Node) error {
	place := fmt.Sprintf("%s:%d: %s", f.path, key.Line, key.Value)
	if _, twice := f.values[key.Value]; twice {
		return fmt.Errorf("%s: stands there twice", place)
	}
	v, err := plain(value)
	if err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	f.values[key.Value] = setting{v, place}
	f.keys = append(f.keys, key.Value)
	return nil
}

// plain gives a scalar as it is written, a list as a list of such; null is nil.
func plain(n *yaml.Node) (any, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		return nil, nil
	case n.Kind == yaml.ScalarNode:
		return n.Value, nil
	case n.Kind != yaml.SequenceNode:
		return nil, errors.New("want a value, or a list of values")
	}
	list := make([]any, len(n.Content))
	for i, item := range n.Content {
		if item.Kind != yaml.ScalarNode {
			return nil, errors.New("want a list of values")
		}
		list[i] = item.Value
	}
	return list, nil
}

// unknown lists the keys that no command has a flag for, each with the name it is nearest to.
func (f *configFile) unknown(root *kong.Node) (faults daemon.Faults) {
	names := flagNames(root)
	for _, key := range f.keys {
		place := f.values[key].place
		switch {
		case slices.Contains(names, key):
		case key == "sasl-password":
			faults = append(faults, fmt.Errorf("%s: passwords have no place here: want sasl-password-file, or %s in the environment", place, passwordEnv))
		default:
			faults = append(faults, fmt.Errorf("%s: unknown setting: did you mean %s?", place, nearest(key, names)))
		}
	}
	return faults
}

// flagNames lists the settings of all commands: one file may serve several.
func flagNames(n *kong.Node) (names []string) {
	for _, f := range n.Flags {
		if f.Name != "help" && f.Name != "config" {
			names = append(names, f.Name)
		}
	}
	for _, child := range n.Children {
		names = append(names, flagNames(child)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// nearest finds the name with the fewest letters to change; among equals the first.
func nearest(word string, names []string) string {
	best, least := "", -1
	for _, name := range names {
		if d := distance(strings.ToLower(word), name); least < 0 || d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete or replace (Levenshtein 1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
