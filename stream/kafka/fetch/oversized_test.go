package fetch

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/recordbatch"
)

// TestLocateOversized: what precedes a batch may look like the head of another one, as the id of a topic or a position
// may. A response with only such a one says nothing of the batch but where it was requested.
func TestLocateOversized(t *testing.T) {
	t.Parallel()
	const size, tail = 5 << 20, 3
	header := func(base int64, length, delta, count int) []byte {
		b := make([]byte, recordbatch.HeaderSize)
		binary.BigEndian.PutUint64(b, uint64(base))
		binary.BigEndian.PutUint32(b[recordbatch.LengthAt:], uint32(length))
		b[recordbatch.MagicAt] = 2
		binary.BigEndian.PutUint32(b[recordbatch.LastDeltaAt:], uint32(delta))
		binary.BigEndian.PutUint32(b[recordbatch.CountAt:], uint32(count))
		return b
	}
	false1, false2 := header(0, 4<<20, 122_114_300, 1), header(5, 100, 2, 3)
	before := append(append(make([]byte, 40), false1...), false2...)
	batch := header(5, size-len(before)-12-tail, 2, 3)
	for name, c := range map[string]struct {
		head        []byte
		first, last int64
	}{
		"behind others": {append(append([]byte{}, before...), batch...), 5, 7},
		"none":          {before, 6, 6},
		"cut":           {append(append([]byte{}, before...), batch[:recordbatch.HeaderSize-1]...), 6, 6},
		"nothing":       {nil, 6, 6},
	} {
		if o := locateOversized(&broker.OversizedResponse{Size: size, Head: c.head}, 6); o.First != c.first ||
			o.Last != c.last {
			t.Errorf("%s: offsets %d to %d, want %d to %d", name, o.First, o.Last, c.first, c.last)
		}
	}
	// Any id of a topic.
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		head := make([]byte, 60, 60+recordbatch.HeaderSize)
		for i := 20; i < 36; i++ {
			head[i] = byte(r.Uint32())
		}
		if o := locateOversized(&broker.OversizedResponse{Size: size, Head: append(head,
			header(5, size-60-12-tail, 2, 3)...)},
			6); o.First != 5 || o.Last != 7 {
			t.Fatalf("id %x: offsets %d to %d", head[20:36], o.First, o.Last)
		}
	}
}
