package kafka

import (
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// buffers reuse the memory of fetch responses: a fast input would allocate hundreds of megabytes a second, which takes
// 0.1 seconds of processor time for a million events.
type buffers struct {
	full   chan []byte   // idle ones for full fetches
	copies [24]sync.Pool // *[]byte with 2^i bytes
	shared atomic.Int64  // bytes of responses in use whose results share them
}

const (
	fullFetch     = 2 << 20   // what most fetches request
	turnsFetch    = 7 << 19   // what those of many partitions that are read in turns do: less than 4 MiB in all
	wideFetch     = 15 << 19  // what those of many partitions do: with what surrounds the records less than 8 MiB
	keptBuffers   = 8         // idle ones at most
	bufferRoom    = 64 << 10  // of a buffer, beside what a fetch requests
	smallResponse = 128 << 10 // a response of fewer bytes gets memory of its own
	smallCopy     = 4 << 10   // and so does a copy
	maxShared     = 32 << 20  // bytes of responses whose results share them, in use at a time
)

func newBuffers() *buffers { return &buffers{full: make(chan []byte, keptBuffers)} }

// take returns a buffer of size bytes: a reusable one when that is about a full fetch of fetchBytes, else new memory.
func (b *buffers) take(size, fetchBytes int) (buffer []byte, again bool) {
	room := fetchBytes + bufferRoom
	if b == nil || size < smallResponse || size > room {
		return make([]byte, size), false
	}
	select {
	case buffer = <-b.full:
		if cap(buffer) >= size {
			return buffer[:size], true
		}
	default:
	}
	return make([]byte, size, room), true
}

func (b *buffers) put(buffer []byte) {
	select {
	case b.full <- buffer:
	default:
	}
}

// pooled returns a buffer of size bytes and what it belongs to, nil if it is new memory. It is for copies, and for
// responses that are larger than most.
func (b *buffers) pooled(size int) (buffer []byte, memory *shared) {
	power := bits.Len(uint(size - 1))
	if b == nil || size < smallCopy || power >= len(b.copies) {
		return make([]byte, size), nil
	}
	memory = &shared{pool: &b.copies[power]}
	if kept, ok := memory.pool.Get().(*[]byte); ok {
		memory.buffer = *kept
	} else {
		memory.buffer = make([]byte, 1<<power)
	}
	return memory.buffer[:size], memory
}

// clone copies data. memory is that of the copy if it is reusable, else nil.
func (b *buffers) clone(data []byte) (copied []byte, memory *shared) {
	copied, memory = b.pooled(len(data))
	if memory != nil {
		memory.users.Store(1)
	}
	copy(copied, data)
	return copied, memory
}

// shared is the memory of a response, which the results of several partitions may share, or of a copy.
type shared struct {
	free    *buffers
	pool    *sync.Pool      // of a copy, and of a large response
	buffer  []byte          // reusable; nil if the response has memory of its own
	size    int             // of the response
	counted int64           // bytes in free.shared
	lost    runtime.Cleanup // subtracts counted where nobody releases
	users   atomic.Int32
}

// take returns memory for a response of size bytes to a request for some.
func (s *shared) take(size, requested int) []byte {
	s.size = size
	if fetch := min(requested, fullFetch); size <= fetch+bufferRoom {
		data, again := s.free.take(size, fetch)
		if again {
			s.buffer = data
		}
		return data
	}
	data, from := s.free.pooled(size)
	if from != nil {
		s.pool, s.buffer = from.pool, from.buffer
	}
	return data
}

// divide gives each result its records. One that has less than half of the memory gets a copy, so that a slow reader
// keeps little else. Results that have at least half of it together share it instead, while maxShared allows it.
func (s *shared) divide(results []fetched) {
	s.users.Store(1)
	size := max(s.size, cap(s.buffer))
	copied := size / 2 // results of fewer bytes
	if s.buffer != nil && int(sizeOf(results)) >= copied && hasBetween(results, smallCopy, copied) &&
		s.free.mayShare(int64(size)) {
		s.count(int64(size))
		copied = smallCopy
	}
	for i := range results {
		f := results[i].result
		switch {
		case f == nil || len(f.data) == 0:
		case len(f.data) < copied:
			f.data, f.memory = s.free.clone(f.data)
		case s.buffer != nil:
			s.users.Add(1)
			f.memory = s
		}
	}
	s.Release()
}

// hasBetween reports whether a result has so many bytes, and fewer than most.
func hasBetween(results []fetched, least, most int) bool {
	return slices.ContainsFunc(results, func(f fetched) bool {
		return f.result != nil && len(f.result.data) >= least && len(f.result.data) < most
	})
}

// mayShare counts a response of so many bytes whose results are to share it, unless too much is in use.
func (b *buffers) mayShare(size int64) bool {
	//mutation:shared-bound
	if b.shared.Add(size) <= maxShared {
		return true
	}
	b.shared.Add(-size)
	return false
}

// count notes that mayShare counted a response. Where a reader ends in the middle of a result, nobody releases it: then
// it counts until the garbage collector finds that it is not in use any more.
func (s *shared) count(size int64) {
	all := &s.free.shared
	s.counted = size
	//mutation:shared-lost
	s.lost = runtime.AddCleanup(s, func(n int64) { all.Add(-n) }, size)
}

// Release is called by each user of the memory; then a later fetch may reuse it.
func (s *shared) Release() {
	if s == nil || s.users.Add(-1) > 0 {
		return
	}
	if s.counted > 0 {
		s.lost.Stop()
		s.free.shared.Add(-s.counted)
	}
	switch {
	case s.buffer == nil:
	case s.pool != nil:
		s.pool.Put(&s.buffer)
	default:
		s.free.put(s.buffer)
	}
}
