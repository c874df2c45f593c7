package recordbatch

import (
	"errors"
	"fmt"
	"io"
)

// ErrPartial means that the bytes end within a batch, as is frequent in the last one of a fetch. Brokers send the first
// batch completely (KIP-74), so if that is partial, its length is wrong.
var ErrPartial = fmt.Errorf("truncated batch: %w", io.ErrUnexpectedEOF)

// ErrOldFormat is wrapped by the Corrupt error of a message set of magic 0 or 1. Brokers since 4.0 never send them.
var ErrOldFormat = errors.New("message format older than Kafka 0.11")

var errSum = errors.New("CRC32C does not match")

// Corrupt is the error of a batch whose checksum or structure is wrong.
type Corrupt struct {
	BaseOffset int64 // as in the batch; no checksum covers it
	LastOffset int64 // as in the batch; meaningless if the checksum is wrong
	Err        error
}

func (e *Corrupt) Error() string {
	return fmt.Sprintf("batch of offsets %d to %d: corrupt: %v", e.BaseOffset, e.LastOffset, e.Err)
}

func (e *Corrupt) Unwrap() error { return e.Err }

// TooBig is the error of a batch whose records need more memory than an Unpacker may use.
type TooBig struct {
	BaseOffset int64
	LastOffset int64
	Codec      Codec
	Packed     int   // size of the compressed records in bytes
	Limit      int64 // bytes
}

func (e *TooBig) Error() string {
	return fmt.Sprintf("batch of offsets %d to %d: %d bytes of %v unpack to more than %d bytes",
		e.BaseOffset, e.LastOffset, e.Packed, e.Codec, e.Limit)
}

func (b *Batch) corrupt(format string, args ...any) *Corrupt {
	return &Corrupt{b.BaseOffset, b.LastOffset, fmt.Errorf(format, args...)}
}
