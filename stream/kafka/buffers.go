package kafka

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
