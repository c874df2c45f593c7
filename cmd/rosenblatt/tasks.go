package main

import (
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/tasklist"
)

// tasksCommand shows which daemon has which task. It needs no folder and changes nothing.
type tasksCommand struct {
	tasklist.Settings `embed:""`
}

// Run is called by kong.
func (c *tasksCommand) Run(p *cli.Program) error {
	ctx, stop := cli.Interruptible()
	defer stop()
	return tasklist.Run(ctx, p, &c.Settings)
}
