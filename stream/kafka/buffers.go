package kafka

import (
	"bytes"
	"sync/atomic"
)

// buffers reuse the memory of fetch responses: a fast input would allocate hundreds of megabytes a second.
type buffers chan []byte

const (
	keptBuffers   = 8         // idle ones at most
	bufferRoom    = 64 << 10  // of a buffer, beside what a fetch requests
	smallResponse = 128 << 10 // a response of fewer bytes gets memory of its own
)

// take returns a buffer of size bytes: a reusable one when that is about a full fetch of fetchBytes, else new memory.
func (b buffers) take(size, fetchBytes int) (buffer []byte, again bool) {
	room := fetchBytes + bufferRoom
	if b == nil || size < smallResponse || size > room {
		return make([]byte, size), false
	}
	select {
	case buffer = <-b:
		if cap(buffer) >= size {
			return buffer[:size], true
		}
	default:
	}
	return make([]byte, size, room), true
}

func (b buffers) put(buffer []byte) {
	select {
	case b <- buffer:
	default:
	}
}

// shared is the memory of a response, which the results of several partitions may share.
type shared struct {
	free   buffers
	buffer []byte // reusable; nil if the response has memory of its own
	size   int    // of the response
	users  atomic.Int32
}

func (s *shared) take(size, fetchBytes int) []byte {
	data, again := s.free.take(size, fetchBytes)
	if s.size = size; again {
		s.buffer = data
	}
	return data
}

// divide gives each result its records. One that has less than half of the response gets a copy, so that a slow reader
// does not keep the records of others.
func (s *shared) divide(results []fetched) {
	s.users.Store(1)
	for i := range results {
		f := results[i].result
		switch {
		case f == nil || len(f.data) == 0:
		case len(f.data) < s.size/2:
			f.data = bytes.Clone(f.data)
		case s.buffer != nil:
			s.users.Add(1)
			f.memory = s
		}
	}
	s.Release()
}

// Release is called by each user of the memory; then a later fetch may reuse it.
func (s *shared) Release() {
	if s != nil && s.users.Add(-1) == 0 && s.buffer != nil {
		s.free.put(s.buffer)
	}
}
