package cli

import "strings"

const zshHead = `#compdef %[1]s
# zsh completion of %[1]s: %[1]s completion zsh >~/.zsh/_%[1]s, with fpath=(~/.zsh $fpath) before compinit
_%[1]s() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C \
`

const zshCommands = `    '1:command:->command' \
    '*::argument:->argument'
  case $state in
  command)
    local -a commands=(
`

const zshArguments = `    )
    _describe command commands
    ;;
  argument)
    case $words[1] in
`

const zshTail = `    esac
    ;;
  esac
}
if [[ $funcstack[1] == _%[1]s ]]; then
  _%[1]s "$@"
else
  compdef _%[1]s %[1]s
fi
`

func (s *completionScript) zsh() {
	s.printf(zshHead, s.program)
	s.zshFlags("    ", s.commands[0].flags)
	s.printf(zshCommands)
	for _, c := range s.commands[1:] {
		s.printf("      %s\n", zshQuote(c.name+":"+c.help))
	}
	s.printf(zshArguments)
	for _, c := range s.commands[1:] {
		s.printf("    %s)\n      _arguments \\\n", c.name)
		s.zshFlags("        ", c.flags)
		argument := "'*:nothing but flags: '"
		switch {
		case c.files:
			argument = "'*:file:_files'"
		case len(c.argument) > 0:
			argument = "'1:argument:(" + strings.Join(c.argument, " ") + ")'"
		}
		s.printf("        %s\n      ;;\n", argument)
	}
	s.printf(zshTail, s.program)
}

func (s *completionScript) zshFlags(indent string, flags []completedFlag) {
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
		s.printf("%s%s \\\n", indent, zshQuote(spec))
	}
}

func zshQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
