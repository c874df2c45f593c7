package recordbatch

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy/xerial"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// packer compresses batches. It creates its compressors when first needed and keeps them. It also keeps the last
// result, so that a resend needs no compression and has the same bytes, whatever state a compressor has.
type packer struct {
	out    []byte // space for the header, then the compressed records
	packed Codec  // the codec of out; None if out is not valid

	gzip *gzip.Writer
	lz4  *lz4.Writer
	zstd *zstd.Encoder

	framed []byte // by snappy
}

func (p *packer) forget() { p.packed = None }

// pack returns batch with its records compressed and its header not filled in.
func (p *packer) pack(batch []byte, codec Codec) ([]byte, error) {
	if p.packed == codec {
		return p.out, nil
	}
	p.forget()
	p.out = append(p.out[:0], batch[:HeaderSize]...)
	if err := p.compress(batch[HeaderSize:], codec); err != nil {
		return nil, fmt.Errorf("%v: %w", codec, err)
	}
	p.packed = codec
	return p.out, nil
}

// compress adds the compressed records to out.
func (p *packer) compress(records []byte, codec Codec) error {
	switch codec {
	case Gzip:
		if p.gzip == nil {
			p.gzip = gzip.NewWriter(nil)
		}
		return p.compressStream(p.gzip, records)
	case LZ4:
		if p.lz4 == nil {
			p.lz4 = lz4.NewWriter(nil)
			if err := p.lz4.Apply(lz4Options...); err != nil {
				return err
			}
		}
		return p.compressStream(p.lz4, records)
	case Zstd:
		return p.compressZstd(records)
	default:
		p.framed = xerial.Encode(p.framed[:0], records)
		p.out = append(p.out, p.framed...)
		return nil
	}
}

// lz4Options is for one frame of independent blocks of 64 KiB, as the Java producer writes. The Java consumer cannot
// read dependent blocks. The batch's own checksum covers the content.
var lz4Options = []lz4.Option{
	lz4.BlockSizeOption(lz4.Block64Kb), lz4.ChecksumOption(false), lz4.ConcurrencyOption(1),
}

// streamWriter is a compressor of package gzip or lz4.
type streamWriter interface {
	io.WriteCloser
	Reset(w io.Writer)
}

func (p *packer) compressStream(w streamWriter, records []byte) error {
	buf := bytes.NewBuffer(p.out)
	w.Reset(buf)
	if _, err := w.Write(records); err != nil {
		return err
	}
	err := w.Close()
	p.out = buf.Bytes()
	return err
}

func (p *packer) compressZstd(records []byte) error {
	if p.zstd == nil {
		// A window of the usual size of a batch limits the memory of the encoder and of readers.
		enc, err := zstd.NewWriter(nil,
			zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20), zstd.WithEncoderCRC(false))
		if err != nil {
			return err
		}
		p.zstd = enc
	}
	p.out = p.zstd.EncodeAll(records, p.out)
	return nil
}
