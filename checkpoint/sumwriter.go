package checkpoint

import (
	"hash/crc32"
	"io"
)

// bufferSize is the size of most writes to the file, in bytes.
const bufferSize = 1 << 16

// sumWriter is a buffered writer that computes the CRC32C of all bytes and of the current part. Its first error sticks.
// With a bufio.Writer each sum would need a flush, a small write to the file.
type sumWriter struct {
	w       io.Writer
	buf     []byte // not yet written; its capacity is fixed
	summed  int    // bytes of buf that the sums cover
	written int64  // bytes that left buf
	total   uint32 // CRC32C of all bytes covered
	part    uint32 // CRC32C of those since begin
	err     error
}

func newSumWriter(w io.Writer) *sumWriter {
	return &sumWriter{w: w, buf: make([]byte, 0, bufferSize)}
}

// Write implements io.Writer. The error may be that of an earlier write.
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

// size returns the number of bytes so far.
func (s *sumWriter) size() int64 { return s.written + int64(len(s.buf)) }

// begin starts a part.
func (s *sumWriter) begin() {
	s.sum()
	s.part = 0
}

// sum makes part and total cover all bytes.
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
