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

const bufferSize = 1 << 16

// encoder writes a file sequentially, with the CRC32C of the file and of the current part. Its first error sticks.
type encoder struct {
	w           *bufio.Writer
	size        int64
	total, part uint32
	data        []byte // memory of a piece
	err         error
}

const trailerSize = 8 + 4

// encode writes a file that builds on another, or on none if that is nil. It returns the file's size and last sum.
func encode(w io.Writer, header []byte, sections []Section, on *reference) (size int64, sum uint32, err error) {
	e := &encoder{w: bufio.NewWriterSize(w, bufferSize)}
	e.text(firstLine(on))
	e.header(header, len(sections))
	for i := range sections {
		if err := e.section(&sections[i]); err != nil {
			return 0, 0, fmt.Errorf("section %s: %w", sections[i].Name, err)
		}
	}
	e.uint64(uint64(e.size + trailerSize))
	sum = e.total
	e.uint32(sum)
	return e.size, sum, e.w.Flush()
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

// sum writes the CRC32C of the part, which the file's leaves out.
func (e *encoder) sum() {
	total := e.total
	e.uint32(e.part)
	e.total = total
}

func (e *encoder) header(header []byte, sections int) {
	e.part = 0
	e.uint32(uint32(len(header)))
	e.uint32(uint32(sections))
	_, _ = e.Write(header)
	e.sum()
}

func (e *encoder) section(s *Section) error {
	count, _, err := s.plan()
	if err != nil {
		return err
	}
	e.part = 0
	_, _ = e.Write([]byte{byte(len(s.Name))})
	e.text(s.Name)
	e.uint64(uint64(s.Size))
	e.uint32(count)
	e.sum()
	for from, to := range s.pieces {
		if err := e.piece(s, from, to); err != nil {
			return err
		}
	}
	return e.err
}

func (e *encoder) piece(s *Section, from, to int64) (err error) {
	e.data = binary.LittleEndian.AppendUint64(e.data[:0], uint64(from))
	e.data = binary.LittleEndian.AppendUint32(e.data, uint32(to-from))
	if e.data, err = s.Append(e.data, from, to); err != nil {
		return err
	}
	if n := int64(len(e.data) - pieceHead); n != to-from {
		return fmt.Errorf("%d bytes where %d to %d are due", n, from, to)
	}
	e.part = 0
	if _, err := e.Write(e.data); err != nil {
		return err
	}
	e.sum()
	return nil
}
