package event

import (
	"encoding/binary"
	"unsafe"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// fieldEnding is what follows a number.
type fieldEnding struct {
	more, last byte // before another field, and after the last one
	size       int  // how many bytes of it belong to the number's own field
}

// The endings of a member of a JSON object, and of a feature in vw, whose key begins with the blank before it.
var (
	memberEnding  = &fieldEnding{',', '}', 1}
	featureEnding = &fieldEnding{' ', '|', 0}
)

// parseFixedFields reads fields of a frequent form: at b[i] a key of the template, then a number with one digit
// before the point and one to eight after it, then an ending. It stops at the first field of another form, after
// the last field, and at most room bytes before the end of b. It returns how many fields it read and the offset
// after them. keys must have room for one more key, and out for one more feature than there are keys.
//
// No branch depends on the sign or on the number of digits, and the place of the next field is known from one load of
// eight bytes, long before the value is. A single check of the remaining bytes covers all loads, so they need no bounds
// checks, and pointers are incremented where indices would be multiplied.
func parseFixedFields(b []byte, i int, keys []templateKey, out []learner.Feature, ending *fieldEnding) (n, next int) {
	most := len(keys)
	keys, out = keys[:most+1], out[:most+1] // pointers after the last element must stay within the array
	text := unsafe.Pointer(unsafe.SliceData(b))
	key, feature := unsafe.Pointer(unsafe.SliceData(keys)), unsafe.Pointer(unsafe.SliceData(out))
	for n < most {
		k := (*templateKey)(key)
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
		_, count := number.Leading(eightAt(at, 3)) // digits after the first one of the fraction, or all with a sign
		digits := uint(count) + 1 - minus
		first := unsafe.Add(at, minus)
		whole := uint64(binary.LittleEndian.Uint16((*[2]byte)(first)[:])) - ('.'<<8 | '0')
		x := eightAt(first, 2) ^ number.Zeros
		if whole > 9 || x&0xff > 9 || digits-1 >= 8 {
			break
		}
		if end := *(*byte)(unsafe.Add(at, 3+count)); end != ending.more {
			if end != ending.last {
				break
			}
			most = n + 1
		}
		type bytes [unsafe.Sizeof(k.feature)]byte // one copy instead of one for each field
		*(*bytes)(feature) = *(*bytes)(unsafe.Pointer(&k.feature))
		(*learner.Feature)(feature).Value = number.Fraction(whole, x, digits, minus)
		n++
		i += k.size + 3 + count + ending.size
		key, feature = unsafe.Add(key, unsafe.Sizeof(*k)), unsafe.Add(feature, unsafe.Sizeof(k.feature))
	}
	return n, i
}

// margin is how many bytes after a key parseFixedFields loads at most, and room how many it needs for a field.
const (
	margin = 12
	room   = 16 + margin
)

// eightAt returns the eight bytes from i on in little-endian order.
func eightAt(b unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(b, i))[:])
}
