package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// configFile is a file of settings: a YAML mapping from the names of flags to scalars or lists of scalars.
type configFile struct {
	path   string
	values map[string]setting
	keys   []string // in the order of the file
}

// setting is one value of a file; the flag defines what it means.
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

// parseConfig reads a file. If the error is Faults, the file holds the remaining settings.
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
	var faults Faults
	for i := 0; i+1 < len(top.Content); i += 2 {
		if err := f.add(top.Content[i], top.Content[i+1]); err != nil {
			faults = append(faults, err)
		}
	}
	return f, faults.Err()
}

func (f *configFile) add(key, value *yaml.Node) error {
	place := fmt.Sprintf("%s:%d: %s", f.path, key.Line, key.Value)
	if _, duplicate := f.values[key.Value]; duplicate {
		return fmt.Errorf("%s: duplicate", place)
	}
	v, err := plain(value)
	if err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	f.values[key.Value] = setting{v, place}
	f.keys = append(f.keys, key.Value)
	return nil
}

// plain returns a scalar as it is written, a list as a list of such; null is nil.
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

// unknown lists the keys without a flag, each with the nearest name.
func (f *configFile) unknown(root *kong.Node, prefix string) (faults Faults) {
	names := flagNames(root)
	for _, key := range f.keys {
		place := f.values[key].place
		switch {
		case slices.Contains(names, key):
		case key == passwordFlag:
			faults.Addf("%s: passwords have no place here: want %s-file, or %s in the environment",
				place, passwordFlag, envName(prefix, passwordFlag))
		default:
			meant, _ := nearest(key, names)
			faults.Addf("%s: unknown setting: did you mean %s?", place, meant)
		}
	}
	return faults
}
