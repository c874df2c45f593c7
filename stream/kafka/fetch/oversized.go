package fetch

import (
	"encoding/binary"
	"fmt"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/recordbatch"
)

// OversizedBatch is a batch over the fetch limit.
type OversizedBatch struct {
	size        int
	First, Last int64 // of the batch
}

func (o *OversizedBatch) Error() string { return fmt.Sprintf("a batch of about %d bytes", o.size) }

// aroundBatch is the maximum number of bytes after the records in a one-partition response: tagged fields.
const aroundBatch = 256

// locateOversized finds the offsets of the batch that makes a response too large. Its place depends on the version, so
// its header is searched: version 2, offsets around the one requested, and a length that ends where the response does,
// because a broker sends nothing after such a batch. Fewer conditions may match a topic's id, any sixteen bytes.
func locateOversized(res *broker.OversizedResponse, at int64) *OversizedBatch {
	o := &OversizedBatch{size: res.Size, First: at, Last: at}
	for i := range max(0, len(res.Head)-recordbatch.HeaderSize+1) {
		b := res.Head[i:]
		base := int64(binary.BigEndian.Uint64(b))
		length := int64(int32(binary.BigEndian.Uint32(b[recordbatch.LengthAt:])))
		delta := int64(int32(binary.BigEndian.Uint32(b[recordbatch.LastDeltaAt:])))
		count := int64(int32(binary.BigEndian.Uint32(b[recordbatch.CountAt:])))
		behind := int64(res.Size-i) - 12 - length
		if b[recordbatch.MagicAt] == 2 && base <= at && at <= base+delta &&
			behind >= 0 && behind <= aroundBatch && count > 0 && count <= delta+1 {
			o.First, o.Last = base, base+delta
			return o
		}
	}
	return o
}
