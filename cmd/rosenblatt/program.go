package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/rs/zerolog"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/stops"
)

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitFenced = 3
)

// program is one call of the command.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// commandLine is the grammar.
type commandLine struct {
	Run     runCommand     `cmd:"" help:"Answer and learn from a topic."`
	Replay  replayCommand  `cmd:"" help:"Evaluate learners on a file or a topic as if it were live."`
	Train   trainCommand   `cmd:"" help:"Train on a file with the batch algorithms: primal, pla or dual."`
	Produce produceCommand `cmd:"" help:"Send events from a file or a generator to a topic."`
	Inspect inspectCommand `cmd:"" help:"Show a checkpoint."`
	Verify  verifyCommand  `cmd:"" help:"Compute every published answer again from the input, and compare."`
	Check   checkCommand   `cmd:"" help:"Tell whether brokers, topics, rights and folder are in order."`
	Version versionCommand `cmd:"" help:"Tell what program this is."`

	Completion completionCommand `cmd:"" help:"Print what a shell needs to complete command lines."`

	Config string `placeholder:"FILE" help:"A YAML file of settings, under the names of the flags."`

	sources *sources
}

const description = `An online-learning stream processor: answers every event of a Kafka topic, then learns from its label.

A setting can be given as a flag, --max-bytes 1000, in the environment, ROSENBLATT_MAX_BYTES=1000, or in a YAML file, max-bytes: 1000. The flag wins over the environment, the environment over the file.`

// usageError is a call that cannot be understood.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// errSilent ends a command that has already said all there is to say.
var errSilent = errors.New("failed")

// helped is thrown when help was printed: kong would go on parsing.
type helped struct{}

// run does what the arguments say and returns the exit code.
func (p *program) run(args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(helped); !ok {
				panic(r)
			}
			code = exitDone
		}
	}()
	if len(args) == 0 { // somebody who looks around
		p.stdout = p.stderr
		p.run([]string{"--help"})
		return exitUsage
	}
	call, err := p.parse(&commandLine{}, usual(args))
	if err == nil {
		err = call.Run(p)
	}
	return p.report(err)
}

// usual turns what other programs know into what this one has: help, help COMMAND and --version.
func usual(args []string) []string {
	switch args[0] {
	case "help":
		return append(slices.Clone(args[1:]), "--help")
	case "--version", "-v":
		return append([]string{"version"}, args[1:]...)
	}
	return args
}

// parse reads arguments, environment and file.
func (p *program) parse(into *commandLine, args []string) (*kong.Context, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(muchGarbage)) // no collection while it starts: what it leaves is little, and most is kept
	grammar, err := kong.New(into,
		kong.Name("rosenblatt"), kong.Description(description), kong.Writers(p.stdout, p.stderr),
		kong.Exit(func(int) { panic(helped{}) }), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.ValueFormatter(func(v *kong.Value) string { return v.Help }))
	if err != nil {
		return nil, err
	}
	call, err := grammar.Parse(args)
	if err != nil {
		if _, faults := daemon.AsFaults(err); faults {
			return nil, err
		}
		return nil, usageError{err}
	}
	if faults := into.sources.faults; len(faults) > 0 {
		if c, ok := call.Selected().Target.Addr().Interface().(interface{ wrong() error }); ok {
			more, _ := daemon.AsFaults(c.wrong())
			faults = append(faults, more...)
		}
		return nil, faults
	}
	return call, nil
}

// report tells what went wrong and finds the exit code for it.
func (p *program) report(err error) int {
	var usage usageError
	switch faults, wrong := daemon.AsFaults(err); {
	case err == nil:
		return exitDone
	case errors.Is(err, errSilent):
		return exitFailed
	case wrong && len(faults) > 1:
		fmt.Fprintf(p.stderr, "rosenblatt: %d settings are wrong:\n  %s\n", len(faults), strings.ReplaceAll(faults.Error(), "\n", "\n  "))
		return exitUsage
	case wrong:
		fmt.Fprintf(p.stderr, "rosenblatt: %v\n", faults)
		return exitUsage
	case errors.As(err, &usage):
		fmt.Fprintf(p.stderr, "rosenblatt: %v\nTry: rosenblatt --help, or rosenblatt COMMAND --help\n", usage)
		return exitUsage
	}
	var logged *loggedError
	if !errors.As(err, &logged) {
		fmt.Fprintf(p.stderr, "rosenblatt: %v\n", err)
	}
	if stops.Is(err, stops.Fenced) {
		return exitFenced
	}
	return exitFailed
}

// troubles tells people that brokers are waited for, so that nobody waits without knowing for what.
func troubles(w io.Writer) zerolog.Logger { return daemon.Logging{LogFormat: "console"}.Logger(w) }

// sameSignal is how long after a first signal a second one counts as the same: timeout(1), go run and others who pass signals
// on make two out of one.
const sameSignal = 300 * time.Millisecond

// interruptible returns a context that SIGINT and SIGTERM end. A second signal ends the process at once.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { time.AfterFunc(sameSignal, stop) })
	return ctx, stop
}
