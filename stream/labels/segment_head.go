package labels

import (
	"math"
	"slices"
)

// head is the first part of an entry.
type head struct {
	offset, time   int64 // of the record
	weight         float64
	id, key, value int32  // bytes of each; absent if there is none
	features       uint32 // their number; 0 if they were dropped
	headers        bool   // the value is followed by the headers and their length in four bytes
	named          bool   // they have the names of the segment: there are only their values
	idIsJSON       bool
}

const (
	headBytes = 40
	absent    = -1
)

// size is that of a text in a head.
func size(b []byte) int32 {
	if b == nil {
		return absent
	}
	return int32(len(b))
}

func (h *head) append(dst []byte) []byte {
	flags := uint32(0)
	if h.named {
		flags |= 1
	}
	if h.idIsJSON {
		flags |= 2
	}
	if h.headers {
		flags |= 4
	}
	n := len(dst)
	dst = slices.Grow(dst, headBytes)[:n+headBytes]
	to := dst[n:]
	le.PutUint64(to, uint64(h.offset))
	le.PutUint64(to[8:], uint64(h.time))
	le.PutUint64(to[16:], math.Float64bits(h.weight))
	le.PutUint32(to[24:], uint32(h.id))
	le.PutUint32(to[28:], uint32(h.key))
	le.PutUint32(to[32:], uint32(h.value))
	le.PutUint32(to[36:], h.features<<3|flags)
	return dst
}

func readHead(from []byte) head {
	from = from[:headBytes]
	last := le.Uint32(from[36:])
	return head{offset: int64(le.Uint64(from)), time: int64(le.Uint64(from[8:])),
		weight: math.Float64frombits(le.Uint64(from[16:])), id: int32(le.Uint32(from[24:])),
		key: int32(le.Uint32(from[28:])), value: int32(le.Uint32(from[32:])), features: last >> 3,
		named: last&1 != 0, idIsJSON: last&2 != 0, headers: last&4 != 0}
}

// featuresBytes is how many bytes the features have, and texts how many those behind them.
func (h *head) featuresBytes() int {
	if h.named {
		return int(h.features) * valueBytes
	}
	return int(h.features) * int(featureBytes)
}

func (h *head) texts() int { return int(max(h.id, 0) + max(h.key, 0) + max(h.value, 0)) }

// cut returns a text of so many bytes, and what follows it.
func cut(from []byte, n int32) (text, rest []byte) {
	if n == absent {
		return nil, from
	}
	return from[:n:n], from[n:]
}

// cutHeaders returns the value that headers and their length follow, and the headers.
func cutHeaders(from []byte) (value, headers []byte) {
	end := len(from) - headersBytes
	begin := end - int(le.Uint32(from[end:]))
	return from[:begin:begin], from[begin:end:end]
}
