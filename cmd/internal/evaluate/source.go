package evaluate

import (
	"context"

	"rosenblatt/stream/replay"
)

type input interface {
	replay.Source
	name() string      // as given
	format() string    // of the events
	columns() []string // that a file names itself, else nil
	close()
}

func (p *plan) open(ctx context.Context) (input, error) {
	if p.Topic != "" {
		return p.openTopic(ctx)
	}
	format := ""
	if p.given["format"] {
		format = p.Format
	}
	files, err := openFiles(p.Files, format, p.program.Stdin)
	switch {
	case err != nil:
		return nil, err
	case p.Labels == "":
		return files, nil
	}
	joined, err := p.openJoined(files)
	if err != nil {
		files.close()
		return nil, err
	}
	return joined, nil
}
