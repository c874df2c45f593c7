package main

import (
	"fmt"
	"io"
	"os"

	"rosenblatt/stream/replay"
	"rosenblatt/stream/report"
)

// tell prints the table and writes the files asked for.
func (c *replayCommand) tell(p *program, r *report.Report) error {
	p.tellRejects(r.Rejects, r)
	for _, f := range []struct {
		path  string
		write func(io.Writer) error
	}{{c.Report, r.HTML}, {c.JSON, r.JSON}, {c.CSV, r.Curves}} {
		if f.path == "" {
			continue
		}
		if err := writeFile(p, f.path, f.write); err != nil {
			return err
		}
	}
	if c.JSON == "-" || c.CSV == "-" || c.Report == "-" {
		return nil
	}
	return r.Table(p.stdout)
}

// tellRejects names the first rejected records.
func (p *program) tellRejects(first []*replay.Rejected, r *report.Report) {
	for _, x := range first {
		fmt.Fprintf(p.stderr, "rosenblatt: %v\n", x)
	}
	var all int64
	for _, n := range r.Rejected {
		all += n
	}
	if more := all - int64(len(first)); more > 0 {
		fmt.Fprintf(p.stderr, "rosenblatt: and %d more were rejected\n", more)
	}
}

// writeFile writes a result to a file, or to standard output for "-".
func writeFile(p *program, path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(p.stdout)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		_ = f.Close() // the error that counts is known
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}
