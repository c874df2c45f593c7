package recordbatch

import (
	"bytes"
	"errors"
	"math"

	"github.com/klauspost/compress/s2"
)

// The framing of xerial's snappy-java, the only one that the Java client reads: a header of 16 bytes, then for each
// block its compressed length as int32 and a snappy block. It is specified by its source, SnappyCodec and
// SnappyOutputStream.
const (
	xerialMagic  = "\x82SNAPPY\x00"
	xerialHeader = xerialMagic + "\x00\x00\x00\x01" + "\x00\x00\x00\x01" // version, lowest compatible version
	xerialBlock  = 32 << 10                                              // snappy-java's block size
)

var (
	errSnappyFrame  = errors.New("snappy framing")
	errSnappyLength = errors.New("snappy block with an impossible length")
	errTooBig       = errors.New("over the limit")
)

// appendXerial appends src to dst, compressed and framed.
func appendXerial(dst, src []byte) []byte {
	dst = append(dst, xerialHeader...)
	for len(src) > 0 {
		block := src[:min(len(src), xerialBlock)]
		src = src[len(block):]
		at := len(dst)
		room := at + 4 + s2.MaxEncodedLen(len(block))
		if cap(dst) < room {
			dst = append(dst, make([]byte, room-at)...)
		}
		packed := s2.EncodeSnappy(dst[at+4:room], block)
		be.PutUint32(dst[at:at+4], uint32(len(packed)))
		dst = dst[:at+4+len(packed)]
	}
	return dst
}

// unpackSnappy decompresses what Java writes (framed) and what some other clients write (one bare block). It returns
// errTooBig before it allocates memory over limit.
func (u *Unpacker) unpackSnappy(src []byte, limit int64) ([]byte, error) {
	if !bytes.HasPrefix(src, []byte(xerialMagic)) {
		size, err := snappyLen(src)
		if err != nil {
			return nil, err
		}
		if size > limit {
			return nil, errTooBig
		}
		return s2.Decode(u.memory(int(size)), src)
	}
	if len(src) < len(xerialHeader) {
		return nil, errSnappyFrame
	}
	blocks := src[len(xerialHeader):]
	size, err := xerialLen(blocks)
	if err != nil {
		return nil, err
	}
	if size > limit {
		return nil, errTooBig
	}
	out := u.memory(int(size))
	for rest := out; len(blocks) > 0; {
		end := 4 + int(be.Uint32(blocks))
		block, err := s2.Decode(rest, blocks[4:end])
		if err != nil {
			return nil, err
		}
		rest, blocks = rest[len(block):], blocks[end:]
	}
	return out, nil
}

// xerialLen checks the framing of all blocks and returns their decompressed size.
func xerialLen(blocks []byte) (int64, error) {
	var total int64
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
