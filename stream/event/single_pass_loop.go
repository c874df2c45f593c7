package event

import (
	"encoding/binary"
	"math"
	"unsafe"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// fits reads the event's values, each after its key. Values and their keys may be missing where the event is well
// formed without them. The arena must have room for one feature more than there are keys.
//
// Most values are numbers with one digit before the point and one to eight after it. For these no branch depends on the
// sign or on the number of digits, and the place of the next key is known from one load of eight bytes, long before the
// value is. A single check of the remaining bytes covers all loads, so they need no bounds checks.
func (d *Decoder) fits(b []byte) bool {
	t, endings, text := d.template.template, d.endings, unsafe.Pointer(unsafe.SliceData(b))
	out, i := d.room(), 0
	for k := &t.first; ; {
		prev := k
		k = prev.next
		if i+k.load <= len(b) && k.matches(unsafe.Add(text, i)) {
			at := unsafe.Add(text, i+k.size)
			minus := uint(0)
			if *(*byte)(at) == '-' {
				minus = 1
			}
			start := unsafe.Add(at, minus)
			count := number.Leading(eightAt(at, 3)) // digits after the first of the fraction, or all with a sign
			if c := *(*byte)(unsafe.Add(at, 3+count)); c == endings.more || c == endings.last {
				digits, x := uint(count)+1-minus, eightAt(start, 2)^number.Zeros
				whole := uint64(binary.LittleEndian.Uint16((*[2]byte)(start)[:])) - ('.'<<8 | '0')
				if whole <= 9 && x&0xff <= 9 && digits-1 < 8 {
					out = put(out, k, number.Fraction(whole, x, digits, minus))
					i += k.size + 3 + count
					continue
				}
			}
			if *(*byte)(start)-'0' <= 9 && i+k.size+number.Window <= len(b) {
				v, n := number.At(at, d.strict)
				c := *(*byte)(unsafe.Add(at, n))
				if n > 0 && (c == endings.more || c == endings.last) && math.Abs(v) <= limit {
					out = put(out, k, v)
					i += k.size + n
					continue
				}
			}
		} else if !t.at(k, b, i) {
			if k = t.after(prev, b, i); k == nil {
				return false
			}
			prev.next, t.list, d.moved = k, 0, true
		}
		if k == &t.last {
			d.arena = d.arena[:d.filled(out)]
			return d.failed.Reason == OK
		}
		if i += k.size; k.role == plainRole && i < len(b) && (b[i]-'0' <= 9 || b[i] == '-') {
			v, end := number.Read(b, i, d.strict)
			if end > 0 && (end == len(b) || b[end] == endings.more || b[end] == endings.last) && math.Abs(v) <= limit {
				out = put(out, k, v)
				i = end
				continue
			}
		}
		d.arena = d.arena[:d.filled(out)]
		if i = d.parser.scalar(i, k); i < 0 {
			return false
		}
		out = d.room()
	}
}

// room returns where the next feature is in the arena.
func (d *Decoder) room() unsafe.Pointer {
	n := len(d.arena)
	return unsafe.Pointer(&d.arena[:n+1][n])
}

// filled returns how many features the arena has before p.
func (d *Decoder) filled(p unsafe.Pointer) int {
	first := unsafe.Pointer(unsafe.SliceData(d.arena))
	return int((uintptr(p) - uintptr(first)) / unsafe.Sizeof(learner.Feature{}))
}

// put stores the feature of k at p, which is in an array of features, and returns where the next one is. The array must
// have one.
func put(p unsafe.Pointer, k *templateKey, v float64) (next unsafe.Pointer) {
	type bytes [unsafe.Sizeof(k.feature)]byte // one copy instead of one for each field
	*(*bytes)(p) = *(*bytes)(unsafe.Pointer(&k.feature))
	(*learner.Feature)(p).Value = v
	return unsafe.Add(p, unsafe.Sizeof(k.feature))
}

// margin is how many bytes after a key parseNumbers loads at most.
const margin = 12

// fieldEndings are the bytes that most often follow a number.
type fieldEndings struct{ more, last byte }

// eightAt returns the eight bytes from i on in little-endian order.
func eightAt(b unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(b, i))[:])
}
