package wire

import (
	"encoding/binary"
	"io"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// largeBatch is the size in bytes from which a batch is written by itself: a copy takes longer than two more writes.
const largeBatch = 64 << 10

var requests = sync.Pool{New: func() any { return new([]byte) }}

func write(w io.Writer, clientID string, req kmsg.Request, id int32) error {
	out := requests.Get().(*[]byte)
	defer requests.Put(out) // the connection keeps nothing of it
	f := kmsg.NewRequestFormatter(kmsg.FormatterClientID(clientID))
	if p, ok := req.(*kmsg.ProduceRequest); ok && len(p.Topics) == 1 {
		var parts [][]byte
		*out, parts = splitRequest((*out)[:0], f, p, id)
		for _, part := range parts {
			if len(part) == 0 {
				continue // a pipe waits for a reader even so
			}
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	}
	*out = f.AppendRequest((*out)[:0], req, id)
	_, err := w.Write(*out)
	return err
}

// splitRequest encodes a request for one topic without copying its large batches, megabytes in all. It returns the
// parts to be written one after the other, which are the bytes of AppendRequest. It appends to out what is not a batch
// of its own part.
func splitRequest(
	out []byte, f *kmsg.RequestFormatter, req *kmsg.ProduceRequest, id int32,
) (grown []byte, parts [][]byte) {
	partitions := req.Topics[0].Partitions
	records := make([][]byte, len(partitions))
	small := 0 // bytes of the batches that are copied, and of their lengths
	for i := range partitions {
		records[i], partitions[i].Records = partitions[i].Records, []byte{}
		if small += binary.MaxVarintLen32; len(records[i]) < largeBatch {
			small += len(records[i])
		}
	}
	empty := f.AppendRequest(nil, req, id)
	for i := range partitions {
		partitions[i].Records = records[i]
	}
	// The request without records ends with a partition's number in four bytes and the length 0 in four for each batch.
	// Where it is flexible (KIP-482) the length has one byte, as a varint one higher, and an empty list of tags follows
	// it; such lists of the topic and the request end it.
	entry, tags, end := 8, 0, 0
	if req.IsFlexible() {
		entry, tags, end = 6, 1, 2
	}
	list := empty[len(empty)-end-entry*len(partitions):]
	out = append(slices.Grow(out, len(empty)+small), empty[:len(empty)-len(list)]...)
	size, from := 0, 0
	for i := range partitions {
		out = append(out, list[i*entry:i*entry+4]...)
		if req.IsFlexible() {
			out = binary.AppendUvarint(out, uint64(len(records[i]))+1)
		} else {
			out = binary.BigEndian.AppendUint32(out, uint32(len(records[i])))
		}
		if len(records[i]) < largeBatch {
			out = append(out, records[i]...)
		} else {
			parts = append(parts, out[from:], records[i])
			size, from = size+len(records[i]), len(out)
		}
		out = append(out, list[(i+1)*entry-tags:(i+1)*entry]...)
	}
	out = append(out, list[len(list)-end:]...)
	binary.BigEndian.PutUint32(out, uint32(size+len(out)-4))
	return out, append(parts, out[from:])
}
