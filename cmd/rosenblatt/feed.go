package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/events"
	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/event"
)

// outgoing is an event to be sent.
type outgoing struct {
	key, value []byte
	keyless    bool  // it has no key though one was asked for
	end        int64 // bytes of the file up to it; about so many of a packed one
}

// feed gives the events to send.
type feed struct {
	next    func() ([]byte, error) // a value in memory of its own; io.EOF at the end
	key     func([]byte) []byte    // of a value, nil for none; nil when none was asked for
	rewind  func() error
	close   func()
	repeat  int64        // times to go through it; 0 without end
	limit   int64        // most events given; 0 without limit
	size    int64        // bytes of a file, once; 0 when that is not known
	taken   func() int64 // of a packed file: how many of these bytes were read
	columns []string     // of csv
}

func (c *produceCommand) open(stdin io.Reader) (*feed, error) {
	if c.Generate != "" {
		s, err := generate.Open(c.generated())
		if err != nil {
			return nil, err
		}
		next := func() ([]byte, error) { return s.Next().AppendJSON(nil), nil }
		return &feed{next: next, key: c.keyOf(event.JSON, nil), close: func() {}, limit: c.Count}, nil
	}
	source, err := c.source(stdin)
	if err != nil {
		return nil, err
	}
	f := &feed{
		next:   func() ([]byte, error) { v, err := source.Next(); return bytes.Clone(v), err },
		key:    c.keyOf(source.Format(), source.Columns()),
		rewind: source.Rewind,
		close:  func() { _ = source.Close() }, // it was only read
		repeat: c.Repeat, limit: c.Count, columns: source.Columns(),
	}
	if info, err := os.Stat(c.File); c.File != "-" && err == nil && info.Mode().IsRegular() {
		f.size = info.Size()
		if source.Packed() {
			f.taken = source.Taken
		}
	}
	if err := c.keyable(source); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func (c *produceCommand) source(stdin io.Reader) (*events.Source, error) {
	if c.File == "-" {
		return events.From(stdin, "standard input", c.Format)
	}
	return events.Open(c.File, c.Format)
}

// keyable tells whether events of this kind have fields by name.
func (c *produceCommand) keyable(source *events.Source) error {
	switch columns := source.Columns(); {
	case c.Key == "" || source.Format() == event.JSON:
		return nil
	case columns == nil:
		return errors.New("key: events in " + source.Format() + " have no fields by name: want json or csv")
	case !slices.Contains(columns, c.Key):
		return errors.New("key: the header names no column " + c.Key + ": want one of " + strings.Join(columns, ", "))
	}
	return nil
}

// keyOf makes what finds a value's key; nil where none was asked for.
func (c *produceCommand) keyOf(format string, columns []string) func([]byte) []byte {
	if c.Key == "" {
		return nil
	}
	if f, _ := event.FindFormat(format); f.Cells != nil {
		at := slices.Index(columns, c.Key)
		return func(value []byte) []byte {
			row, err := f.Cells(value)
			if err != nil || at >= len(row) || row[at] == "" {
				return nil
			}
			return []byte(row[at])
		}
	}
	path := strings.Split(c.Key, ".")
	return func(value []byte) []byte { return jsonKey(value, path) }
}

// jsonKey is the field at a path as a key: a text without its quotes, anything else as it is written; nil when there is none
// or null, and in what is no JSON.
func jsonKey(value []byte, path []string) []byte {
	for _, name := range path {
		var fields map[string]json.RawMessage
		if json.Unmarshal(value, &fields) != nil {
			return nil
		}
		value = fields[name]
	}
	var text string
	switch {
	case len(value) == 0 || string(value) == "null":
		return nil
	case json.Unmarshal(value, &text) == nil:
		return []byte(text)
	}
	return value
}

// events reads ahead into a channel, so that the sender never waits for more than one event: what comes slowly is sent at
// once. The channel is closed at the end; then err tells how it ended. The goroutine ends with ctx, but for a read of
// standard input that nothing comes out of: that one ends with the process.
func (f *feed) events(ctx context.Context) (all <-chan outgoing, err func() error) {
	out := make(chan outgoing, maxBatch)
	var failed error
	go func() {
		defer close(out)
		failed = f.pump(ctx, out)
	}()
	return out, func() error { return failed }
}

func (f *feed) pump(ctx context.Context, out chan<- outgoing) error {
	var given, before, end int64
	for round := int64(1); ; {
		v, err := f.next()
		switch {
		case errors.Is(err, io.EOF) && (round == f.repeat || given == before): // a file without values would never end
			return nil
		case errors.Is(err, io.EOF):
			round, before, end = round+1, given, round*f.size
			if err := f.rewind(); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		switch {
		case f.taken == nil:
			end += int64(len(v)) + 1
		case given%64 == 0: // asking costs a little
			end = (round-1)*f.size + f.taken()
		}
		e := outgoing{value: v, end: end}
		if f.key != nil {
			e.key = f.key(v)
			e.keyless = e.key == nil
		}
		select {
		case out <- e:
		case <-ctx.Done():
			return nil
		}
		if given++; given == f.limit {
			return nil
		}
	}
}

// total is what is to be sent in all, in bytes of the file or else in events; both are 0 when that is not known.
func (f *feed) total() (size, count int64) {
	if f.limit > 0 {
		return 0, f.limit
	}
	return f.size * f.repeat, 0
}
