package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/verify"
)

// verifyCommand audits what a daemon has published. It only reads, and may be used beside a running daemon.
type verifyCommand struct {
	Input      string `group:"Topics" placeholder:"TOPIC" help:"The topic of events."`
	Output     string `group:"Topics" placeholder:"TOPIC" help:"The topic of answers to audit (default: INPUT.predictions)."`
	DeadLetter string `group:"Topics" placeholder:"TOPIC" help:"The topic of events that were rejected, taken as given (default: INPUT.dlq)."`
	Model      string `group:"Topics" placeholder:"NAME" help:"The model's name (default: the checkpoint's, else INPUT)."`

	State          string   `group:"Parameters" default:"./state" placeholder:"FOLDER" help:"Take the model's parameters and start from its checkpoints in FOLDER/MODEL, where there are some and no flag below names parameters (default: ${default}). The answers are computed from nothing all the same."`
	FromCheckpoint string   `group:"Parameters" placeholder:"FILE" help:"Begin with the model in this checkpoint: only answers behind it are audited."`
	Skip           []string `group:"Parameters" cmdline:"" placeholder:"P:FROM-TO" help:"What the daemon was told to pass over, where no checkpoint says so."`

	JSON bool `group:"Results" name:"json" help:"Print all findings and numbers as JSON."`
	Show int  `group:"Results" default:"10" placeholder:"N" help:"How many findings to print in words (default: ${default})."`

	daemon.Connection `embed:"" group:"Connection"`
	daemon.Events     `embed:"" group:"The model, as run was told (without a checkpoint)"`
	daemon.Learning   `embed:"" group:"The model, as run was told (without a checkpoint)"`
	daemon.Classes    `embed:"" group:"The model, as run was told (without a checkpoint)"`

	MaxBatchBytes int64 `group:"Connection" default:"67108864" placeholder:"N" help:"Most bytes that one batch of the input may unpack to (default: ${default})."`
}

// Run is called by kong.
func (c *verifyCommand) Run(p *cli.Program, call *kong.Context) error {
	plan, err := c.plan(p, call)
	if err != nil {
		return err
	}
	plan.with.Kafka.Log = daemon.ConsoleLog(p.Stderr)
	client, err := kafka.New(plan.with.Kafka)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, stop := cli.Interruptible()
	defer stop()
	began := time.Now()
	bar := cli.NewBar(p.Stderr, "verifying")
	result, err := c.audit(ctx, client, plan, bar.Set)
	bar.Clear()
	if err != nil {
		return c.failed(ctx, p, plan, client, err)
	}
	return c.tell(p, plan, result, time.Since(began))
}

func (c *verifyCommand) audit(ctx context.Context, client *kafka.Client, plan *verifyPlan, moved func(done, total int64)) (*verify.Result, error) {
	from, err := plan.start(ctx, client)
	if err != nil {
		return nil, err
	}
	a := verify.Audit{Log: client, Model: plan.model, From: from, Moved: moved}
	return a.Run(ctx)
}

// failed explains why an audit did not come to its end.
func (c *verifyCommand) failed(ctx context.Context, p *cli.Program, plan *verifyPlan, client *kafka.Client, err error) error {
	var stop *stops.Error
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return errors.New("interrupted: nothing is proved")
	case !errors.As(err, &stop):
		return err
	}
	if stop.Name == stops.InputGone || stop.Name == stops.JournalGone {
		if file := plan.reaching(ctx, client); file != "" {
			stop.Do = "audit what is left: --from-checkpoint " + file
		}
	}
	if c.JSON {
		if err := cli.WriteJSON(p.Stdout, map[string]any{"ok": false, "error": stop.Name, "what": stop.What, "do": stop.Do}); err != nil {
			return err
		}
		return cli.ErrReported
	}
	fmt.Fprintf(p.Stderr, "NOT verified, error=%s\n  what: %s\n  safe: %s\n  do:   %s\n", stop.Name, stop.What, stop.Safe, stop.Do)
	return cli.ErrReported
}
