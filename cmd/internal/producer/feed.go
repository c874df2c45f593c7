package producer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
	"rosenblatt/stream/recordbatch"
)

// outgoing is an event to be sent.
type outgoing struct {
	key, value []byte
	keyless    bool  // without a key although a key field is set
	end        int64 // bytes of the file up to it; approximate if packed

	labels []LabelRecord
	hold   time.Duration // it is sent so long behind its turn
	never  bool          // its label is not sent
	bare   bool          // it has no label that could be sent later

	headers []recordbatch.Header
}

// feed yields the events to send.
type feed struct {
	next    func() ([]byte, error) // a value, owned by the caller; io.EOF at the end
	key     func([]byte) []byte    // of a value, or nil; nil without a key field
	change  *Splitter              // nil if events are sent as they are
	code    *coder                 // writes them in another format; nil if they are sent as they are
	where   func() string          // the value read last is
	rewind  func() error
	close   func()
	repeat  int64        // rounds; 0 without end
	limit   int64        // most events sent; 0 without limit
	size    int64        // bytes of the file; 0 if unknown
	taken   func() int64 // bytes read of a packed file
	format  string       // of the events
	table   source.Table
	notes   []string          // about the file, for people
	needs   string            // further settings with which run reads the same
	strange bool              // a value was not UTF-8
	lacking int               // lines that were not sent: the encoding lacks bytes of them
	say     func(text string) // prints what is found later; nil before showTable
}

func (s *Settings) open(stdin io.Reader) (*feed, error) {
	if s.Generate != "" {
		stream := s.generated()
		change, err := s.Splitter(event.JSON, nil)
		n := 0
		next := func() ([]byte, error) { n++; return stream.AppendJSON(nil), nil }
		where := func() string { return fmt.Sprintf("event %d", n) }
		return &feed{next: next, where: where, format: event.JSON,
			key: s.keyOf(event.JSON, source.Table{}), change: change, close: func() {},
			limit: s.Count}, err
	}
	f := &feed{}
	o := source.Options{Format: s.Format, Dialect: event.ParseDialect(s.Delimiter, s.Quote, s.Escape, s.Decimal),
		DelimiterGiven: s.Delimiter != "", NoHeader: s.NoHeader, Encoding: s.Encoding, Note: f.note}
	file, err := source.Open(s.File, o, stdin)
	if err != nil {
		return nil, err
	}
	table := file.Table()
	if table.Label != "" && s.LabelField == event.Defaults(event.JSON).LabelField {
		s.LabelField = table.Label
	}
	needs, notes := s.runNeeds(file)
	change, err := s.Splitter(file.Format(), &table)
	if err == nil {
		err = s.keyable(file.Format(), table.Columns)
	}
	if err != nil {
		_ = file.Close() // only read
		return nil, err
	}
	*f = feed{
		next:   func() ([]byte, error) { return f.value(s.File, file) },
		where:  func() string { return fmt.Sprintf("%s:%d", s.File, file.Line()) },
		key:    s.keyOf(file.Format(), table),
		change: change,
		rewind: file.Rewind,
		close:  func() { _ = file.Close() }, // only read
		repeat: s.Repeat, limit: s.Count, format: file.Format(), table: table,
		notes: append(file.Notes(), notes...), needs: needs,
	}
	if info, err := os.Stat(s.File); s.File != "-" && err == nil && info.Mode().IsRegular() {
		f.size = info.Size()
		if file.Packed() {
			f.taken = file.Taken
		}
	}
	return f, nil
}

// note prints what is found while the file is read.
func (f *feed) note(text string) {
	if f.say != nil {
		f.say(text)
	}
}

// notedLines is how many lines are named that are not sent.
const notedLines = 10

// value returns the next value of a file. It passes those that the encoding does not read, as they could only be sent
// with other bytes than the file has.
func (f *feed) value(path string, file *source.File) ([]byte, error) {
	for {
		v, err := file.Next()
		if err != nil {
			return nil, err
		}
		why := file.Fault()
		//mutation:unread-lines-not-sent
		if why == nil || why.Reason != event.Encoding {
			return f.checked(v, file.Line()), nil
		}
		if f.lacking++; f.lacking <= notedLines {
			f.note(fmt.Sprintf("%s:%d: %v", path, file.Line(), why))
		}
	}
}

// unsent is the error at the end, if lines were not sent.
func (f *feed) unsent() error {
	if f.lacking == 0 {
		return nil
	}
	return fmt.Errorf("%s not sent: the encoding lacks bytes of them", english.Plural(f.lacking, "line was",
		"lines were"))
}

// checked returns a copy of a value. The first one that no decoder would take is noted.
func (f *feed) checked(value []byte, line int) []byte {
	if !f.strange && f.table.Schema == "" && !utf8.Valid(value) {
		f.strange = true
		f.note(fmt.Sprintf("line %d is not UTF-8, and is rejected where it is read; --encoding cp1252, or the name of "+
			"another one as gbk, sends it as UTF-8", line))
	}
	return bytes.Clone(value)
}

// showTable prints what run must know of a table: a header is not sent.
func (f *feed) showTable(program *cli.Program) {
	f.say = func(text string) { fmt.Fprintf(program.Stderr, "rosenblatt: %s\n", text) }
	for _, note := range f.notes {
		fmt.Fprintf(program.Stderr, "rosenblatt: %s\n", note)
	}
	if f.code != nil {
		fmt.Fprintf(program.Stderr, "run needs:%s%s%s\n", f.code.needs, f.needs, f.change.flags())
		return
	}
	if len(f.table.Columns) == 0 {
		needs := f.needs
		//mutation:format-of-lines
		if f.format != event.JSON && f.table.Schema == "" {
			needs = " --format " + f.format + needs
		}
		if needs != "" {
			fmt.Fprintf(program.Stderr, "run needs:%s%s\n", needs, f.change.flags())
		}
		return
	}
	names, from, dialect := strings.Join(f.table.Columns, ","), "from the header", ""
	if f.table.NoHeader {
		from = "other names will do as well"
	}
	if flags := f.table.Flags(); flags != "" {
		dialect = " " + flags
	}
	fmt.Fprintf(program.Stderr, "columns, %s: %s\nrun needs: --format %s%s --columns %s%s%s\n", from, names, f.format,
		dialect, cli.Argument(f.table.Columns...), f.needs, f.change.flags())
}

// events reads ahead into a channel, so that the sender waits for one event at most. The channel is closed at the end;
// then err returns how it ended. The goroutine ends with ctx, unless it blocks reading standard input.
func (f *feed) events(ctx context.Context) (all <-chan outgoing, err func() error) {
	out := make(chan outgoing, maxBatch)
	var failed error
	closeFile := f.close
	f.close = func() {} // from here on the goroutine has the file
	go func() {
		defer close(out)
		defer closeFile()
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
			return f.unsent()
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
		case given%64 == 0: // checking has a cost
			end = (round-1)*f.size + f.taken()
		}
		e := f.outgoing(given, v, end)
		//mutation:encode-misfit
		if err := f.encode(&e); err != nil {
			return err
		}
		select {
		case out <- e:
		case <-ctx.Done():
			return nil
		}
		if given++; given == f.limit {
			return f.unsent()
		}
	}
}

// outgoing makes event n of a value.
func (f *feed) outgoing(n int64, value []byte, end int64) outgoing {
	e := outgoing{value: value, end: end}
	if f.change != nil {
		f.change.identify(n, &e)
	}
	if f.key != nil {
		e.key = f.key(e.value)
		e.keyless = e.key == nil
	}
	if f.change != nil {
		f.change.takeLabel(&e)
	}
	return e
}

// encode writes an event anew, in its other format if there is one.
func (f *feed) encode(e *outgoing) error {
	if f.code == nil {
		return nil
	}
	if err := f.code.encode(e); err != nil {
		return fmt.Errorf("%s: the event does not fit the schema, and nothing behind it is sent: %w", f.where(), err)
	}
	return nil
}

// total is what is to be sent, in bytes of the file or else in events; both are 0 if unknown.
func (f *feed) total() (size, count int64) {
	if f.limit > 0 {
		return 0, f.limit
	}
	return f.size * f.repeat, 0
}
