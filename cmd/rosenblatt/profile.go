package main

import (
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/profiling"
)

// profileCommand shows what the fields of a running daemon's events hold.
type profileCommand struct {
	profiling.Settings `embed:""`
}

// Run is called by kong.
func (c *profileCommand) Run(p *cli.Program) error {
	ctx, stop := cli.Interruptible()
	defer stop()
	return profiling.Run(ctx, p, &c.Settings)
}
