package main

import (
	"fmt"
	"io"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/report"
)

// tell prints the table and writes the files asked for.
func (c *replayCommand) tell(p *cli.Program, r *report.Report) error {
	tellRejects(p, r.Rejects, r)
	for _, f := range []struct {
		path  string
		write func(io.Writer) error
	}{{c.Report, r.HTML}, {c.JSON, r.JSON}, {c.CSV, r.Curves}} {
		if err := p.WriteFile(f.path, f.write); err != nil {
			return err
		}
	}
	if c.JSON == "-" || c.CSV == "-" || c.Report == "-" {
		return nil
	}
	return r.Table(p.Stdout)
}

// tellRejects names the first rejected records.
func tellRejects(p *cli.Program, first []*replay.Rejected, r *report.Report) {
	for _, x := range first {
		fmt.Fprintf(p.Stderr, "rosenblatt: %v\n", x)
	}
	var all int64
	for _, n := range r.Rejected {
		all += n
	}
	if more := all - int64(len(first)); more > 0 {
		fmt.Fprintf(p.Stderr, "rosenblatt: and %d more were rejected\n", more)
	}
}
