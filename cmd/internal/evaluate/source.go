package evaluate

import (
	"context"
	"fmt"

	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
	"rosenblatt/stream/replay"
)

type input interface {
	replay.Source
	name() string        // as given
	format() string      // of the events
	table() source.Table // of a file, else empty
	notes() []string     // about the file, for people
	first() [][]byte     // rows of a file that say what its columns hold
	close()
}

func (p *plan) open(ctx context.Context) (input, error) {
	if p.Topic != "" {
		return p.openTopic(ctx)
	}
	o := p.Events.InFile(p.given["format"], p.NoHeader, p.note)
	o.Dialect = p.dialect()
	//mutation:format-of-the-model
	if p.model != nil {
		o.Usual = p.fixed.Decode.Format
		//mutation:columns-of-the-model
		if p.NoHeader && len(o.Columns) == 0 {
			o.Columns = p.fixed.Decode.Columns
		}
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

// note prints what was found while a file was read.
func (p *plan) note(text string) { fmt.Fprintf(p.program.Stderr, "rosenblatt: %s\n", text) }

// dialect is how the rows of files are written: as the flags say, else as those that the model knows.
func (p *plan) dialect() event.Dialect {
	d := p.Dialect()
	if p.model == nil {
		return d
	}
	known := p.fixed.Decode.Dialect
	if !p.given["quote"] {
		d.Quote = known.Quote
	}
	if !p.given["escape"] {
		d.Escape = known.Escape
	}
	if !p.given["decimal"] {
		d.Decimal = known.Decimal
	}
	return d
}
