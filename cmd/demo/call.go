package main

import (
	"context"
	"io"
	"math"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
)

// Options are the flags.
type Options struct {
	Rate       float64 `default:"200" placeholder:"N"`
	Input      string  `placeholder:"FILE"`
	Format     string  `placeholder:"${formats}"`
	LabelField string  `placeholder:"NAME"`
	Positive   string  `placeholder:"LABEL"`

	Rare       bool
	LabelDelay time.Duration `default:"0s" placeholder:"DURATION"`

	State   string `placeholder:"FOLDER"`
	HTTP    string `name:"http" default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	Verbose bool
}

// FlagHelp implements cli.Documented.
func (Options) FlagHelp() cli.Help {
	return `
rate: Events a second; 0 is as fast as it goes (default: ${default}).
input: Feed this file instead of the synthetic stream: ${endings}, also .gz .zst .bz2.
format: How an event is written, where the file's ending does not tell.
label-field: The field or column with the label (default: label; in csv the last column named label, class or target,
	else y, else the last one).
positive: The label to tell from all others; needed where labels are not -1/1, 0/1 or false/true.
rare: Feed payments, of which one in a hundred is a fraud, with labels that come 20 seconds later on average; a missed
	fraud costs 20 times a false alarm.
label-delay: Labels come so much later than their events on average, in a topic of their own (default: with them).
state: Keep model and topics here and go on from them (default: a temporary folder, removed at the end).
http: Address of the page; when it is taken, a free port; off for none (default: ${default}).
verbose: Show the daemon's log, not only its warnings.
`
}

const description = "Watch an online perceptron learn a live stream: a Kafka broker inside this process, a feeder, " +
	`and the daemon of "rosenblatt run" on it. Ctrl-C ends it.`

// call returns the exit code.
func call(ctx context.Context, args []string, out, logs io.Writer) int {
	p := &cli.Program{
		Name: "demo", Description: description, Usage: "go run ./cmd/demo --help", Vars: daemon.Vars(),
		Stdout: out, Stderr: logs,
	}
	return p.Run(&commandLine{ctx: ctx}, args)
}

type commandLine struct {
	Options `embed:""`

	ctx context.Context
}

// Run is called by kong.
func (c *commandLine) Run(p *cli.Program) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Rare && c.LabelDelay == 0 {
		c.LabelDelay = rareDelay
	}
	return (&demo{Options: c.Options, out: p.Stdout, logs: p.Stderr}).run(c.ctx)
}

// rareDelay is how late labels come with --rare, if nothing is said.
const rareDelay = 20 * time.Second

func (o *Options) check() error {
	switch {
	case o.Rare && o.Input != "":
		return cli.Usagef("--rare and --input %s: want one of them", o.Input)
	case !(o.Rate >= 0) || math.IsInf(o.Rate, 0):
		return cli.Usagef("--rate %v: want 0 or more", o.Rate)
	case o.LabelDelay < 0:
		return cli.Usagef("--label-delay %v: want 0 or more", o.LabelDelay)
	case o.Input == "" && (o.Format != "" || o.LabelField != "" || o.Positive != ""):
		return cli.Usagef("--format, --label-field and --positive are about a file: want --input FILE too")
	}
	return nil
}
