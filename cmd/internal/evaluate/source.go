package evaluate

import (
	"context"
	"errors"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/events"
	"rosenblatt/stream/replay"
)

// source is what is replayed.
type source interface {
	replay.Source
	name() string      // as given
	format() string    // of the events
	columns() []string // that a file names itself, else nil
	close()
}

// open opens the files or the topic.
func (p *plan) open(ctx context.Context) (source, error) {
	if p.Topic != "" {
		return p.openTopic(ctx)
	}
	format := ""
	if p.given["format"] {
		format = p.Format
	}
	s, err := openFiles(p.Files, format, p.program.Stdin)
	if errors.Is(err, events.ErrFormat) {
		return nil, &cli.UsageError{Err: err}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}
