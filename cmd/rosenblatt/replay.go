package main

import (
	"os"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/evaluate"
)

// replayCommand evaluates learners on a finished stream.
type replayCommand struct {
	evaluate.Settings `embed:""`
}

// replayGarbage is how far, in percent, the heap may grow beyond what is in use. Learners take their memory at the
// start and leave next to none to the garbage collector. With the default it would run four times until then, for a
// third of the time of a short replay.
const replayGarbage = 400

// Run is called by kong.
func (c *replayCommand) Run(p *cli.Program, call *kong.Context) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(replayGarbage)
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	return evaluate.Run(ctx, p, &c.Settings, cli.Given(call), call.Args)
}
