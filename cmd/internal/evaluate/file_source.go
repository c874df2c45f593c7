package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/topics"
)

// fileSource reads files as one stream. A record's offset is the number of its line.
type fileSource struct {
	paths   []string
	options source.Options // of the first one
	stdin   io.Reader
	at      int          // the file that is being read
	file    *source.File // nil after the last one
	done    int64        // bytes of values and line ends
	total   int64        // bytes of the files; 0 for unknown
}

// openFiles opens the first file; its format and columns are those of all.
func openFiles(paths []string, o source.Options, stdin io.Reader) (*fileSource, error) {
	file, err := source.Open(paths[0], o, stdin)
	if err != nil {
		return nil, err
	}
	o.Format, o.Dialect, o.DelimiterGiven = file.FileFormat(), file.Table().Dialect, true
	return &fileSource{paths: paths, total: sizes(paths), stdin: stdin, file: file, options: o}, nil
}

// sizes adds up the bytes; 0 if one is packed or not a plain file.
func sizes(paths []string) (total int64) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || strings.HasSuffix(path, ".gz") || strings.HasSuffix(path, ".zst") {
			return 0
		}
		total += info.Size()
	}
	return total
}

func (s *fileSource) name() string        { return strings.Join(s.paths, " ") }
func (s *fileSource) format() string      { return s.file.Format() }
func (s *fileSource) table() source.Table { return s.file.Table() }
func (s *fileSource) notes() []string     { return s.file.Notes() }
func (s *fileSource) first() [][]byte     { return s.file.Ahead(daemon.KindRows) }

func (s *fileSource) close() {
	if s.file != nil {
		_ = s.file.Close() // it was only read
	}
}

// Fill implements replay.Source.
func (s *fileSource) Fill(_ context.Context, b *replay.Block) error {
	for !b.Full() {
		text, ends := s.file.Lines(b.Room())
		if len(ends) == 0 {
			if err := s.one(b); err != nil {
				return err
			}
			continue
		}
		b.Lines(s.file.Line()-len(ends)+1, text, ends)
		s.took(b, len(text), len(ends))
	}
	return nil
}

// one reads the next value or opens the next file.
func (s *fileSource) one(b *replay.Block) error {
	value, err := s.file.Next()
	if errors.Is(err, io.EOF) {
		return s.next()
	}
	if err != nil {
		return err
	}
	b.Refuse(len(b.Records), s.file.Fault())
	b.Records = append(b.Records, topics.Record{Offset: int64(s.file.Line()), Value: b.Copy(value)})
	s.took(b, len(value)+1, 1)
	return nil
}

func (s *fileSource) took(b *replay.Block, bytes, records int) {
	s.done += int64(bytes)
	if len(s.paths) > 1 {
		for range records {
			b.Files = append(b.Files, int32(s.at))
		}
	}
}

// next opens the next file; io.EOF after the last one.
func (s *fileSource) next() error {
	if s.at+1 == len(s.paths) {
		return io.EOF
	}
	columns := s.file.Table().Columns
	s.close()
	s.at++
	file, err := source.Open(s.paths[s.at], s.options, s.stdin)
	if err != nil {
		return err
	}
	s.file = file
	if !slices.Equal(file.Table().Columns, columns) {
		return fmt.Errorf("%s: its columns are not those of %s: replay them one by one", s.paths[s.at], s.paths[0])
	}
	return nil
}

// Done implements replay.Source.
func (s *fileSource) Done() (done, total int64) { return s.done, s.total }

// Where implements replay.Source.
func (s *fileSource) Where(b *replay.Block, i int) string {
	path := s.paths[0]
	if len(b.Files) > 0 {
		path = s.paths[b.Files[i]]
	}
	if path == "-" {
		path = "standard input"
	}
	return fmt.Sprintf("%s:%d", path, b.Records[i].Offset)
}
