package wire

import (
	"encoding/binary"
	"io"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// largeBatch is the size in bytes from which a batch is written by itself: a copy takes longer than two more writes.
const largeBatch = 64 << 10

var requests = sync.Pool{New: func() any { return new([]byte) }}

func write(w io.Writer, clientID string, req kmsg.Request, id int32) error {
	f := kmsg.NewRequestFormatter(kmsg.FormatterClientID(clientID))
	if p, ok := req.(*kmsg.ProduceRequest); ok && hasLargeBatch(p) {
		for _, part := range splitRequest(f, p, id) {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	}
	out := requests.Get().(*[]byte)
	*out = f.AppendRequest((*out)[:0], req, id)
	_, err := w.Write(*out)
	requests.Put(out) // the connection keeps nothing of it
	return err
}

func hasLargeBatch(req *kmsg.ProduceRequest) bool {
	return len(req.Topics) == 1 && len(req.Topics[0].Partitions) == 1 &&
		len(req.Topics[0].Partitions[0].Records) >= largeBatch
}

// splitRequest encodes a request with one batch, hundreds of kilobytes, without copying it: what precedes it, the
// batch, and what follows it. They are the bytes of AppendRequest.
func splitRequest(f *kmsg.RequestFormatter, req *kmsg.ProduceRequest, id int32) [][]byte {
	batch := &req.Topics[0].Partitions[0].Records
	records := *batch
	*batch = []byte{}
	head := f.AppendRequest(nil, req, id)
	*batch = records
	// The request without records ends with their length in four bytes or, where it is flexible (KIP-482), in one byte,
	// a varint one higher, and the three tag lists of the partition, the topic and the request.
	head = head[:len(head)-4]
	if !req.IsFlexible() {
		head = binary.BigEndian.AppendUint32(head, uint32(len(records)))
		binary.BigEndian.PutUint32(head, uint32(len(head)-4+len(records)))
		return [][]byte{head, records}
	}
	tail := []byte{0, 0, 0}
	head = binary.AppendUvarint(head, uint64(len(records))+1)
	binary.BigEndian.PutUint32(head, uint32(len(head)-4+len(records)+len(tail)))
	return [][]byte{head, records, tail}
}
