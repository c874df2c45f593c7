package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Completion prints what a shell needs to complete command lines. It is generated from the grammar itself; the
// libraries that do this for kong are no longer maintained.
type Completion struct {
	Shell string `arg:"" enum:"bash,zsh,fish" placeholder:"bash|zsh|fish"`
}

// FlagHelp implements Documented.
func (Completion) FlagHelp() Help {
	return `
shell: The shell: in bash 'source <(rosenblatt completion bash)', in zsh a file _rosenblatt in a folder of fpath, in
	fish ~/.config/fish/completions/rosenblatt.fish.
`
}

// Run is called by kong.
func (c *Completion) Run(p *Program, call *kong.Context) error {
	s := &completionScript{program: p.Name, commands: completions(call.Model.Node)}
	map[string]func(){"bash": s.bash, "zsh": s.zsh, "fish": s.fish}[c.Shell]()
	_, err := io.WriteString(p.Stdout, s.String())
	return err
}

type completionScript struct {
	strings.Builder
	program  string
	commands []completed // the first is the program itself
}

// completed is a command, or the program itself, which has no name.
type completed struct {
	name, help string
	flags      []completedFlag
	argument   []string // what it may be; empty for a file or none
	files      bool     // the argument is a file or a folder
}

type completedFlag struct {
	name, help string
	value      string   // the placeholder, as FILE; empty for a switch
	values     []string // the values that are known; a learner may have parameters after it
}

// completions lists the program itself and then its commands.
func completions(root *kong.Node) []completed {
	all := []completed{describe(root)}
	all[0].name = ""
	for _, child := range root.Children {
		c := describe(child)
		c.flags = append(c.flags, all[0].flags...) // commands take the program's own, too
		all = append(all, c)
	}
	return all
}

func describe(n *kong.Node) completed {
	c := completed{name: n.Name, help: sentence(n.Help)}
	for _, f := range n.Flags {
		flag := completedFlag{name: f.Name, help: sentence(f.Help)}
		if !f.IsBool() {
			flag.value, flag.values = f.PlaceHolder, choices(f.PlaceHolder)
		}
		c.flags = append(c.flags, flag)
	}
	for _, a := range n.Positional {
		c.argument = choices(strings.ReplaceAll(a.Tag.Enum, ",", "|"))
		c.files = len(c.argument) == 0
	}
	return c
}

// choices are the words of a placeholder like standard|maxabs|none.
func choices(placeholder string) []string {
	all := strings.Split(placeholder, "|")
	all = slices.DeleteFunc(all, func(w string) bool { return w == "" || w != strings.ToLower(w) || w == "-" })
	if len(all) < 2 {
		return nil
	}
	return all
}

func (f *completedFlag) isPath() bool {
	return strings.Contains(f.value, "FILE") || strings.Contains(f.value, "FOLDER")
}

// sentence is the first sentence of a help text, without its dot.
func sentence(help string) string {
	first, _, _ := strings.Cut(help, ". ")
	first, _, _ = strings.Cut(first, " (default")
	first, _, _ = strings.Cut(first, ": ")
	return strings.TrimSuffix(first, ".")
}

func (s *completionScript) commandNames() (all []string) {
	for _, c := range s.commands[1:] {
		all = append(all, c.name)
	}
	return all
}

func (s *completionScript) printf(format string, args ...any) { fmt.Fprintf(s, format, args...) }
