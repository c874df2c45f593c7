package fetch

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
)

// FuzzResponse feeds garbage to what reads responses from the network.
func FuzzResponse(f *testing.F) {
	f.Add([]byte{0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 0})
	f.Add([]byte{0, 0, 0, 12, 0, 0, 0, 1, 2, 1, 1, 9, 0, 0, 0, 0})
	f.Add([]byte{0, 0, 0, 13, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}) // tags that never come
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 8 {
			return
		}
		req := kmsg.NewPtrFetchRequest()
		req.Version = 13
		res, err := broker.RoundTrip(&fuzzedConn{bytes.Clone(b)}, "test", req, 1<<20, nil)
		var oversized *broker.OversizedResponse
		switch {
		case errors.As(err, &oversized):
			locateOversized(oversized, 7)
		case err == nil:
			of := Request{partitions: []Partition{{}}}
			if r, err := of.results(res.(*kmsg.FetchResponse)); err == nil && r[0].Result != nil {
				endOfBatches(r[0].Result.Data, 0)
			}
		}
	})
}

// fuzzedConn responds to the first request with given bytes, under the right correlation id.
type fuzzedConn struct{ response []byte }

func (c *fuzzedConn) Write(request []byte) (int, error) {
	copy(c.response[4:8], request[8:12])
	return len(request), nil
}

func (c *fuzzedConn) Read(p []byte) (int, error) {
	n := copy(p, c.response)
	c.response = c.response[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
