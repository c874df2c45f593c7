package broker

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	ResponseLimit = 64 << 20 // bytes of a response without records
	headBytes     = 64 << 10 // bytes kept of an oversized response
)

var correlation atomic.Int32

// RoundTrip writes one request, whose version is set, and reads its response of at most limit bytes into what memory
// returns (nil: new memory). Errors beside those of rw: *OversizedResponse, after which rw is unusable, *NotKafka and
// *UnreadableResponse.
func RoundTrip(
	rw io.ReadWriter, clientID string, req kmsg.Request, limit int, memory func(size int) []byte,
) (kmsg.Response, error) {
	id := correlation.Add(1)
	if err := write(rw, clientID, req, id); err != nil {
		return nil, err
	}
	body, err := read(rw, id, limit, memory)
	if err != nil {
		return nil, err
	}
	res := req.ResponseKind()
	if req.IsFlexible() && req.Key() != int16(kmsg.ApiVersions) {
		body, err = skipTags(body)
	}
	if err == nil {
		res.SetVersion(responseVersion(req, body))
		err = res.ReadFrom(body)
	}
	if err != nil {
		name := kmsg.NameForKey(req.Key())
		return nil, &UnreadableResponse{fmt.Errorf("the response to %s cannot be decoded: %w", name, err)}
	}
	return res, nil
}

func read(r io.Reader, id int32, limit int, memory func(size int) []byte) ([]byte, error) {
	var head [8]byte
	if n, err := io.ReadFull(r, head[:]); err != nil {
		if other := (&NotKafka{head, err}); n > 0 && other.TLS() {
			return nil, other // an alert is seven bytes long
		}
		return nil, partial(n, err)
	}
	size := int(int32(binary.BigEndian.Uint32(head[:]))) - 4
	if got := int32(binary.BigEndian.Uint32(head[4:])); got != id || size < 0 {
		return nil, &NotKafka{Head: head}
	}
	if size > limit {
		first := make([]byte, min(size, headBytes))
		if _, err := io.ReadFull(r, first); err != nil {
			return nil, partial(len(head), err)
		}
		return nil, &OversizedResponse{Size: size, Head: first}
	}
	var body []byte
	if memory != nil {
		body = memory(size)
	} else {
		body = make([]byte, size)
	}
	_, err := io.ReadFull(r, body)
	return body, partial(len(head), err)
}

func partial(read int, err error) error {
	if err == nil || read == 0 {
		return err
	}
	return &Partial{err}
}

// skipTags skips the tagged fields of a flexible response header (KIP-482).
func skipTags(b []byte) ([]byte, error) {
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			b = nil
			return 0
		}
		b = b[n:]
		return v
	}
	for tags := next(); tags > 0 && b != nil; tags-- { // a damaged response may announce any number of tags
		next()
		size := next()
		if size > uint64(len(b)) {
			return nil, io.ErrUnexpectedEOF
		}
		b = b[size:]
	}
	if b == nil {
		return nil, io.ErrUnexpectedEOF
	}
	return b, nil
}
