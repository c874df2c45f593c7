package cli

import "strings"

const fishHead = `# fish completion of %[1]s: %[1]s completion fish >~/.config/fish/completions/%[1]s.fish
complete -c %[1]s -f
`

func (s *completionScript) fish() {
	s.printf(fishHead, s.program)
	for _, c := range s.commands {
		condition := "__fish_use_subcommand"
		if c.name != "" {
			s.printf("complete -c %s -n %s -a %s -d %s\n", s.program, condition, c.name, fishQuote(c.help))
			condition = fishQuote("__fish_seen_subcommand_from " + c.name)
			switch {
			case c.files:
				s.printf("complete -c %s -n %s -F\n", s.program, condition)
			case len(c.argument) > 0:
				s.printf("complete -c %s -n %s -a %s\n", s.program, condition, fishQuote(strings.Join(c.argument, " ")))
			}
		}
		for _, f := range c.flags {
			value := ""
			switch {
			case len(f.values) > 0:
				value = " -x -a " + fishQuote(strings.Join(f.values, " "))
			case f.isPath():
				value = " -r -F"
			case f.value != "":
				value = " -x"
			}
			s.printf("complete -c %s -n %s -l %s%s -d %s\n", s.program, condition, f.name, value, fishQuote(f.help))
		}
	}
}

func fishQuote(s string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), "'", `\'`) + "'"
}
