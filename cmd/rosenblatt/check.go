package main

import (
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/preflight"
)

// checkCommand checks whether a daemon with these settings would find what it needs.
type checkCommand struct {
	preflight.Settings `embed:""`
}

// Faults returns what is wrong with the settings.
func (c *checkCommand) Faults() error {
	_, err := c.Check()
	return err
}

// Run is called by kong.
func (c *checkCommand) Run(p *cli.Program) error {
	ctx, stop := cli.Interruptible()
	defer stop()
	return preflight.Run(ctx, p, &c.Settings)
}
