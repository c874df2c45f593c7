package recordbatch

import (
	"bytes"
	"errors"
	"math"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/snappy/xerial"
)

// The framing of xerial's snappy-java, the only one that the Java client reads: a header of 16 bytes, then for each
// block its compressed length as int32 and a snappy block.
const (
	xerialMagic  = "\x82SNAPPY\x00"
	xerialHeader = xerialMagic + "\x00\x00\x00\x01" + "\x00\x00\x00\x01" // version, lowest compatible version
)

var (
	errSnappyFrame  = errors.New("snappy framing")
	errSnappyLength = errors.New("snappy block with an impossible length")
	errTooBig       = errors.New("over the limit")
)

// unpackSnappy decompresses what Java writes (framed) and what some other clients write (one bare block). It returns
// errTooBig before it allocates memory over limit, which the library does not look at.
func (u *Unpacker) unpackSnappy(src []byte, limit int64) ([]byte, error) {
	size, err := snappyLen(src)
	if bytes.HasPrefix(src, []byte(xerialMagic)) {
		size, err = xerialLen(src)
	}
	switch {
	case err != nil:
		return nil, err
	case size > limit:
		return nil, errTooBig
	}
	return xerial.DecodeCapped(u.memory(int(size)), src)
}

// xerialLen checks the framing of all blocks and returns their decompressed size.
func xerialLen(src []byte) (total int64, err error) {
	if len(src) < len(xerialHeader) {
		return 0, errSnappyFrame
	}
	blocks := src[len(xerialHeader):]
	for len(blocks) > 0 {
		if len(blocks) < 4 {
			return 0, errSnappyFrame
		}
		packed := be.Uint32(blocks)
		if packed > math.MaxInt32 || int(packed) > len(blocks)-4 {
			return 0, errSnappyFrame
		}
		end := 4 + int(packed)
		n, err := snappyLen(blocks[4:end])
		if err != nil {
			return 0, err
		}
		total += n
		blocks = blocks[end:]
	}
	return total, nil
}

// snappyLen returns the decompressed size that a block declares. A copy of three bytes yields at most 64, so a block
// that declares more is rejected before memory is allocated for it.
func snappyLen(block []byte) (int64, error) {
	n, err := s2.DecodedLen(block)
	if err != nil {
		return 0, err
	}
	if int64(n) > 64*int64(len(block))/3+64 {
		return 0, errSnappyLength
	}
	return int64(n), nil
}
