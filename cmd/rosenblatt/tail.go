package main

import (
	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/tail"
)

// tailCommand shows what a daemon has published. It only reads, and may be used beside a running daemon.
type tailCommand struct {
	tail.Settings `embed:""`
}

// Run is called by kong.
func (c *tailCommand) Run(p *cli.Program, call *kong.Context) error {
	ctx, stop := cli.Interruptible()
	defer stop()
	return tail.Run(ctx, p, &c.Settings, cli.Given(call))
}
