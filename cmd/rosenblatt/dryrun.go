package main

import (
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// printSettings prints the settings that hold, with all that follows from others, as a file that --config reads. Files with
// secrets are named, secrets are not shown; what is for one start only is left out.
func (c *runCommand) printSettings(w io.Writer) error {
	resolved, err := c.Resolve()
	if err != nil {
		return err
	}
	shown := &runCommand{Settings: resolved.Settings}
	grammar, err := kong.New(shown, kong.Name("run"))
	if err != nil {
		return err
	}
	group := ""
	for _, f := range grammar.Model.Flags {
		if f.Name == "help" || onlyOnCommandLine(f) {
			continue
		}
		if f.Group != nil && f.Group.Title != group {
			group = f.Group.Title
			fmt.Fprintf(w, "# %s\n", group)
		}
		if err := printSetting(w, f); err != nil {
			return err
		}
		if f.Name == "sasl-password-file" && c.SASLPassword != "" {
			fmt.Fprintf(w, "# the password is in %s, hidden\n", passwordEnv)
		}
	}
	return nil
}

// printSetting prints one line, name: value; nothing for a setting that is left open.
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
	line, err := yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: f.Name}, &node}})
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	_, err = w.Write(line)
	return err
}
