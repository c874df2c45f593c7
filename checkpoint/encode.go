package checkpoint

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// Section is named bytes to save.
type Section struct {
	Name string // 1 to 64 ASCII letters, digits, '.', '_' and '-'; unique in a file
	Size int64  // bytes
	// Write writes exactly Size bytes to a buffered writer. Save calls it once.
	Write func(w io.Writer) error
}

const bufferSize = 1 << 16

// encoder writes a file sequentially, with the CRC32C of the file and of the current part. Its first error sticks.
type encoder struct {
	w           *bufio.Writer
	size        int64
	total, part uint32
	err         error
}

const trailerSize = 8 + 4

// encode returns the number of bytes written.
func encode(w io.Writer, header []byte, sections []Section) (int64, error) {
	e := &encoder{w: bufio.NewWriterSize(w, bufferSize)}
	e.text(firstLine(Version))
	e.header(header, len(sections))
	for _, s := range sections {
		if err := e.section(s); err != nil {
			return 0, fmt.Errorf("section %s: %w", s.Name, err)
		}
	}
	e.uint64(uint64(e.size + trailerSize))
	e.uint32(e.total)
	return e.size, e.w.Flush()
}

// Write implements io.Writer. It writes no more than a buffer at a time, which bufio.Writer copies: a file system may
// change the bytes of a write, and these are the caller's.
func (e *encoder) Write(p []byte) (n int, err error) {
	for n < len(p) && e.err == nil {
		piece := p[n:min(n+bufferSize, len(p))]
		var written int
		written, e.err = e.w.Write(piece)
		e.total = crc32.Update(e.total, castagnoli, piece[:written])
		e.part = crc32.Update(e.part, castagnoli, piece[:written])
		n += written
	}
	e.size += int64(n)
	return n, e.err
}

func check(header []byte, sections []Section) error {
	if !json.Valid(header) || len(header) > math.MaxUint32 {
		return errors.New("the header is not JSON")
	}
	if len(sections) > maxSections {
		return fmt.Errorf("%d sections, more than %d", len(sections), maxSections)
	}
	seen := make(map[string]bool, len(sections))
	for _, s := range sections {
		if wrong := checkName(s.Name); wrong != "" {
			return errors.New(wrong)
		}
		if seen[s.Name] {
			return fmt.Errorf("duplicate section %s", s.Name)
		}
		if s.Size < 0 {
			return fmt.Errorf("section %s has size %d", s.Name, s.Size)
		}
		seen[s.Name] = true
	}
	return nil
}

// The encoder keeps its first error, so these need not return it.

func (e *encoder) text(s string)   { _, _ = e.Write([]byte(s)) }
func (e *encoder) uint32(v uint32) { _, _ = e.Write(binary.LittleEndian.AppendUint32(nil, v)) }
func (e *encoder) uint64(v uint64) { _, _ = e.Write(binary.LittleEndian.AppendUint64(nil, v)) }

func (e *encoder) header(header []byte, sections int) {
	e.part = 0
	e.uint32(uint32(len(header)))
	e.uint32(uint32(sections))
	_, _ = e.Write(header)
	e.uint32(e.part)
}

func (e *encoder) section(s Section) error {
	e.part = 0
	_, _ = e.Write([]byte{byte(len(s.Name))})
	e.text(s.Name)
	e.uint64(uint64(s.Size))
	exact := &exactWriter{w: e, left: s.Size}
	err := s.Write(exact)
	if e.err != nil {
		return e.err // even if Write ignored it
	}
	switch {
	case exact.over:
		return fmt.Errorf("more bytes than its size of %d", s.Size)
	case err != nil:
		return err
	case exact.left != 0:
		return fmt.Errorf("%d bytes fewer than its size of %d", exact.left, s.Size)
	}
	e.uint32(e.part)
	return nil
}

type exactWriter struct {
	w    io.Writer
	left int64
	over bool
}

func (x *exactWriter) Write(p []byte) (int, error) {
	if int64(len(p)) > x.left {
		x.over = true
		return 0, io.ErrShortWrite
	}
	n, err := x.w.Write(p)
	x.left -= int64(n)
	return n, err
}
