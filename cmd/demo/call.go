package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/events"
	"rosenblatt/stream/stops"
)

// Options are the flags.
type Options struct {
	Rate       float64 `default:"200" placeholder:"N" help:"Events a second; 0 is as fast as it goes (default: ${default})."`
	Input      string  `placeholder:"FILE" help:"Feed this file instead of the synthetic stream: ${endings}, also .gz .zst."`
	Format     string  `placeholder:"${formats}" help:"How an event is written, where the file's ending does not tell."`
	LabelField string  `placeholder:"NAME" help:"The field or column with the label (default: label; in csv the last column named label, class, y or target, else the last one)."`
	Positive   string  `placeholder:"LABEL" help:"The label to tell from all others; needed where labels are not -1/1, 0/1 or false/true."`
	State      string  `placeholder:"FOLDER" help:"Keep model and topics here and go on from them (default: a temporary folder, removed at the end)."`
	HTTP       string  `name:"http" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address of the page; when it is taken, a free port; off for none (default: ${default})."`
	Verbose    bool    `help:"Show the daemon's log, not only its warnings."`
}

const description = `Watch an online perceptron learn a live stream: a Kafka broker inside this process, a feeder, and the daemon of "rosenblatt run" on it. Ctrl-C ends it.`

// usageError is a call that makes no sense as it is.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

func wrong(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// helped is thrown when help was printed: kong would go on parsing.
type helped struct{}

// call does what the arguments say and returns the exit code.
func call(ctx context.Context, args []string, out, logs io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(helped); !ok {
				panic(r)
			}
			code = 0
		}
	}()
	d := &demo{out: out, logs: logs}
	err := parse(args, &d.Options, out, logs)
	if err == nil {
		err = d.run(ctx)
	}
	return report(err, logs)
}

func parse(args []string, into *Options, out, logs io.Writer) error {
	grammar, err := kong.New(into, kong.Name("demo"), kong.Description(description), kong.Writers(out, logs),
		kong.Exit(func(int) { panic(helped{}) }), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ValueFormatter(func(v *kong.Value) string { return v.Help }), daemon.Vars())
	if err != nil {
		return err
	}
	if _, err := grammar.Parse(args); err != nil {
		return usageError{err}
	}
	return into.check()
}

func (o *Options) check() error {
	switch {
	case !(o.Rate >= 0) || math.IsInf(o.Rate, 0):
		return wrong("--rate %v: want 0 or more", o.Rate)
	case o.Input == "" && (o.Format != "" || o.LabelField != "" || o.Positive != ""):
		return wrong("--format, --label-field and --positive are about a file: want --input FILE too")
	}
	return nil
}

// report says what went wrong and returns the exit code for it.
func report(err error, logs io.Writer) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(logs, "demo: %v\n", err)
	var usage usageError
	var file *events.Error
	_, faults := cli.AsFaults(err)
	switch {
	case errors.As(err, &usage) || faults:
		fmt.Fprintln(logs, "Try: go run ./cmd/demo --help")
		return 2
	case errors.As(err, &file) && errors.Is(err, events.ErrFormat):
		return 2
	case stops.Is(err, stops.Fenced):
		return 3
	}
	return 1
}
