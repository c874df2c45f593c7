package decode

import (
	"encoding/binary"
	"unsafe"

	"rosenblatt/learner"
)

// usual reads members as most are: a key of the shape at b[i], a number of one digit and one to eight behind a point, and a comma or the
// closing brace. It ends at the first one that is not, after a brace, and a little before the end of b. It returns how many
// there were, and the offset behind them.
//
// There is no branch that depends on the sign or on how many digits there are, and where the next member begins is known
// from one look at eight bytes, long before the value is. One test of the room covers all looks, so they go without
// a test each; with them, and with the calls that follow makes, the time is a third more.
func usual(b []byte, i int, keys []shapeKey, out []learner.Feature) (n, next int) {
	out = out[:len(keys)]
	for n < len(keys) && i+keys[n].need+margin <= len(b) {
		key := &keys[n]
		at := unsafe.Pointer(&b[i])
		if (eightAt(at, 0)^key.head)&key.mask|(eightAt(at, key.skip)^key.tail)&key.rest != 0 {
			break
		}
		at = unsafe.Add(at, key.size)
		first := eightAt(at, 0)
		minus := uint64(0)
		if byte(first) == '-' {
			minus = 1
		}
		first >>= 8 * minus
		_, count := leading(eightAt(at, 3)) // of the digits behind the first one, or with a sign of all
		digits := uint(count) + 1 - uint(minus)
		whole, x := first&0xff-'0', eightAt(at, 2+int(minus))^zeros
		end := *(*byte)(unsafe.Add(at, 3+count))
		if whole > 9 || byte(first>>8) != '.' || x&0xff > 9 || digits-1 >= 8 || end != ',' && end != '}' {
			break
		}
		out[n] = key.feature
		out[n].Value = fraction(whole, x, digits, minus)
		n++
		i += key.size + 4 + count
		if end == '}' {
			break
		}
	}
	return n, i
}

// margin is how many bytes usual looks at behind a key, at most.
const margin = 12

// eightAt gives the eight bytes from i on, the lowest first.
func eightAt(b unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(b, i))[:])
}
