package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// ofAnotherCommand is the error for flags that a command does not have and another one does, which says so. People copy
// the line of run, with all that it sets. Any other error is returned as it is.
func ofAnotherCommand(err error, args []string) error {
	parse, ok := errors.AsType[*kong.ParseError](err)
	if !ok || !strings.HasPrefix(err.Error(), "unknown flag --") || parse.Context.Selected() == nil {
		return err
	}
	called, all := parse.Context.Selected(), parse.Context.Model.Node
	own, owner, flags := flagNames(called), "", []string(nil)
	for _, arg := range args {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		if !strings.HasPrefix(arg, "--") || slices.Contains(own, name) || slices.Contains(flags, "--"+name) {
			continue
		}
		for _, command := range all.Children { // run is the first
			if slices.Contains(flagNames(command), name) && (owner == "" || owner == command.Name) {
				owner, flags = command.Name, append(flags, "--"+name)
				break
			}
		}
	}
	//mutation:flag-of-another-command
	if len(flags) == 0 {
		return err
	}
	is, it := "is a setting", "it"
	if len(flags) > 1 {
		is, it = "are settings", "them"
	}
	text := fmt.Sprintf("%s %s of %s, and %s does not take %s: leave %[5]s out", strings.Join(flags, ", "), is, owner,
		called.Name, it)
	if c := counterpartOf(flags[0]); c != nil { // vw has an option of that name, for something else
		text += "; for Vowpal Wabbit's " + flags[0] + ", " + c.text
	}
	return errors.New(text)
}
