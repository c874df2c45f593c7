package recordbatch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

const mib = 1 << 20

// allocated returns how many bytes f allocates in all, freed or not. Only one goroutine runs in these tests.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// zeros writes n MiB of zeros.
func zeros(t *testing.T, w io.WriteCloser, n int) {
	t.Helper()
	block := make([]byte, mib)
	for range n {
		if _, err := w.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func gzipZeros(t *testing.T, n int) []byte {
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	zeros(t, w, n)
	return buf.Bytes()
}

func lz4Zeros(t *testing.T, n int, size lz4.BlockSize) []byte {
	var buf bytes.Buffer
	w := lz4.NewWriter(&buf)
	if err := w.Apply(lz4.BlockSizeOption(size)); err != nil {
		t.Fatal(err)
	}
	zeros(t, w, n)
	return buf.Bytes()
}

func zstdZeros(t *testing.T, n int, options ...zstd.EOption) []byte {
	var buf bytes.Buffer
	w, err := zstd.NewWriter(&buf, append(options, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	zeros(t, w, n)
	return buf.Bytes()
}

// bareZeros makes one snappy block of n MiB by hand: a literal and copies of 64 bytes from 1 byte back.
func bareZeros(n int) []byte {
	p := binary.AppendUvarint(nil, uint64(n*mib))
	p = append(p, 0, 0)
	for range n*mib/64 - 1 {
		p = append(p, 63<<2|2, 1, 0)
	}
	return append(p, 62<<2|2, 1, 0)
}

func framedZeros(n int) []byte {
	p := []byte(xerialHeader)
	block := s2.EncodeSnappy(nil, make([]byte, mib))
	for range n {
		p = binary.BigEndian.AppendUint32(p, uint32(len(block)))
		p = append(p, block...)
	}
	return p
}

// singleSegment is a zstd frame that declares its content's size and no window.
func singleSegment(n int) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(true))
	if err != nil {
		panic(err)
	}
	return w.EncodeAll(make([]byte, n*mib), nil)
}

// packed returns a batch that says it holds one record, packed as given.
func packed(t *testing.T, codec Codec, payload []byte) Batch {
	t.Helper()
	var b Builder
	b.Append(1, nil, nil)
	batch, _, err := Next(repack(seal(t, &b, None), payload, uint16(codec)))
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

// TestBombs opens 400 MiB of zeros under limits of 64 MiB and of 1000 bytes. Not even the limit's memory is taken, but
// where a zstd frame asks for a window of that size.
func TestBombs(t *testing.T) {
	for _, c := range []struct {
		name    string
		codec   Codec
		payload []byte
		most    int64 // allocated in MiB
	}{
		{"gzip", Gzip, gzipZeros(t, 400), 4},
		{"lz4, blocks of 64 KiB", LZ4, lz4Zeros(t, 400, lz4.Block64Kb), 8},
		{"lz4, blocks of 4 MiB", LZ4, lz4Zeros(t, 400, lz4.Block4Mb), 16},
		{"snappy, bare", Snappy, bareZeros(400), 1},
		{"snappy, framed", Snappy, framedZeros(400), 1},
		{"zstd", Zstd, zstdZeros(t, 400), 16},
		{"zstd, a window of 64 MiB", Zstd, zstdZeros(t, 400, zstd.WithWindowSize(64*mib)), 72},
		{"zstd, a window of 512 MiB", Zstd, zstdZeros(t, 400, zstd.WithWindowSize(512*mib)), 8},
		{"zstd, single segment", Zstd, singleSegment(400), 8},
		{"zstd, frames of 1 MiB", Zstd, bytes.Repeat(zstdZeros(t, 1), 400), 16},
	} {
		batch := packed(t, c.codec, c.payload)
		batch.BaseOffset = 42
		for _, limit := range []int64{0, 1000} {
			u := Unpacker{Limit: limit}
			var err error
			got := allocated(func() { _, err = u.Open(&batch) })
			var big *TooBig
			want := limit
			if limit == 0 {
				want = 64 * mib
			}
			if !errors.As(err, &big) || big.BaseOffset != 42 || big.Limit != want {
				t.Errorf("%s, limit %d: %v", c.name, limit, err)
			}
			if got > c.most*mib {
				t.Errorf("%s, limit %d: allocated %d KiB", c.name, limit, got>>10)
			}
			t.Logf("%s: %d bytes, limit %d: allocated %d KiB", c.name, len(c.payload), limit, got>>10)
		}
	}
}
