package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

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
	encoding, name, err := event.FindEncoding(s.options.Encoding)
	if err != nil {
		return &cli.UsageError{Err: &Error{Path: s.path, Err: err}}
	}
	//mutation:utf-16
	if seems := event.SeemsUTF16(s.head()); seems != "" && (name == "" || seems == "utf-16" && name != seems) {
		if encoding, _, err = event.FindEncoding(seems); err != nil {
			return err
		}
		s.noteOnce(fmt.Sprintf("the text is read as %s, as its first bytes are", seems))
	}
	if s.encoded = encoding != nil; s.encoded {
		plain = transform.NewReader(s.rest(plain), encoding.NewDecoder())
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
