package kafka

// buffers are memory for fetch responses that is used again: without them a fast input allocates hundreds of megabytes
// a second. What has no place here is left to the garbage collector.
type buffers chan []byte

const (
	keptBuffers   = 8         // at most, idle
	bufferRoom    = 64 << 10  // of a buffer, beside what one fetch requests
	smallResponse = 128 << 10 // a response of fewer bytes gets memory of its own
)

// take returns a buffer of size bytes: one to be put back later when it is about as large as a full fetch of
// fetchBytes, else new memory.
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

// put returns a buffer that nobody uses any more.
func (b buffers) put(buffer []byte) {
	select {
	case b <- buffer:
	default:
	}
}
