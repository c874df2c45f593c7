package kafka

// buffers are the memory of answers to fetches, used again and again: without them a fast input fills and drops hundreds of
// megabytes a second. What finds no place here is left to the garbage collector.
type buffers chan []byte

const (
	keptBuffers   = 8         // at most, idle
	bufferRoom    = 64 << 10  // of a buffer, beside what is asked for in one fetch
	smallResponse = 128 << 10 // an answer of fewer bytes gets memory of its own
)

// take gives a buffer of size bytes: one to be put back later when it is about as large as a full fetch of fetchBytes, else
// fresh memory.
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

// put takes a buffer back that nobody uses any more.
func (b buffers) put(buffer []byte) {
	select {
	case b <- buffer:
	default:
	}
}
