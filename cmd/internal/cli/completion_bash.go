package cli

import (
	"slices"
	"strings"
)

const bashHead = `# bash completion of %[1]s: source <(%[1]s completion bash)
_%[1]s() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command='' words='' word
  [[ $cur == '=' ]] && cur=''
  [[ $prev == '=' ]] && prev=${COMP_WORDS[COMP_CWORD-2]}
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in %[2]s) command=$word; break ;; esac
  done
  COMPREPLY=()
  case $command:$prev in
`

const bashTail = `      esac
      [[ $command && $cur != -* && $words == -* ]] && return
      ;;
  esac
  local IFS=$' \n'
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _%[1]s %[1]s
`

// bash leaves everything but flags and fixed words to the shell's own completion of files, if any.
func (s *completionScript) bash() {
	s.printf(bashHead, s.program, strings.Join(s.commandNames(), " | "))
	for _, c := range s.commands {
		for _, f := range c.flags {
			switch {
			case len(f.values) > 0:
				s.printf("    %s:--%s) words='%s' ;;\n", c.name, f.name, strings.Join(f.values, " "))
			case f.value != "":
				s.printf("    %s:--%s) return ;;\n", c.name, f.name)
			}
		}
	}
	s.printf("    *)\n      case $command in\n")
	for _, c := range s.commands {
		words, only := slices.Clone(c.argument), "; compopt +o default"
		if c.name == "" {
			words = s.commandNames()
		}
		if c.files {
			only = ""
		}
		for _, f := range c.flags {
			words = append(words, "--"+f.name)
		}
		s.printf("        '%s') words='%s'%s ;;\n", c.name, strings.Join(words, " "), only)
	}
	s.printf(bashTail, s.program)
}
