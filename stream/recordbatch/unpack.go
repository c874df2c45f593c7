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

// DefaultUnpackLimit is an Unpacker's limit in bytes when none is set.
const DefaultUnpackLimit = 64 << 20

// Unpacker unpacks batches. Its zero value is ready. One goroutine uses it; it keeps its decompressors for the next batch.
type Unpacker struct {
	// Limit is the greatest size in bytes that the records of one batch may unpack to. 0 stands for DefaultUnpackLimit.
	Limit int64
	// Memory gives the memory for what is unpacked, of size bytes. Nil: memory of its own, which nothing uses again.
	Memory func(size int) []byte

	source bytes.Reader
	gzip   *gzip.Reader
	lz4    *lz4.Reader
	zstd   *zstd.Decoder
}

// scratchSize covers nearly every batch: producers fill at most 1 MiB as they come.
const scratchSize = 1 << 20

// scratches are shared by all Unpackers: hundreds of partitions need only as many as are unpacked at one moment.
var scratches = sync.Pool{New: func() any { return new([scratchSize]byte) }}

// Open unpacks the batch's records. What is unpacked lies in Memory; the records of an uncompressed
// batch alias the buffer given to Next. Records over Limit are refused before memory is taken for them: *TooBig, also for an
// uncompressed batch. A batch that does not unpack is *Corrupt. A malformed record shows later, in Records.Err.
//
// A zstd batch of over 1 MiB whose window is greater than Limit and 8 MiB is *TooBig too: only levels above 19 make such.
func (u *Unpacker) Open(b *Batch) (Records, error) {
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
	case len(b.records) == 0 && b.Count == 0: // compaction left nothing, not even a compressor's frame
	case b.Codec == Snappy:
		out, err = u.unpackSnappy(b.records, limit)
	case b.Codec == Zstd:
		out, err = u.unpackZstd(b.records, limit)
	default:
		out, err = u.unpackStream(b.Codec, b.records, limit)
	}
	if errors.Is(err, errTooBig) {
		return Records{}, &TooBig{BaseOffset: b.BaseOffset, LastOffset: b.LastOffset, Codec: b.Codec, Packed: len(b.records), Limit: limit}
	}
	if err != nil {
		return Records{}, b.corrupt("%v: %w", b.Codec, err)
	}
	return b.open(out), nil
}

// unpackZstd tries the decoder's way for memory first: it needs no window beside the output.
func (u *Unpacker) unpackZstd(src []byte, limit int64) ([]byte, error) {
	if u.zstd == nil {
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true))
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

// keep copies what stands in a scratch.
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

// unpackStream unpacks into a scratch and copies. What the scratch does not hold it unpacks twice: to learn the size, at no
// memory, and then into memory of just that size.
func (u *Unpacker) unpackStream(codec Codec, src []byte, limit int64) ([]byte, error) {
	scratch := scratches.Get().(*[scratchSize]byte)
	defer scratches.Put(scratch)
	defer u.source.Reset(nil) // an idle partition does not hold on to its last fetch
	r, err := u.stream(codec, src, limit)
	if err != nil {
		return nil, err
	}
	n, err := readFull(r, scratch[:])
	total := int64(n)
	for err == nil && total <= limit { // the scratch is full: its bytes are of no use any more
		n, err = readFull(r, scratch[:])
		total += int64(n)
	}
	switch {
	case total > limit || errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return nil, errTooBig
	case err != io.EOF:
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

// readFull fills p. Unlike io.ReadFull it tells the stream's end, io.EOF, from one that was cut off, and it returns io.EOF
// beside the last bytes.
func readFull(r io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var m int
		m, err = r.Read(p[n:])
		n += m
	}
	return n, err
}

// stream starts the codec's decompressor on src. The decoder for zstd is not kept: it may hold a window of many MiB.
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
