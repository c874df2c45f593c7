package main

import (
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/promoting"
)

// promoteCommand makes another learner of a running daemon the one whose predictions are published.
type promoteCommand struct {
	promoting.Settings `embed:""`
}

// Run is called by kong.
func (c *promoteCommand) Run(p *cli.Program) error {
	ctx, stop := cli.Interruptible()
	defer stop()
	return promoting.Run(ctx, p, &c.Settings)
}
