package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/rs/zerolog"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream"
	"rosenblatt/stream/stops"
)

// runCommand is the daemon.
type runCommand struct {
	daemon.Settings `embed:""`

	DryRun bool `cmdline:"" help:"Print the settings that would hold, as a file for --config, and end."`
}

// littleGarbage is how far, in percent, the heap may grow beyond what is in use. The daemon leaves next to nothing to the garbage
// collector, so a low bound costs no time, and no memory is kept for nothing.
const littleGarbage = 10

// wrong is what is wrong with the settings.
func (c *runCommand) wrong() error {
	c.SASLPassword = os.Getenv(passwordEnv)
	_, err := c.Resolve()
	return err
}

// Run is called by kong.
func (c *runCommand) Run(p *program) error {
	c.SASLPassword = os.Getenv(passwordEnv)
	if c.DryRun {
		return c.printSettings(p.stdout)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(littleGarbage)
	}
	log := c.Logger(p.stderr)
	d, err := daemon.New(c.Settings, log)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	if err := d.Run(ctx); err != nil {
		return c.ended(ctx, p, log, err)
	}
	summarize(p, d.Status())
	return nil
}

// ended tells how a run ended that did not end well.
func (c *runCommand) ended(ctx context.Context, p *program, log zerolog.Logger, err error) error {
	var stop *stops.Error
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		log.Info().Msg(err.Error()) // asked to stop before it began
		return nil
	case !errors.As(err, &stop) && c.Console(p.stderr):
		return err
	case !errors.As(err, &stop):
		log.Error().Err(err).Msg("failed")
	case c.Console(p.stderr):
		fmt.Fprintf(p.stderr, "\nerror=%s\n  what: %s\n  safe: %s\n  do:   %s\n", stop.Name, stop.What, stop.Safe, stop.Do)
	default:
		log.Error().Str("error", stop.Name).Str("what", stop.What).Str("safe", stop.Safe).Str("do", stop.Do).Msg("stopped")
	}
	return &loggedError{err}
}

// loggedError is an error that was told already.
type loggedError struct{ error }

func (l *loggedError) Unwrap() error { return l.error }

// summarize prints what a finished run comes to.
func summarize(p *program, s *stream.Status) {
	var rejected int64
	for _, n := range s.Counts.Rejected {
		rejected += n
	}
	fmt.Fprintf(p.stdout, "model %s: %d answered, %d of them labelled, %d mistakes (accuracy %.4f), %d updates, %d rejected\n",
		s.Model, s.Seq, s.Score.Examples, s.Score.Mistakes, s.Score.Accuracy, s.Score.Updates, rejected)
}
