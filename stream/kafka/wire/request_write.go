package wire

import (
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// largeBatch is the size in bytes from which a batch is not copied into the request.
const largeBatch = 16 << 10

var requests = sync.Pool{New: func() any { return new([]byte) }}

// buffersWriter writes several slices as one.
type buffersWriter interface {
	WriteBuffers(parts net.Buffers) error
}

func write(w io.Writer, clientID string, req kmsg.Request, id int32) error {
	out := requests.Get().(*[]byte)
	defer requests.Put(out) // the connection keeps nothing of it
	f := kmsg.NewRequestFormatter(kmsg.FormatterClientID(clientID))
	if p, ok := req.(*kmsg.ProduceRequest); ok {
		var parts net.Buffers
		*out, parts = splitRequest((*out)[:0], f, p, id)
		if b, ok := w.(buffersWriter); ok {
			return b.WriteBuffers(parts)
		}
		_, err := parts.WriteTo(w)
		return err
	}
	*out = f.AppendRequest((*out)[:0], req, id)
	_, err := w.Write(*out)
	return err
}

// splitRequest encodes a request without copying its large batches, megabytes in all. It returns its parts, none of
// them empty, which are the bytes of AppendRequest. It appends to out what is not a batch of its own part.
func splitRequest(
	out []byte, f *kmsg.RequestFormatter, req *kmsg.ProduceRequest, id int32,
) (grown []byte, parts net.Buffers) {
	empty, records, small := withoutRecords(f, req, id)
	// Without records, a topic ends with a partition's number in four bytes and the length 0 in four for each batch.
	// Where the request is flexible (KIP-482) the length has one byte, as a varint one higher, and an empty list of tags
	// follows it; such lists end the topic and the request.
	entry, tags := 8, 0
	if req.IsFlexible() {
		entry, tags = 6, 1
	}
	rest := empty[len(empty)-topicsSize(req, entry, tags)-tags:]
	out = append(slices.Grow(out, len(empty)+small), empty[:len(empty)-len(rest)]...)
	size, from := 0, 0
	next := func(n int) []byte {
		bytes := rest[:n]
		rest = rest[n:]
		return bytes
	}
	for i := range req.Topics {
		out = append(out, next(topicHead(req, i))...)
		for range req.Topics[i].Partitions {
			batch := records[0]
			records = records[1:]
			out = append(out, next(4)...)
			next(entry - 4 - tags)
			if req.IsFlexible() {
				out = binary.AppendUvarint(out, uint64(len(batch))+1)
			} else {
				out = binary.BigEndian.AppendUint32(out, uint32(len(batch)))
			}
			if len(batch) < largeBatch {
				out = append(out, batch...)
			} else {
				parts = append(parts, out[from:], batch)
				size, from = size+len(batch), len(out)
			}
			out = append(out, next(tags)...)
		}
		out = append(out, next(tags)...)
	}
	out = append(out, rest...)
	binary.BigEndian.PutUint32(out, uint32(size+len(out)-4))
	if from < len(out) {
		parts = append(parts, out[from:])
	}
	return out, parts
}

// withoutRecords encodes a request with no bytes in the place of its batches. It returns these in the order of the
// request, and how many bytes those to be copied take with the lengths of all.
func withoutRecords(f *kmsg.RequestFormatter, req *kmsg.ProduceRequest, id int32) (
	empty []byte, records [][]byte, small int) {
	for i := range req.Topics {
		for j := range req.Topics[i].Partitions {
			p := &req.Topics[i].Partitions[j]
			if small += binary.MaxVarintLen32; len(p.Records) < largeBatch {
				small += len(p.Records)
			}
			records = append(records, p.Records)
			p.Records = []byte{}
		}
	}
	empty = f.AppendRequest(nil, req, id)
	n := 0
	for i := range req.Topics {
		for j := range req.Topics[i].Partitions {
			req.Topics[i].Partitions[j].Records = records[n]
			n++
		}
	}
	return empty, records, small
}

// topicsSize is how many bytes the topics of a request without records take.
func topicsSize(req *kmsg.ProduceRequest, entry, tags int) (size int) {
	for i := range req.Topics {
		size += topicHead(req, i) + entry*len(req.Topics[i].Partitions) + tags
	}
	return size
}

// topicHead is how many bytes a topic has before its first partition: its name or its id, and how many partitions.
func topicHead(req *kmsg.ProduceRequest, i int) int {
	t := &req.Topics[i]
	partitions := 4
	if req.IsFlexible() {
		partitions = varintSize(len(t.Partitions) + 1)
	}
	switch {
	case req.Version >= 13:
		return len(t.TopicID) + partitions
	case req.IsFlexible():
		return varintSize(len(t.Topic)+1) + len(t.Topic) + partitions
	}
	return 2 + len(t.Topic) + partitions
}

func varintSize(n int) int { return len(binary.AppendUvarint(nil, uint64(n))) }
