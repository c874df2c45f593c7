package event

import (
	"encoding/binary"
	"math"
	"unsafe"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// parseNumbers reads features of the template that are numbers: at b[i] a key, then a number, then a byte that ends
// most numbers in this format. It appends them to the arena, and stops at the first other key or value. It returns how
// many it read and the offset after them. The arena must have room for one more feature than there are keys.
func (d *Decoder) parseNumbers(b []byte, i int, keys []templateKey) (n, next int) {
	first := len(d.arena)
	out := d.arena[first : first+len(keys)]
	for n < len(keys) {
		if keys[n].need < never {
			if n, i = parseFixedFields(b, i, keys, out, n, d.endings); n == len(keys) {
				break
			}
		}
		k := &keys[n]
		if k.word {
			break
		}
		if i+k.load <= len(b) {
			if !k.matches(unsafe.Pointer(&b[i])) {
				break
			}
		} else if k.role != plainRole || !k.at(b, i, d.template.text) {
			break
		}
		v, end := number.Read(b, i+k.size, d.strict)
		if end < 0 || end < len(b) && !d.endings.has(b[end]) || !(v >= -limit && v <= limit) {
			break
		}
		if k.need = never; end-i-k.size <= mostFixed {
			k.expect(b[i+k.size : end])
		}
		out[n] = k.feature
		out[n].Value = v
		n++
		i = end
	}
	d.arena = d.arena[:first+n]
	return n, i
}

// expect has parseFixedFields read the next number after the key if this one, raw, has its form: most often the next
// one has it again.
func (k *templateKey) expect(raw []byte) {
	if raw[0] == '-' {
		raw = raw[1:]
	}
	if len(raw) > 2 && len(raw) <= mostFixed-1 && raw[1] == '.' && k.load < never {
		k.need = max(k.size, 4) + margin // covers eight bytes after the first eight of the key, too
	}
}

// fieldEndings are the bytes that most often follow a number.
type fieldEndings struct{ more, last byte }

func (e *fieldEndings) has(c byte) bool { return c == e.more || c == e.last }

// parseFixedFields reads fields as parseNumbers does, from keys[n] on, whose numbers have one digit before the point
// and one to eight after it. It stops at the first other field, and margin bytes before the end of b. It returns how
// many of the keys are read and the offset after them. keys must have room for one more key, and out for one more
// feature.
//
// No branch depends on the sign or on the number of digits, and the place of the next field is known from one load of
// eight bytes, long before the value is. A single check of the remaining bytes covers all loads, so they need no bounds
// checks, and pointers are incremented where indices would be multiplied.
func parseFixedFields(
	b []byte, i int, keys []templateKey, out []learner.Feature, n int, endings *fieldEndings,
) (read, next int) {
	most := len(keys)
	keys, out = keys[:most+1], out[:most+1] // pointers after the last element must stay within the array
	text := unsafe.Pointer(unsafe.SliceData(b))
	key, feature := unsafe.Pointer(&keys[n]), unsafe.Pointer(&out[n])
	for n < most {
		k := (*templateKey)(key)
		if i+k.need > len(b) {
			break
		}
		at := unsafe.Add(text, i)
		if !k.matches(at) {
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
		if end := *(*byte)(unsafe.Add(at, 3+count)); end != endings.more && end != endings.last {
			break
		}
		type bytes [unsafe.Sizeof(k.feature)]byte // one copy instead of one for each field
		*(*bytes)(feature) = *(*bytes)(unsafe.Pointer(&k.feature))
		(*learner.Feature)(feature).Value = number.Fraction(whole, x, digits, minus)
		n++
		i += k.size + 3 + count
		key, feature = unsafe.Add(key, unsafe.Sizeof(*k)), unsafe.Add(feature, unsafe.Sizeof(k.feature))
	}
	return n, i
}

const (
	margin    = 12              // how many bytes after a key parseFixedFields loads at most
	mostFixed = len("-0.") + 8  // bytes of a number that it reads
	never     = math.MaxInt / 2 // more than any event has
)

// eightAt returns the eight bytes from i on in little-endian order.
func eightAt(b unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(b, i))[:])
}
