package cli

import (
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// PrintSettings prints the settings in a struct with kong's tags, as a file that --config reads, without those for
// one call. Notes, by setting, are printed as comments after them.
func PrintSettings(w io.Writer, settings any, vars kong.Vars, notes map[string]string) error {
	grammar, err := kong.New(settings, vars)
	if err != nil {
		return err
	}
	group := ""
	for _, f := range grammar.Model.Flags {
		if f.Name == "help" || commandLineOnly(f, f.Target.Interface()) {
			continue
		}
		if f.Group != nil && f.Group.Title != group {
			group = f.Group.Title
			fmt.Fprintf(w, "# %s\n", group)
		}
		if err := printSetting(w, f); err != nil {
			return err
		}
		if note := notes[f.Name]; note != "" {
			fmt.Fprintf(w, "# %s\n", note)
		}
	}
	return nil
}

// printSetting prints one line, name: value; nothing if the setting is left open.
func printSetting(w io.Writer, f *kong.Flag) error {
	value := f.Target.Interface()
	if d, ok := value.(time.Duration); ok {
		value = d.String()
	}
	if v := reflect.ValueOf(value); (v.Kind() == reflect.String || v.Kind() == reflect.Slice) && v.Len() == 0 {
		return nil
	}
	var node yaml.Node
	if err := node.Encode(value); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	node.Style |= yaml.FlowStyle
	name := &yaml.Node{Kind: yaml.ScalarNode, Value: f.Name}
	line, err := yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{name, &node}})
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	_, err = w.Write(line)
	return err
}
