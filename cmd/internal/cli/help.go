package cli

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// Help holds the help texts of flags and arguments: on each line name: text, continued on lines that begin with a
// tab. A text may refer to kong's variables, as ${default}.
type Help string

// Documented is implemented by the structs of a grammar whose help texts are not in tags.
type Documented interface{ FlagHelp() Help }

// HelpTexts is the option of kong that reads the help texts of all Documented structs.
var HelpTexts = kong.PostBuild(func(k *kong.Kong) error {
	return kong.Visit(k.Model.Node, func(v kong.Visitable, next kong.Next) error {
		n, ok := v.(*kong.Node)
		if !ok {
			return nil
		}
		values := map[string]*kong.Value{}
		for _, f := range n.Flags {
			values[f.Name] = f.Value
		}
		for _, argument := range n.Positional {
			values[argument.Name] = argument
		}
		return next(setHelp(n.Target, values))
	})
})

func setHelp(s reflect.Value, values map[string]*kong.Value) error {
	for field, value := range s.Fields() {
		if field.Anonymous {
			if err := setHelp(value, values); err != nil {
				return err
			}
		}
	}
	d, ok := s.Interface().(Documented)
	if !ok {
		return nil
	}
	texts := strings.ReplaceAll(strings.TrimSpace(string(d.FlagHelp())), "\n\t", " ")
	for line := range strings.SplitSeq(texts, "\n") {
		name, text, _ := strings.Cut(line, ": ")
		value, ok := values[name]
		if !ok {
			return fmt.Errorf("help for %q, which is no flag in %s", name, s.Type())
		}
		value.Help = text
	}
	return nil
}
