package checkpoint

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// Section is a named run of bytes to be saved.
type Section struct {
	Name string // 1 to 64 ASCII letters, digits, '.', '_' and '-'; unique in a file
	Size int64  // bytes
	// Write writes exactly Size bytes. The writer is buffered: small writes are cheap. It is called once, on the
	// goroutine of Save.
	Write func(w io.Writer) error
}

// encoder writes a file from front to back.
type encoder struct{ *sumWriter }

const trailerSize = 8 + 4

// encode writes header and sections to w in the format of format.go and gives the number of bytes.
func encode(w io.Writer, header []byte, sections []Section) (int64, error) {
	e := encoder{newSumWriter(w)}
	e.text(firstLine(Version))
	e.header(header, len(sections))
	for _, s := range sections {
		if err := e.section(s); err != nil {
			return 0, fmt.Errorf("section %s: %w", s.Name, err)
		}
	}
	e.trailer()
	e.flush()
	return e.size(), e.err
}

// check refuses what cannot be written, before a file is made.
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
			return fmt.Errorf("section %s comes twice", s.Name)
		}
		if s.Size < 0 {
			return fmt.Errorf("section %s has size %d", s.Name, s.Size)
		}
		seen[s.Name] = true
	}
	return nil
}

// The writer keeps its first error, so these need not return it.

func (e encoder) text(s string)   { _, _ = e.Write([]byte(s)) }
func (e encoder) uint32(v uint32) { _, _ = e.Write(binary.LittleEndian.AppendUint32(nil, v)) }
func (e encoder) uint64(v uint64) { _, _ = e.Write(binary.LittleEndian.AppendUint64(nil, v)) }

func (e encoder) header(header []byte, sections int) {
	e.begin()
	e.uint32(uint32(len(header)))
	e.uint32(uint32(sections))
	_, _ = e.Write(header)
	e.uint32(e.partSum())
}

func (e encoder) section(s Section) error {
	e.begin()
	_, _ = e.Write([]byte{byte(len(s.Name))})
	e.text(s.Name)
	e.uint64(uint64(s.Size))
	exact := &exactWriter{w: e, left: s.Size}
	err := s.Write(exact)
	if e.err != nil {
		return e.err // also if Write has not looked
	}
	if exact.over {
		return fmt.Errorf("more bytes than its size of %d", s.Size)
	}
	if err != nil {
		return err
	}
	if exact.left != 0 {
		return fmt.Errorf("%d bytes fewer than its size of %d", exact.left, s.Size)
	}
	e.uint32(e.partSum())
	return nil
}

func (e encoder) trailer() {
	e.uint64(uint64(e.size() + trailerSize))
	e.uint32(e.totalSum())
}

// exactWriter refuses what goes beyond the size that a section has announced, and remembers it.
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
