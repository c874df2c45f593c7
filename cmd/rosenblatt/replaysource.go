package main

import (
	"context"
	"errors"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/events"
	"rosenblatt/stream/replay"
)

// replaySource is a source with what the command wants to know of it.
type replaySource interface {
	replay.Source
	name() string      // as given
	format() string    // of the events
	columns() []string // that a csv file names; else nil
	close()
}

// source opens what is to be replayed.
func (c *replayCommand) source(ctx context.Context, p *cli.Program, plan *replayPlan) (replaySource, error) {
	if c.Topic != "" {
		return c.topicSource(ctx, plan)
	}
	format := ""
	if plan.given["format"] {
		format = c.Format
	}
	source, err := openFiles(c.Files, format, p.Stdin)
	if errors.Is(err, events.ErrFormat) {
		return nil, &cli.UsageError{Err: err}
	}
	if err != nil {
		return nil, err
	}
	return source, nil
}
