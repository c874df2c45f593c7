package main

import (
	"bytes"
	"context"
	"errors"
	"io"

	"rosenblatt/cmd/internal/events"
	"rosenblatt/cmd/internal/generate"
)

// feed gives the values to send.
type feed struct {
	next   func() ([]byte, error) // in memory of its own; io.EOF at the end
	rewind func() error
	close  func()
	repeat int64 // times to go through it; 0 without end
	limit  int64 // most values given; 0 without limit
}

func (c *produceCommand) open(stdin io.Reader) (*feed, error) {
	if c.Generate != "" {
		plane := generate.New(c.Seed)
		next := func() ([]byte, error) { return plane.AppendJSON(nil), nil }
		return &feed{next: next, close: func() {}, limit: c.Count}, nil
	}
	source, err := c.source(stdin)
	if err != nil {
		return nil, err
	}
	return &feed{
		next:   func() ([]byte, error) { v, err := source.Next(); return bytes.Clone(v), err },
		rewind: source.Rewind,
		close:  func() { _ = source.Close() }, // it was only read
		repeat: c.Repeat, limit: c.Count,
	}, nil
}

func (c *produceCommand) source(stdin io.Reader) (*events.Source, error) {
	if c.File == "-" {
		return events.From(stdin, "standard input", c.Format)
	}
	return events.Open(c.File, c.Format)
}

// values reads ahead into a channel, so that the sender never waits for more than one value: what comes slowly is sent at
// once. The channel is closed at the end; then err tells how it ended. The goroutine ends with ctx, but for a read of
// standard input that nothing comes out of: that one ends with the process.
func (f *feed) values(ctx context.Context) (values <-chan []byte, err func() error) {
	out := make(chan []byte, maxBatch)
	var failed error
	go func() {
		defer close(out)
		failed = f.pump(ctx, out)
	}()
	return out, func() error { return failed }
}

func (f *feed) pump(ctx context.Context, out chan<- []byte) error {
	var given, before int64
	for round := int64(1); ; {
		v, err := f.next()
		switch {
		case errors.Is(err, io.EOF) && (round == f.repeat || given == before): // a file without values would never end
			return nil
		case errors.Is(err, io.EOF):
			round, before = round+1, given
			if err := f.rewind(); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		select {
		case out <- v:
		case <-ctx.Done():
			return nil
		}
		if given++; given == f.limit {
			return nil
		}
	}
}
