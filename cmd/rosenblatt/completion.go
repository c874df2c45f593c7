package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"rosenblatt/learner"
)

// completionCommand prints what a shell needs to complete command lines. It is made from the grammar itself; the libraries
// that do this for kong are no longer kept.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" placeholder:"bash|zsh|fish" help:"The shell: in bash 'source <(rosenblatt completion bash)', in zsh a file _rosenblatt in a folder of fpath, in fish ~/.config/fish/completions/rosenblatt.fish."`
}

// Run is called by kong.
func (c *completionCommand) Run(p *program, call *kong.Context) error {
	var out strings.Builder
	commands := words(call.Model.Node)
	switch c.Shell {
	case "bash":
		bash(&out, commands)
	case "zsh":
		zsh(&out, commands)
	default:
		fish(&out, commands)
	}
	_, err := io.WriteString(p.stdout, out.String())
	return err
}

// completed is what can be completed of a command, or of the program itself, which has no name.
type completed struct {
	name, help string
	flags      []completedFlag
	argument   []string // what the argument may be; empty for a file or none
	files      bool     // the argument is a file or a folder
}

type completedFlag struct {
	name, help string
	value      string   // what is to follow, as FILE; empty for a switch
	values     []string // all of these, where they are fixed; a learner may have parameters behind it
}

// learners are what --learner can begin with.
var learners = []string{learner.Perceptron, learner.Averaged, learner.PA, learner.PA1, learner.PA2, learner.AROW, learner.Logistic, learner.Dual}

// words lists the program itself and then its commands.
func words(root *kong.Node) []completed {
	all := []completed{describe(root)}
	all[0].name = ""
	for _, child := range root.Children {
		c := describe(child)
		c.flags = append(c.flags, all[0].flags...) // the program's own are taken there, too
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
		if f.Name == "learner" {
			flag.values = learners
		}
		c.flags = append(c.flags, flag)
	}
	for _, a := range n.Positional {
		c.argument = choices(strings.ReplaceAll(a.Tag.Enum, ",", "|"))
		c.files = len(c.argument) == 0
	}
	return c
}

// choices are the words of a placeholder like standard|maxabs|none; none when it has a part to be filled in.
func choices(placeholder string) []string {
	all := strings.Split(placeholder, "|")
	all = slices.DeleteFunc(all, func(w string) bool { return w == "" || w != strings.ToLower(w) || w == "-" })
	if len(all) < 2 {
		return nil
	}
	return all
}

// isPath tells whether files or folders can be what follows.
func (f *completedFlag) isPath() bool {
	return strings.Contains(f.value, "FILE") || strings.Contains(f.value, "FOLDER")
}

// sentence is the first one of a help text, without its dot.
func sentence(help string) string {
	first, _, _ := strings.Cut(help, ". ")
	first, _, _ = strings.Cut(first, " (default")
	first, _, _ = strings.Cut(first, ": ")
	return strings.TrimSuffix(first, ".")
}

func names(commands []completed) (all []string) {
	for _, c := range commands[1:] {
		all = append(all, c.name)
	}
	return all
}

// bash leaves whatever is no flag and no fixed word to its own completion of files, if files are what the command takes.
func bash(w io.Writer, commands []completed) {
	fmt.Fprintf(w, "# bash completion of rosenblatt: source <(rosenblatt completion bash)\n_rosenblatt() {\n")
	fmt.Fprintf(w, "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command='' words='' word\n")
	fmt.Fprintf(w, "  [[ $cur == '=' ]] && cur=''\n  [[ $prev == '=' ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n")
	fmt.Fprintf(w, "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case $word in %s) command=$word; break ;; esac\n  done\n", strings.Join(names(commands), " | "))
	fmt.Fprintf(w, "  COMPREPLY=()\n  case $command:$prev in\n")
	for _, c := range commands {
		for _, f := range c.flags {
			switch {
			case len(f.values) > 0:
				fmt.Fprintf(w, "    %s:--%s) words='%s' ;;\n", c.name, f.name, strings.Join(f.values, " "))
			case f.value != "":
				fmt.Fprintf(w, "    %s:--%s) return ;;\n", c.name, f.name)
			}
		}
	}
	fmt.Fprintf(w, "    *)\n      case $command in\n")
	for _, c := range commands {
		all, only := slices.Clone(c.argument), "; compopt +o default"
		if c.name == "" {
			all = names(commands)
		}
		if c.files {
			only = ""
		}
		fmt.Fprintf(w, "        '%s') words='%s'%s ;;\n", c.name, strings.Join(append(all, long(c.flags)...), " "), only)
	}
	fmt.Fprintf(w, "      esac\n      [[ $command && $cur != -* && $words == -* ]] && return\n      ;;\n  esac\n")
	fmt.Fprintf(w, "  local IFS=$' \\n'\n  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o default -F _rosenblatt rosenblatt\n")
}

func long(flags []completedFlag) (all []string) {
	for _, f := range flags {
		all = append(all, "--"+f.name)
	}
	return all
}

func fish(w io.Writer, commands []completed) {
	fmt.Fprintf(w, "# fish completion of rosenblatt: rosenblatt completion fish >~/.config/fish/completions/rosenblatt.fish\ncomplete -c rosenblatt -f\n")
	quote := func(s string) string {
		return "'" + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), "'", `\'`) + "'"
	}
	for _, c := range commands {
		when := "__fish_use_subcommand"
		if c.name != "" {
			fmt.Fprintf(w, "complete -c rosenblatt -n __fish_use_subcommand -a %s -d %s\n", c.name, quote(c.help))
			when = quote("__fish_seen_subcommand_from " + c.name)
			switch {
			case c.files:
				fmt.Fprintf(w, "complete -c rosenblatt -n %s -F\n", when)
			case len(c.argument) > 0:
				fmt.Fprintf(w, "complete -c rosenblatt -n %s -a %s\n", when, quote(strings.Join(c.argument, " ")))
			}
		}
		for _, f := range c.flags {
			kind := ""
			switch {
			case len(f.values) > 0:
				kind = " -x -a " + quote(strings.Join(f.values, " "))
			case f.isPath():
				kind = " -r -F"
			case f.value != "":
				kind = " -x"
			}
			fmt.Fprintf(w, "complete -c rosenblatt -n %s -l %s%s -d %s\n", when, f.name, kind, quote(f.help))
		}
	}
}

func zsh(w io.Writer, commands []completed) {
	fmt.Fprintf(w, "#compdef rosenblatt\n# zsh completion of rosenblatt: rosenblatt completion zsh >~/.zsh/_rosenblatt, with fpath=(~/.zsh $fpath) before compinit\n")
	fmt.Fprintf(w, "_rosenblatt() {\n  local curcontext=$curcontext state line\n  typeset -A opt_args\n  _arguments -C \\\n")
	zshFlags(w, "    ", commands[0].flags)
	fmt.Fprintf(w, "    '1:command:->command' \\\n    '*::argument:->argument'\n  case $state in\n  command)\n    local -a commands=(\n")
	for _, c := range commands[1:] {
		fmt.Fprintf(w, "      %s\n", zshQuote(c.name+":"+c.help))
	}
	fmt.Fprintf(w, "    )\n    _describe command commands\n    ;;\n  argument)\n    case $words[1] in\n")
	for _, c := range commands[1:] {
		fmt.Fprintf(w, "    %s)\n      _arguments \\\n", c.name)
		zshFlags(w, "        ", c.flags)
		switch {
		case c.files:
			fmt.Fprintf(w, "        '*:file:_files'\n      ;;\n")
		case len(c.argument) > 0:
			fmt.Fprintf(w, "        '1:argument:(%s)'\n      ;;\n", strings.Join(c.argument, " "))
		default:
			fmt.Fprintf(w, "        '*:nothing but flags: '\n      ;;\n")
		}
	}
	fmt.Fprintf(w, "    esac\n    ;;\n  esac\n}\n")
	fmt.Fprintf(w, "if [[ $funcstack[1] == _rosenblatt ]]; then\n  _rosenblatt \"$@\"\nelse\n  compdef _rosenblatt rosenblatt\nfi\n")
}

func zshFlags(w io.Writer, indent string, flags []completedFlag) {
	special := strings.NewReplacer("[", `\[`, "]", `\]`, ":", `\:`)
	for _, f := range flags {
		spec := "--" + f.name
		if f.value != "" {
			spec += "="
		}
		spec += "[" + special.Replace(f.help) + "]"
		switch {
		case len(f.values) > 0:
			spec += ":" + f.name + ":(" + strings.Join(f.values, " ") + ")"
		case f.isPath():
			spec += ":" + special.Replace(f.value) + ":_files"
		case f.value != "":
			spec += ":" + special.Replace(f.value) + ": "
		}
		fmt.Fprintf(w, "%s%s \\\n", indent, zshQuote(spec))
	}
}

func zshQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
