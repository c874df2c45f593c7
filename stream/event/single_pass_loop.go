package event

import (
	"encoding/binary"
	"unsafe"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// fits reads the event's values, each after its key. Values and their keys may be missing where the event is well
// formed without them. The arena must have room for one feature more than there are keys.
func (d *Decoder) fits(b []byte) bool {
	t := d.template.template
	d.rest, d.before, d.loads = b, 0, len(b)
	for k, i := &t.first, 0; ; {
		prev := k
		if k = prev.next; !t.at(k, d.rest, i) {
			if k = t.after(prev, d.rest, i); k == nil {
				return false
			}
			prev.next, t.list, d.moved = k, 0, true
		}
		if k == &t.last {
			return d.failed.Reason == OK
		}
		i += k.size
		if k.role == plainRole && k.kind.isNumber() && !k.slow() {
			var read bool
			if k, i, read = d.numbers(k, i); read {
				continue
			}
		}
		if i > len(d.rest) {
			return false // the copy of the end has a byte more
		}
		if i = d.parser.scalar(d.before+i, k) - d.before; i < 0 {
			return false
		}
	}
}

// numbers reads values that are numbers: that of the feature k at rest[i], and those of the features that follow it. It
// returns the last feature, and the offset after its value if read is true, or else that of its value.
//
// Most numbers have one digit before the point. A single check of the remaining bytes covers all loads, so they need no
// bounds checks.
func (d *Decoder) numbers(k *templateKey, i int) (last *templateKey, next int, read bool) {
	if i+number.Window > d.loads {
		i = d.copyEnd(i)
	}
	endings, out := d.endings, unsafe.Pointer(&d.arena[:len(d.arena)+1][len(d.arena)])
	text := unsafe.Pointer(unsafe.SliceData(d.rest))
	p, end := unsafe.Add(text, i), uintptr(text)+uintptr(d.loads)
	for {
		m, minus := number.Start(p)
		at, v := minus+2, 0.0
		if m > 9 {
			v, at = number.Other(p, minus, endings.strict)
		} else if x, y := number.Digits(p, at); y == 0 {
			v, at = number.Long(p, m, x, minus, at)
		} else {
			n := number.Leading(y)
			m = number.Extend(m, x, n)
			at += n
			if *(*byte)(unsafe.Add(p, at))|0x20 == 'e' || n == 0 {
				v, at = number.Scaled(p, m, -n, minus, at)
			} else {
				v = number.Quotient(m, n, minus)
			}
		}
		c := *(*byte)(unsafe.Add(p, at))
		if read = at != 0 && (c == endings.more || c == endings.last || endings.strict); !read {
			break
		}
		out = put(out, k, v)
		p = unsafe.Add(p, at)
		if after := k.next; uintptr(p)+after.load > end || !after.matches(p) {
			break
		}
		k = k.next
		p = unsafe.Add(p, k.size)
	}
	first := unsafe.Pointer(unsafe.SliceData(d.arena))
	d.arena = d.arena[:(uintptr(out)-uintptr(first))/unsafe.Sizeof(learner.Feature{})]
	return k, int(uintptr(p) - uintptr(text)), read
}

// copyEnd makes rest a copy of rest[i:], shorter than number.Window, with room after it, and returns its first offset.
func (d *Decoder) copyEnd(i int) int {
	d.ending = [ending]byte{}
	n := copy(d.ending[:], d.rest[i:])
	d.ending[n] = d.endings.last
	d.rest, d.before, d.loads = d.ending[:n], i, never-1
	return 0
}

// put stores the feature of k at p, which is in an array of features, and returns where the next one is. The array must
// have one.
func put(p unsafe.Pointer, k *templateKey, v float64) (next unsafe.Pointer) {
	type bytes [unsafe.Sizeof(k.feature)]byte // one copy instead of one for each field
	*(*bytes)(p) = *(*bytes)(unsafe.Pointer(&k.feature))
	(*learner.Feature)(p).Value = v
	return unsafe.Add(p, unsafe.Sizeof(k.feature))
}

// longest is the size of keys up to which numbers compares them.
const longest = 24

// ending is how many bytes numbers may load from where a number is too near to the end of the event.
const ending = 2*number.Window + 1 + longest

// fieldEndings are the bytes that most often follow a number. A strict number, one of JSON, ends with its last digit;
// others are part of a word, up to such a byte.
type fieldEndings struct {
	more, last byte
	strict     bool
}

// eightAt returns the eight bytes from i on in little-endian order.
func eightAt(b unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(b, i))[:])
}
