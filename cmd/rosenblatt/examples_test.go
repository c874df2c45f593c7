package main

import (
	"io"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"

	"github.com/alecthomas/kong"
)

// TestHelpHasExamples: the help of each command has one, which the program accepts, and each flag is in a group.
func TestHelpHasExamples(t *testing.T) {
	t.Parallel()
	grammar, err := kong.New(&commandLine{}, daemon.Vars())
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range grammar.Model.Node.Children {
		help := call(t, "", command.Name, "--help")
		help.want(t, cli.ExitDone, "Example:", "")
		_, line, _ := strings.Cut(help.stdout, "Example:")
		line, _, _ = strings.Cut(strings.TrimSpace(line), "\n")
		args := strings.Fields(strings.NewReplacer("source <(", "", ")", "").Replace(line))
		if quoted := strings.SplitN(line, `"`, 3); len(quoted) == 3 {
			args = append(append(strings.Fields(quoted[0]), quoted[1]), strings.Fields(quoted[2])...)
		}
		if len(args) < 2 || args[0] != "rosenblatt" || args[1] != command.Name {
			t.Errorf("%s: the example is %q", command.Name, line)
			continue
		}
		p := newProgram(nil, io.Discard, io.Discard)
		if _, err := p.Parse(&commandLine{}, args[1:]); err != nil {
			t.Errorf("%s: the example %q: %v", command.Name, line, err)
		}
		groups := 0
		for _, f := range command.Flags {
			if f.Group != nil {
				groups++
			}
		}
		if len(command.Flags) > 6 && groups < len(command.Flags)-2 {
			t.Errorf("%s: %d of %d flags are in a group", command.Name, groups, len(command.Flags))
		}
	}
}
