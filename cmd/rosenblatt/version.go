package main

import (
	"fmt"

	"rosenblatt/cmd/internal/daemon"
)

// versionCommand tells what program this is.
type versionCommand struct{}

// Run is called by kong.
func (c *versionCommand) Run(p *program) error {
	b := daemon.Build()
	commit := b.Commit
	if commit == "" {
		commit = "unknown"
	}
	_, err := fmt.Fprintf(p.stdout, "rosenblatt %s\ncommit     %s\ngo         %s\n", b.Version, commit, b.Go)
	return err
}
