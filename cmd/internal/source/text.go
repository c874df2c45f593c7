package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/transform"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
)

// decodeText has the text read as UTF-8 with lines that end in LF, by the encoding of the options or what the first
// bytes show.
func (s *File) decodeText() error {
	plain := s.plain
	s.plain = nil
	if _, err := s.in.Peek(1); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	charset, err := event.NewCharset(s.options.Encoding)
	if err != nil {
		return &cli.UsageError{Err: &Error{Path: s.path, Err: err}}
	}
	//mutation:utf-16
	if seems := event.SeemsUTF16(s.head()); seems != "" &&
		(charset == nil || seems == "utf-16" && charset.Name() != seems) {
		if charset, err = event.NewCharset(seems); err != nil {
			return err
		}
		s.noteOnce(fmt.Sprintf("the text is read as %s, as its first bytes are", seems))
	}
	if s.charset = charset; charset != nil && !charset.Lines {
		plain = transform.NewReader(s.rest(plain), charset.Decoder())
		s.in.Reset(plain)
	}
	//mutation:line-ends-in-cr
	if s.endsInCR() {
		s.noteOnce("lines end in CR alone")
		s.in.Reset(crReader{s.rest(plain)})
	}
	return nil
}

// noteOnce notes what was found at the beginning, which Rewind reads again.
func (s *File) noteOnce(text string) {
	if slices.Contains(s.notes, text) {
		return
	}
	s.notes = append(s.notes, text)
	if s.format.Cells == nil && s.file == nil && s.options.Note != nil { // too late for Notes
		s.options.Note(s.path + ": " + text)
	}
}

// head is what one read gives.
func (s *File) head() []byte {
	_, _ = s.in.Peek(1) // an error comes again: see decodeText
	head, _ := s.in.Peek(s.in.Buffered())
	return head
}

// rest returns a reader of what is buffered and what follows it.
func (s *File) rest(plain io.Reader) io.Reader {
	return io.MultiReader(bytes.NewReader(bytes.Clone(s.head())), plain)
}

// endsInCR reports whether the first line of the file ends in CR alone, and none in LF as far as is buffered.
func (s *File) endsInCR() bool {
	for {
		head := s.head()
		at := bytes.IndexByte(head, '\r')
		switch {
		case bytes.IndexByte(head, '\n') >= 0, len(head) == bufferBytes:
			return false
		case at >= 0 && at+1 < len(head):
			return true
		}
		if _, err := s.in.Peek(len(head) + 1); err != nil {
			return false
		}
	}
}

// crReader makes line ends of carriage returns.
type crReader struct{ from io.Reader }

func (r crReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	for i := range p[:n] {
		if p[i] == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// decodeLine returns a line in UTF-8, with its end, which half a character before it must not take along. What the
// encoding lacks of it is kept until the line is returned.
func (s *File) decodeLine(raw []byte) []byte {
	if !s.charset.Lines {
		return raw
	}
	var why *event.Error
	//mutation:half-a-character-before-a-line-end
	text := trimEnd(raw)
	if s.decoded, why = s.charset.Append(s.decoded[:0], text); why != nil {
		if s.lacking == nil {
			s.lacking = map[int]*event.Error{}
		}
		s.lacking[s.read+1] = why
	}
	s.decoded = append(s.decoded, raw[len(text):]...)
	return s.decoded
}

// undecoded returns what the encoding lacks of the value, nil if nothing. A byte that is not UTF-8 is in its place.
func (s *File) undecoded(value []byte) ([]byte, *event.Error) {
	if !s.charset.Lines {
		at := bytes.IndexRune(value, utf8.RuneError)
		if at < 0 {
			return value, nil
		}
		text := fmt.Sprintf("character %d is not %s", utf8.RuneCount(value[:at])+1, s.charset.Name())
		return event.MarkReplaced(value), event.NewError(event.Encoding, text)
	}
	if !s.taping { // else lines are read again
		maps.DeleteFunc(s.lacking, func(line int, _ *event.Error) bool { return line < s.first })
	}
	for line := s.first; line <= s.read && len(s.lacking) > 0; line++ {
		if why := s.lacking[line]; why != nil {
			if line > s.first {
				why = event.NewError(why.Reason, fmt.Sprintf("line %d, %s", line, why.Message()))
			}
			return value, why
		}
	}
	return value, nil
}
