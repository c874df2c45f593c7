package event

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"rosenblatt/stream/protobuf"
)

// mapAt takes a map, or a Struct.
func (p *protobufParser) mapAt(n *protoNode, s *protoStep, at, end int) int {
	f, keys, from, to := s.of, s.keys, at-s.tagSize, end
	isMap, next := f.Repeated, 0
	if !isMap { // its fields are the entries
		if from, to, next = p.extent(f.Number, f.Wire, at, end); next < 0 {
			return -1
		}
		s = s.within
		f = s.of
	}
	guess := &keys.first
	for from < to {
		at := s.tagAt(p.value[:to], from)
		if at == 0 {
			break
		}
		begin, stop := p.run(at, to)
		if stop < 0 {
			return -1
		}
		if k := p.plainEntry(keys, *guess, begin, stop); k != nil {
			guess = &k.next
		} else if guess = p.entryAt(n, f, keys, guess, at, to); guess == nil {
			return -1
		}
		from = stop
	}
	if *guess != nil {
		*guess, p.plan.list, p.moved = nil, 0, true
	}
	switch {
	case isMap:
		return from
	case from < to:
		return -1
	}
	return next
}

// plainEntry takes an entry of a short key, which is the one that is guessed, and of a double, also as a Value. It
// returns nil if another key or value is there.
func (p *protobufParser) plainEntry(keys *mapKeys, k *mapKey, i, end int) (as *mapKey) {
	if k == nil || !k.plain || k.event == p.plan.event {
		return nil
	}
	b, size := p.value[i:end], 2+len(k.text)
	if len(b) != size+keys.skip+9 || b[0] != 0x0a || int(b[1]) != len(k.text) || string(b[2:size]) != k.text {
		return nil
	}
	switch {
	case keys.skip == 0 && b[size] == 2<<3|byte(protobuf.Eight):
	case keys.skip == 2 && b[size] == 2<<3|byte(protobuf.Sized) && b[size+1] == 9 &&
		b[size+2] == 2<<3|byte(protobuf.Eight):
	default:
		return nil
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(b[size+keys.skip+1:]))
	if !(v >= -limit && v <= limit) {
		return nil
	}
	k.event = p.plan.event
	f := k.templateKey.feature
	f.Value = v
	p.arena = append(p.arena, f)
	return k
}

// entryAt takes an entry, of which the length is at offset at. It returns where the key that follows is guessed; nil if
// protobufParser has to read the event.
func (p *protobufParser) entryAt(n *protoNode, f *protobuf.Field, keys *mapKeys, guess **mapKey, at, end int) **mapKey {
	if !p.isGood(n, f, at, end) {
		return nil
	}
	from, to := p.run(at, end)
	entry := f.Message
	p.stretches, p.heads = p.stretches[:0], p.heads[:0]
	places := p.scan(entry, p.stretch(from, to))
	p.keys = p.keyText(p.keys[:0], entry, places)
	k := *guess
	if k == nil || string(p.keys) != k.text {
		if k = p.keyOf(keys, p.keys, keys.doubles); k == nil {
			return nil
		}
		*guess, p.plan.list, p.moved = k, 0, true
	}
	//mutation:protobuf-key-twice
	if k.event == p.plan.event {
		return nil
	}
	k.event = p.plan.event
	if !p.entryValue(keys, k, entry, places) {
		return nil
	}
	return &k.next
}

// entryValue takes the value of an entry.
func (p *protobufParser) entryValue(keys *mapKeys, k *mapKey, entry *protobuf.Message, places int) bool {
	of := entry.Value()
	v := p.valueAt(of, p.heads[places+entry.Place(2)].head, false)
	if of.Absent || v.shape > nullShape || k.role == textRole || k.role == featuresRole {
		return false
	}
	x := &p.current
	if p.read(v, x); x.kind == nullScalar {
		p.plan.list, p.moved = 0, true
	}
	switch {
	case p.envelope != nil && x.isUnavailable():
		return false
	case k.role == ignoreRole:
		return true
	case k.role == plainRole && !keys.emit:
		return x.kind != textScalar || utf8.Valid(x.text)
	case k.role != plainRole && p.plan.had&(1<<k.role) != 0: // the field comes twice
		return false
	}
	p.plan.had |= 1 << k.role
	return p.takeAt(p.offset(v), &k.planKey)
}
