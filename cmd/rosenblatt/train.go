package main

import (
	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/training"
)

// trainCommand runs the batch algorithms over a file.
type trainCommand struct {
	training.Settings `embed:""`
}

// Run is called by kong.
func (c *trainCommand) Run(p *cli.Program, call *kong.Context) error {
	return training.Run(p, &c.Settings, cli.Given(call))
}
