package event

import (
	"rosenblatt/stream/protobuf"
)

// Values of protobuf are checked once, in the order of their bytes, before anything is made of them: so the fault at
// the lowest offset counts, whatever the order in which fields are declared.

// deepestGroup bounds groups within unknown groups, as the library does.
const deepestGroup = 10_000

// varint reads a number in groups of seven bits. Like all methods that read, it returns the offset after what it read,
// or -1 if the event is not well formed.
func (p *protobufParser) varint(i, end int) (u uint64, next int) {
	if i < end && p.value[i] < 0x80 {
		return uint64(p.value[i]), i + 1
	}
	for at, shift := i, 0; shift < 70; at, shift = at+1, shift+7 {
		//mutation:protobuf-varint
		if at >= end {
			return 0, p.stop(Syntax, i, "a number is not complete; is the event truncated?")
		}
		c := p.value[at]
		if shift == 63 && c > 1 {
			break
		}
		if u |= uint64(c&0x7f) << shift; c < 0x80 {
			return u, at + 1
		}
	}
	return 0, p.stop(Syntax, i, "a number of more than 64 bits; is the event written with another schema?")
}

// mostNumber is the highest number of a field.
const mostNumber = 1<<29 - 1

// tag reads the number of a field and how its value is written.
func (p *protobufParser) tag(i, end int) (number int32, wire protobuf.Wire, next int) {
	u, next := p.varint(i, end)
	if next < 0 {
		return 0, 0, -1
	}
	wire = protobuf.Wire(u & 7)
	if u>>3 == 0 || u>>3 > mostNumber || wire > protobuf.Four {
		return 0, 0, p.stop(Syntax, i, "field %d of wire type %d, which cannot be; is the event written with another "+
			"schema, or is something before its data?", u>>3, wire)
	}
	return int32(u >> 3), wire, next
}

// run reads the length of a value, and returns where its bytes begin and end.
func (p *protobufParser) run(i, end int) (from, to int) {
	n, from := p.varint(i, end)
	if from < 0 {
		return 0, -1
	}
	//mutation:protobuf-length
	if n > uint64(end-from) {
		return 0, p.stop(Syntax, i, "a length of %d bytes, but %d are left; is the event truncated?", n, end-from)
	}
	return from, from + int(n)
}

// extent returns where the value behind a tag begins and ends, and where what follows it begins.
func (p *protobufParser) extent(number int32, wire protobuf.Wire, i, end int) (from, to, next int) {
	switch wire {
	case protobuf.Varint:
		_, next = p.varint(i, end)
		return i, next, next
	case protobuf.Eight, protobuf.Four:
		size := 8
		if wire == protobuf.Four {
			size = 4
		}
		//mutation:protobuf-fixed
		if end-i < size {
			return 0, 0, p.stop(Syntax, i, "%d bytes are expected, but %d are left; is the event truncated?", size,
				end-i)
		}
		return i, i + size, i + size
	case protobuf.Sized:
		from, to = p.run(i, end)
		return from, to, to
	case protobuf.StartGroup:
		to, next = p.group(number, i, end)
		return i, to, next
	}
	return 0, 0, p.stop(Syntax, i, "the end of a group %d that did not begin", number)
}

// group passes over a group, and returns where its fields end.
func (p *protobufParser) group(number int32, i, end int) (to, next int) {
	p.groups = append(p.groups[:0], number)
	for len(p.groups) > 0 {
		number, wire, next := p.tag(i, end)
		if to = i; next < 0 {
			return 0, -1
		}
		last := len(p.groups) - 1
		switch i = next; {
		case wire == protobuf.StartGroup && last >= deepestGroup:
			return 0, p.stop(Syntax, to, "more than %d groups within each other", deepestGroup)
		case wire == protobuf.StartGroup:
			p.groups = append(p.groups, number)
		case wire == protobuf.EndGroup && number != p.groups[last]:
			return 0, p.stop(Syntax, to, "the end of a group %d within the group %d", number, p.groups[last])
		case wire == protobuf.EndGroup:
			p.groups = p.groups[:last]
		default:
			if _, _, i = p.extent(number, wire, i, end); i < 0 {
				return 0, -1
			}
		}
	}
	return to, i
}
