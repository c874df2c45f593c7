// Package cli is the frame of a command line program. It reads flags, environment and configuration file, runs the
// command, reports errors and chooses the exit code. Struct tags of github.com/alecthomas/kong describe flags.
//
// Every setting has one name, for flag and key of the file. The environment variable is that name in capitals with
// underscores, after the program's prefix. The flag wins over the environment, the environment over the file. All
// faults are reported together.
package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"rosenblatt/stream/stops"
)

// Program is one call of a program. Commands get it as an argument of their Run method.
type Program struct {
	Name, Description string
	Usage             string    // the command that prints help
	EnvPrefix         string    // of environment variables; empty: neither environment nor file is read
	Vars              kong.Vars // that tags refer to

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// helpPrinted is the panic that ends parsing after help was printed: kong would continue.
type helpPrinted struct{}

// Run parses the arguments into the grammar, runs the command, and returns the exit code.
func (p *Program) Run(grammar any, args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(helpPrinted); !ok {
				panic(r)
			}
			code = ExitDone
		}
	}()
	call, err := p.Parse(grammar, args)
	if err == nil {
		err = call.Run(p)
	}
	return p.Report(err)
}

// RunCommands is Run for a program of commands. It also accepts help, help COMMAND and --version, and prints help if
// there are no arguments.
func (p *Program) RunCommands(grammar any, args []string) int {
	if len(args) == 0 {
		p.Stdout = p.Stderr
		p.Run(grammar, []string{"--help"})
		return ExitUsage
	}
	switch args[0] {
	case "help":
		args = append(slices.Clone(args[1:]), "--help")
	case "--version", "-v":
		args = append([]string{"version"}, args[1:]...)
	}
	return p.Run(grammar, args)
}

// startGarbage is how far, in percent, the heap may grow while a program starts. Parsing leaves little garbage.
const startGarbage = 400

// Parse reads arguments, environment and file into the grammar.
func (p *Program) Parse(grammar any, args []string) (*kong.Context, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(startGarbage))
	from := &sources{prefix: p.EnvPrefix, notes: p.Stderr}
	options := []kong.Option{
		kong.Name(p.Name), kong.Description(p.Description), kong.Writers(p.Stdout, p.Stderr), p.Vars,
		HelpTexts, durations,
		kong.Exit(func(int) { panic(helpPrinted{}) }), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.ValueFormatter(func(v *kong.Value) string { return v.Help }),
	}
	if p.EnvPrefix != "" {
		options = append(options, kong.WithBeforeResolve(from.open))
	}
	parser, err := kong.New(grammar, options...)
	if err != nil {
		return nil, err
	}
	call, err := parser.Parse(args)
	if err != nil {
		if _, ok := AsFaults(err); ok {
			return nil, err
		}
		return nil, &UsageError{ofVowpalWabbit(ofAnotherCommand(err, args))}
	}
	if err := repeated(call); err != nil {
		return nil, &UsageError{err}
	}
	if faults := from.faults; len(faults) > 0 {
		if c, ok := call.Selected().Target.Addr().Interface().(interface{ Faults() error }); ok {
			faults.Join(c.Faults())
		}
		return nil, faults
	}
	return call, nil
}

// repeated is an error about a flag for one field that is given twice: the second would replace the first silently.
func repeated(call *kong.Context) error {
	seen := map[string]bool{}
	for _, at := range call.Path {
		if at.Flag == nil || at.Resolved || at.Flag.IsSlice() || !strings.HasSuffix(at.Flag.Name, "-field") {
			continue
		}
		//mutation:field-given-twice
		if seen[at.Flag.Name] {
			return fmt.Errorf("%s: it is given twice, and takes one field", at.Flag.Name)
		}
		seen[at.Flag.Name] = true
	}
	return nil
}

// Report prints an error and returns the exit code for it.
func (p *Program) Report(err error) int {
	usage, isUsage := errors.AsType[*UsageError](err)
	_, isLogged := errors.AsType[*LoggedError](err)
	faults, isFaults := AsFaults(err)
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, ErrReported):
		return ExitFailed
	case errors.Is(err, ErrPartial):
		return ExitPartial
	case isLogged && (isFaults || isUsage):
		return ExitUsage
	case isFaults && len(faults) > 1:
		lines := strings.ReplaceAll(faults.Error(), "\n", "\n  ")
		fmt.Fprintf(p.Stderr, "%s: %d settings are wrong:\n  %s\n", p.Name, len(faults), lines)
		return ExitUsage
	case isFaults:
		fmt.Fprintf(p.Stderr, "%s: %v\n", p.Name, faults)
		return ExitUsage
	case isUsage:
		fmt.Fprintf(p.Stderr, "%s: %v\nTry: %s\n", p.Name, usage, p.Usage)
		return ExitUsage
	case !isLogged:
		fmt.Fprintf(p.Stderr, "%s: %v\n", p.Name, err)
	}
	stop, isStop := errors.AsType[*stops.Error](err)
	switch {
	case !isStop || stop.IsRetriable():
		return ExitFailed
	case stop.Name == stops.Fenced:
		return ExitFenced
	}
	return ExitStopped
}

// Given returns the names of the flags that were given by any source.
func Given(call *kong.Context) map[string]bool {
	names := map[string]bool{}
	for _, at := range call.Path {
		if at.Flag != nil {
			names[at.Flag.Name] = true
		}
	}
	return names
}

// GivenIn returns the names of the flags of a group that were given.
func GivenIn(call *kong.Context, group string) (names []string) {
	for _, at := range call.Path {
		if f := at.Flag; f != nil && f.Group != nil && f.Group.Key == group {
			names = append(names, f.Name)
		}
	}
	return names
}
