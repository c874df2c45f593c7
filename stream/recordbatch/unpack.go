package recordbatch

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// DefaultUnpackLimit is the default of Unpacker.Limit in bytes.
const DefaultUnpackLimit = 64 << 20

// Unpacker decompresses batches. Its zero value is ready to use. Only one goroutine at a time may use it.
type Unpacker struct {
	// Limit is the maximum size in bytes of one batch's decompressed records. 0 means DefaultUnpackLimit.
	Limit int64
	// Memory returns size bytes of memory for decompressed records. If it is nil, memory is allocated.
	Memory func(size int) []byte

	source bytes.Reader
	gzip   *gzip.Reader
	lz4    *lz4.Reader
	zstd   *zstd.Decoder
}

// scratchSize is enough for nearly every batch: by default, producers fill at most 1 MiB.
const scratchSize = 1 << 20

// scratches is shared by all Unpackers, so that many partitions need only as many as are in use at the same time.
var scratches = sync.Pool{New: func() any { return new([scratchSize]byte) }}

// Open decompresses the batch's records into Memory; uncompressed records alias the buffer given to Next. The error is
// *Corrupt if decompression fails, and *TooBig if the records exceed Limit, compressed or not, before memory is
// allocated for them, or if a zstd batch of over 1 MiB has a window over Limit and 8 MiB, as only levels above 19
// produce. Records.Err reports malformed records later.
func (u *Unpacker) Open(b *Batch) (Records, error) {
	//mutation:unpack-limit
	limit := u.Limit
	if limit == 0 {
		limit = DefaultUnpackLimit
	}
	var out []byte
	var err error
	switch {
	case b.Codec == None && int64(len(b.records)) > limit:
		err = errTooBig
	case b.Codec == None:
		out = b.records
	case len(b.records) == 0 && b.Count == 0: // compaction removed everything, even the compressor's frame
	case b.Codec == Snappy:
		out, err = u.unpackSnappy(b.records, limit)
	case b.Codec == Zstd:
		out, err = u.unpackZstd(b.records, limit)
	default:
		out, err = u.unpackStream(b.Codec, b.records, limit)
	}
	if errors.Is(err, errTooBig) {
		return Records{}, &TooBig{BaseOffset: b.BaseOffset, LastOffset: b.LastOffset,
			Codec: b.Codec, Packed: len(b.records), Limit: limit}
	}
	if err != nil {
		return Records{}, b.corrupt("%v: %w", b.Codec, err)
	}
	return b.open(out), nil
}

// unpackZstd first decodes from memory to memory, which needs no window beside the output.
func (u *Unpacker) unpackZstd(src []byte, limit int64) ([]byte, error) {
	if u.zstd == nil {
		dec, err := zstd.NewReader(nil,
			zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return nil, err
		}
		u.zstd = dec
	}
	scratch := scratches.Get().(*[scratchSize]byte)
	defer scratches.Put(scratch)
	out, err := u.zstd.DecodeAll(src, scratch[:0])
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		return u.unpackStream(Zstd, src, limit)
	}
	if err != nil {
		return nil, err
	}
	if int64(len(out)) > limit {
		return nil, errTooBig
	}
	return u.keep(out), nil
}

// keep copies a scratch's content.
func (u *Unpacker) keep(scratch []byte) []byte {
	out := u.memory(len(scratch))
	copy(out, scratch)
	return out
}

func (u *Unpacker) memory(size int) []byte {
	if u.Memory == nil {
		return make([]byte, size)
	}
	return u.Memory(size)
}

// unpackStream decompresses into a scratch and copies. Records that do not fit are decompressed again, into memory of
// their size.
func (u *Unpacker) unpackStream(codec Codec, src []byte, limit int64) ([]byte, error) {
	scratch := scratches.Get().(*[scratchSize]byte)
	defer scratches.Put(scratch)
	defer u.source.Reset(nil) // so that an idle partition does not retain its last fetch
	r, err := u.stream(codec, src, limit)
	if err != nil {
		return nil, err
	}
	n, err := readFull(r, scratch[:])
	total := int64(n)
	for err == nil && total <= limit { // the scratch is too small: its content is discarded
		n, err = readFull(r, scratch[:])
		total += int64(n)
	}
	switch {
	case total > limit || errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return nil, errTooBig
	case !errors.Is(err, io.EOF):
		return nil, err
	case total < scratchSize:
		return u.keep(scratch[:total]), nil
	}
	if r, err = u.stream(codec, src, limit); err != nil {
		return nil, err
	}
	out := u.memory(int(total))
	_, err = io.ReadFull(r, out)
	return out, err
}

// readFull fills p. Unlike io.ReadFull it distinguishes the stream's end, io.EOF, from a truncated stream, and
// returns io.EOF together with the last bytes.
func readFull(r io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var m int
		m, err = r.Read(p[n:])
		n += m
	}
	return n, err
}

// stream starts the codec's decompressor on src. The zstd decoder is not reused: it may hold a window of many MiB.
func (u *Unpacker) stream(codec Codec, src []byte, limit int64) (io.Reader, error) {
	u.source.Reset(src)
	switch codec {
	case Gzip:
		if u.gzip == nil {
			u.gzip = new(gzip.Reader)
		}
		return u.gzip, u.gzip.Reset(&u.source)
	case LZ4:
		if u.lz4 == nil {
			u.lz4 = lz4.NewReader(&u.source)
		}
		u.lz4.Reset(&u.source)
		return u.lz4, nil
	default:
		window := uint64(max(limit, 8<<20))
		return zstd.NewReader(&u.source, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(window), zstd.WithDecoderMaxMemory(window))
	}
}
