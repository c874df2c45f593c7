package main

import (
	"cmp"
	"fmt"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
)

// versionCommand shows the version of the program.
type versionCommand struct{}

// Run is called by kong.
func (c *versionCommand) Run(p *cli.Program) error {
	b := daemon.Build()
	_, err := fmt.Fprintf(p.Stdout, "rosenblatt %s\ncommit     %s\ngo         %s\n", b.Version,
		cmp.Or(b.Commit, "unknown"), b.Go)
	return err
}
