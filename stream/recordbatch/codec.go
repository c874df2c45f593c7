package recordbatch

import (
	"fmt"
	"slices"
)

// Codec is the compression of a batch's records. The numbers are Kafka's: the low three bits of a batch's attributes.
type Codec int8

// The codecs of Kafka.
const (
	None Codec = iota
	Gzip
	Snappy
	LZ4
	Zstd
)

var codecNames = [...]string{"none", "gzip", "snappy", "lz4", "zstd"}

// ParseCodec returns the codec with a name of Kafka's compression.type.
func ParseCodec(name string) (Codec, error) {
	if i := slices.Index(codecNames[:], name); i >= 0 {
		return Codec(i), nil
	}
	return None, fmt.Errorf("compression %q: want none, gzip, snappy, lz4 or zstd", name)
}

// String returns the codec's name, the argument of ParseCodec.
func (c Codec) String() string {
	if !c.valid() {
		return fmt.Sprintf("codec(%d)", int8(c))
	}
	return codecNames[c]
}

func (c Codec) valid() bool { return c >= 0 && int(c) < len(codecNames) }
