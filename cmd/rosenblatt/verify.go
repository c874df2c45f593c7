package main

import (
	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/audit"
	"rosenblatt/cmd/internal/cli"
)

// verifyCommand audits what a daemon has published. It only reads, and may be used beside a running daemon.
type verifyCommand struct {
	audit.Settings `embed:""`
}

// Run is called by kong.
func (c *verifyCommand) Run(p *cli.Program, call *kong.Context) error {
	ctx, stop := cli.Interruptible()
	defer stop()
	return audit.Run(ctx, p, &c.Settings, cli.Given(call), cli.GivenIn(call, audit.ModelGroup))
}
