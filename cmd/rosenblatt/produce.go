package main

import (
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/producer"
)

// produceCommand sends events to a topic.
type produceCommand struct {
	producer.Settings `embed:""`
}

// Faults returns what is wrong with the settings.
func (c *produceCommand) Faults() error {
	_, err := c.Check()
	return err
}

// Run is called by kong.
func (c *produceCommand) Run(p *cli.Program) error {
	ctx, stop := cli.Interruptible()
	defer stop()
	return producer.Run(ctx, p, &c.Settings)
}
