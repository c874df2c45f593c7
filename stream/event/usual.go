package event

import (
	"encoding/binary"
	"unsafe"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// ending is what stands behind a number.
type ending struct {
	more, last byte // in front of another member, and behind the last one
	size       int  // how many bytes of it belong to the number's own member
}

// The ending of a member of a JSON object, and of a feature in vw, whose key begins with the blank in front of it.
var (
	inObject = &ending{',', '}', 1}
	inLine   = &ending{' ', '|', 0}
)

// usual reads members as most are: a key of the shape at b[i], a number of one digit and one to eight behind a point, and an ending. It
// stops at the first one that is not, after the last, and a little before the end of b. It returns how many
// there were, and the offset behind them. keys has room for one more, and out for one more than there are keys.
//
// There is no branch that depends on the sign or on how many digits there are, and where the next member begins is known
// from one look at eight bytes, long before the value is. One test of the room covers all looks, so they go without
// a test each, and pointers move along where indices would be multiplied.
func usual(b []byte, i int, keys []shapeKey, out []learner.Feature, behind *ending) (n, next int) {
	most := len(keys)
	keys, out = keys[:most+1], out[:most+1] // pointers that stand behind the last one must still be within
	text, key, feature := unsafe.Pointer(unsafe.SliceData(b)), unsafe.Pointer(unsafe.SliceData(keys)), unsafe.Pointer(unsafe.SliceData(out))
	for n < most {
		k := (*shapeKey)(key)
		if i+k.need+margin > len(b) {
			break
		}
		at := unsafe.Add(text, i)
		if (eightAt(at, 0)^k.head)&k.mask|(eightAt(at, k.skip)^k.tail)&k.rest != 0 {
			break
		}
		at = unsafe.Add(at, k.size)
		minus := uint(0)
		if *(*byte)(at) == '-' {
			minus = 1
		}
		_, count := number.Leading(eightAt(at, 3)) // of the digits behind the first one, or with a sign of all
		digits := uint(count) + 1 - minus
		first := unsafe.Add(at, minus)
		whole := uint64(binary.LittleEndian.Uint16((*[2]byte)(first)[:])) - ('.'<<8 | '0')
		x := eightAt(first, 2) ^ number.Zeros
		if whole > 9 || x&0xff > 9 || digits-1 >= 8 {
			break
		}
		if end := *(*byte)(unsafe.Add(at, 3+count)); end != behind.more {
			if end != behind.last {
				break
			}
			most = n + 1
		}
		type bytes [unsafe.Sizeof(k.feature)]byte // copied at a stroke, not field by field
		*(*bytes)(feature) = *(*bytes)(unsafe.Pointer(&k.feature))
		(*learner.Feature)(feature).Value = number.Fraction(whole, x, digits, minus)
		n++
		i += k.size + 3 + count + behind.size
		key, feature = unsafe.Add(key, unsafe.Sizeof(*k)), unsafe.Add(feature, unsafe.Sizeof(k.feature))
	}
	return n, i
}

// margin is how many bytes usual looks at behind a key, at most, and room how many it wants for a member.
const (
	margin = 12
	room   = 16 + margin
)

// eightAt gives the eight bytes from i on, the lowest first.
func eightAt(b unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(b, i))[:])
}
