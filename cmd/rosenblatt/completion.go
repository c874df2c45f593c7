package main

import "rosenblatt/cmd/internal/cli"

// completionCommand prints what a shell needs to complete command lines.
type completionCommand struct {
	cli.Completion `embed:""`
}
