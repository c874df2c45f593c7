package checkpoint

import (
	"hash/crc32"
	"io"
)

// bufferSize is what goes to the file system in one write, in bytes.
const bufferSize = 1 << 16

// sumWriter is a buffered writer that knows the CRC32C of all it took, and of the part it took last. The first error
// stays. It is no bufio.Writer because a sum would need a flush there, and a small write to the file for each.
type sumWriter struct {
	w       io.Writer
	buf     []byte // what was taken and not written; its capacity is fixed
	summed  int    // how many bytes of buf are in the sums
	written int64  // bytes that left buf
	total   uint32 // CRC32C of all bytes that are in the sums
	part    uint32 // CRC32C of those of them since begin
	err     error
}

func newSumWriter(w io.Writer) *sumWriter {
	return &sumWriter{w: w, buf: make([]byte, 0, bufferSize)}
}

// Write takes p. An error may be that of an earlier write.
func (s *sumWriter) Write(p []byte) (n int, err error) {
	for len(p) > 0 && s.err == nil {
		k := min(len(p), cap(s.buf)-len(s.buf))
		s.buf = append(s.buf, p[:k]...)
		p, n = p[k:], n+k
		if len(s.buf) == cap(s.buf) {
			s.flush()
		}
	}
	return n, s.err
}

// size is the number of bytes taken.
func (s *sumWriter) size() int64 { return s.written + int64(len(s.buf)) }

// begin starts a part.
func (s *sumWriter) begin() {
	s.sum()
	s.part = 0
}

func (s *sumWriter) partSum() uint32 {
	s.sum()
	return s.part
}

func (s *sumWriter) totalSum() uint32 {
	s.sum()
	return s.total
}

// sum brings the sums up to date.
func (s *sumWriter) sum() {
	fresh := s.buf[s.summed:]
	s.total = crc32.Update(s.total, castagnoli, fresh)
	s.part = crc32.Update(s.part, castagnoli, fresh)
	s.summed = len(s.buf)
}

func (s *sumWriter) flush() {
	if s.err != nil {
		return
	}
	s.sum()
	n, err := s.w.Write(s.buf)
	if err == nil && n < len(s.buf) {
		err = io.ErrShortWrite
	}
	s.written += int64(n)
	s.buf, s.summed, s.err = s.buf[:0], 0, err
}
