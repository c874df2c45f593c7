package evaluate

import (
	"context"

	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/replay"
)

type input interface {
	replay.Source
	name() string        // as given
	format() string      // of the events
	table() source.Table // of a file, else empty
	notes() []string     // about the file, for people
	close()
}

func (p *plan) open(ctx context.Context) (input, error) {
	if p.Topic != "" {
		return p.openTopic(ctx)
	}
	o := source.Options{Delimiter: p.Delimiter, NoHeader: p.NoHeader, Columns: p.Columns}
	if p.given["format"] {
		o.Format = p.Format
	}
	files, err := openFiles(p.Files, o, p.program.Stdin)
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
