package recordbatch

import (
	"errors"
	"fmt"
	"io"
)

// ErrPartial says that the bytes end within a batch, as the last one of a fetch often does. It is an io.ErrUnexpectedEOF.
// Brokers send the first batch of a fetch whole (KIP-74): one that is partial has a wrong length.
var ErrPartial = fmt.Errorf("batch cut off: %w", io.ErrUnexpectedEOF)

// ErrOldFormat is wrapped by the Corrupt error of a message set of magic 0 or 1. Brokers from 4.0 on never send them.
var ErrOldFormat = errors.New("message format older than Kafka 0.11")

var errSum = errors.New("CRC32C does not match")

// Corrupt says that a batch is not what its sum or its structure promise.
type Corrupt struct {
	BaseOffset int64 // as the batch says; no sum covers it
	LastOffset int64 // as the batch says; of no worth when the sum is wrong
	Err        error
}

func (e *Corrupt) Error() string {
	return fmt.Sprintf("batch of offsets %d to %d: corrupt: %v", e.BaseOffset, e.LastOffset, e.Err)
}

func (e *Corrupt) Unwrap() error { return e.Err }

// TooBig says that the records of a batch take more memory than an Unpacker may use.
type TooBig struct {
	BaseOffset int64
	LastOffset int64
	Codec      Codec
	Packed     int   // size of the compressed records in bytes
	Limit      int64 // bytes
}

func (e *TooBig) Error() string {
	return fmt.Sprintf("batch of offsets %d to %d: %d bytes of %v unpack to more than %d bytes", e.BaseOffset, e.LastOffset, e.Packed, e.Codec, e.Limit)
}

func (b *Batch) corrupt(format string, args ...any) *Corrupt {
	return &Corrupt{BaseOffset: b.BaseOffset, LastOffset: b.LastOffset, Err: fmt.Errorf(format, args...)}
}
