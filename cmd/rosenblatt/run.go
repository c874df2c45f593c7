package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"github.com/rs/zerolog"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/board"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/report"
	"rosenblatt/stream/stops"
)

// runCommand is the daemon.
type runCommand struct {
	daemon.Settings `embed:""`

	DryRun bool `cmdline:"" help:"Print the settings that would hold, as a file for --config, and end."`
}

// daemonGarbage is how far, in percent, the heap may grow beyond what is in use. The daemon leaves next to nothing to
// the garbage collector, so a low bound saves memory. With a lower one it would run dozens of times while buffers grow.
const daemonGarbage = 30

// Faults returns what is wrong with the settings.
func (c *runCommand) Faults() error {
	_, err := c.Resolve()
	return err
}

// Run is called by kong.
func (c *runCommand) Run(p *cli.Program) error {
	if c.DryRun {
		return c.printSettings(p)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(daemonGarbage)
	}
	log := c.Logger(p.Stderr)
	d, err := daemon.New(c.Settings, log)
	if err != nil {
		if c.LogFormat != "json" { // those who set that read nothing else
			return err
		}
		log.Error().Err(err).Msg("failed")
		return &cli.LoggedError{Err: err}
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	if err := d.Run(ctx); err != nil {
		return c.report(ctx, p, log, err)
	}
	say := func(text string) { fmt.Fprintln(p.Stdout, text) }
	if c.LogFormat == "json" {
		say = func(text string) { log.Info().Msg(text) }
	}
	for _, s := range d.Statuses() {
		summarize(say, s)
		c.tooLate(say, s.Late)
		if c.UntilEnd {
			leftBehind(say, "partition", s.Partitions)
			if s.Late != nil {
				leftBehind(say, "labels partition", s.Late.Partitions)
			}
		}
	}
	return nil
}

// printSettings prints the settings that hold, with all that follows from others. Files with secrets are named, secrets
// are not shown.
func (c *runCommand) printSettings(p *cli.Program) error {
	resolved, err := c.Resolve()
	if err != nil {
		return err
	}
	notes := map[string]string{}
	if os.Getenv(daemon.PasswordEnv) != "" {
		notes["sasl-password-file"] = "the password is in " + daemon.PasswordEnv + ", hidden"
	}
	return cli.PrintSettings(p.Stdout, &runCommand{Settings: resolved.Settings}, p.Vars, notes)
}

// report prints or logs how a run failed.
func (c *runCommand) report(ctx context.Context, p *cli.Program, log zerolog.Logger, err error) error {
	stop, isStop := errors.AsType[*stops.Error](err)
	switch console := c.Console(p.Stderr); {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		log.Info().Msg(err.Error()) // interrupted at the start
		return nil
	case !isStop && console:
		return err
	case !isStop:
		log.Error().Err(err).Msg("failed")
	case console:
		fmt.Fprintf(p.Stderr, "\nerror=%s\n  what: %s\n  safe: %s\n  do:   %s\n", stop.Name, stop.What, stop.Safe,
			stop.Do)
	default:
		log.Error().Str("error", stop.Name).Str("what", stop.What).Str("safe", stop.Safe).Str("do", stop.Do).
			Msg("stopped")
	}
	return &cli.LoggedError{Err: err}
}

// summarize says the result of a finished run.
func summarize(say func(string), s *board.Status) {
	text := fmt.Sprintf("model %s: %d predictions%s, %d of them labelled, %d mistakes (accuracy %.4f), %d updates, "+
		"%d rejected", s.Model, s.Counts.Predictions, cli.Untrained(s.Counts.Untrained), s.Score.Examples,
		s.Score.Mistakes, s.Score.Accuracy.Value(), s.Score.Updates, cli.Total(s.Counts.Rejected))
	if left := s.Score.LeftOut; left > 0 && s.Score.Examples == 0 {
		text += "; " + cli.AllUntrained(left)
	}
	if mistakes := report.Mistakes(s.Labels, &s.Score, s.Classes, s.Confusion); mistakes != "" {
		text += "; " + mistakes
	}
	say(text)
	if l := s.Late; l != nil {
		say(fmt.Sprintf("labels that come later: %d predictions wait, %d label records were rejected, %d repeat "+
			"a label", l.Waiting, cli.Total(l.Counts.Rejected), l.Counts.Repeats))
	}
}

// tooLate says of which labels many came when their events no longer waited, and what mends it. At the end of its
// topics one record may be all that there is of a label.
func (c *runCommand) tooLate(say func(string), l *board.LabelStatus) {
	if l == nil {
		return
	}
	least := int64(labels.FewLate)
	if c.UntilEnd {
		least = 1
	}
	//mutation:late-at-the-end
	for _, late := range l.Counts.ByLabel.TooLate(least) {
		found, do := late.Text(l.Wait, l.Examples)
		say(found + ": " + do)
	}
}

// leftBehind says what a run to the end did not read: what came since it began, and what open transactions hold back.
func leftBehind(say func(string), what string, all []board.PartitionStatus) {
	const most = 10 // partitions
	unread := slices.DeleteFunc(slices.Clone(all), func(x board.PartitionStatus) bool { return x.Lag() == 0 })
	for _, x := range unread[:min(most, len(unread))] {
		text := fmt.Sprintf("left behind: %d offsets of %s %d from %d on", x.Lag(), what, x.Partition, x.Position)
		if x.StableLag > 0 {
			text += fmt.Sprintf(", %d of them behind an open transaction", x.StableLag)
		}
		say(text)
	}
	if more := len(unread) - most; more > 0 {
		say(fmt.Sprintf("left behind: offsets of %d more %ss", more, what))
	}
}
