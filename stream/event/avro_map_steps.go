package event

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"rosenblatt/stream/avro"
)

// mapKeys is the keys that maps at one place of an event had so far. Most maps have the keys of the map before, in the
// same order.
type mapKeys struct {
	prefix []byte // of the names of the features
	emit   bool   // the values are features
	roles  *fieldRoles

	skip    int  // of protobuf: bytes between a key and the tag of a double
	doubles bool // likewise: keys are texts, and values may be doubles

	list  []*mapKey
	table nameTable // the places in list, by the hashes of the keys
	first *mapKey   // of the map before
}

// mapKey is a key of a map, and what its values are.
type mapKey struct {
	planKey
	text  string
	next  *mapKey // the key that followed it last
	event uint32  // in which it was last
	plain bool    // its values are doubles that are just put into the arena
}

// mapAt reads a map.
func (p *avroParser) mapAt(s *avroStep, i int) int {
	guess := &s.keys.first
	for i >= 0 {
		count, next := p.block(s.of, i)
		if i = next; count == 0 {
			break
		}
		for ; count > 0 && i >= 0; count-- {
			if k, next := p.plainEntry(*guess, i); k != nil {
				guess, i = &k.next, next
				continue
			}
			guess, i = p.entry(s, guess, i)
		}
	}
	if i >= 0 && *guess != nil {
		*guess, p.plan.list, p.moved = nil, 0, true
	}
	return i
}

// plainEntry reads an entry of a short key and a double. It returns nil if another key or value is there.
func (p *avroParser) plainEntry(k *mapKey, i int) (as *mapKey, next int) {
	b := p.value
	//mutation:avro-plain-key-twice
	if k == nil || !k.plain || i >= len(b) || int(b[i]) != 2*len(k.text) || k.event == p.plan.event {
		return nil, i
	}
	i++
	end := i + len(k.text)
	if end+8 > len(b) || string(b[i:end]) != k.text {
		return nil, i
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(b[end:]))
	if !(v >= -limit && v <= limit) {
		return nil, i
	}
	k.event = p.plan.event
	f := k.templateKey.feature
	f.Value = v
	p.arena = append(p.arena, f)
	return k, end + 8
}

// entry reads an entry. It returns where the key that follows is guessed, and where that begins.
func (p *avroParser) entry(s *avroStep, guess **mapKey, i int) (after **mapKey, next int) {
	from, end := p.run(i)
	if end < 0 {
		return guess, -1
	}
	k := *guess
	if k == nil || string(p.value[from:end]) != k.text {
		if k = p.keyOf(s.keys, p.value[from:end], s.of.Element.Kind == avro.Double); k == nil {
			return guess, -1
		}
		*guess, p.plan.list, p.moved = k, 0, true
	}
	//mutation:avro-key-twice
	if k.event == p.plan.event {
		return guess, -1
	}
	k.event = p.plan.event
	return &k.next, p.entryAt(s, k, end)
}

// keyOf returns a key, which is added if it is new; nil if there are too many. The values may be doubles.
func (p *keyed) keyOf(keys *mapKeys, text []byte, doubles bool) *mapKey {
	t := p.template.template
	if keys.list == nil {
		keys.table.reset()
	}
	h := xxhash.Sum64(text)
	place, found := keys.table.find(h)
	if found {
		if k := keys.list[keys.table.entries[place].index]; k.text == string(text) {
			return k
		}
		return nil
	}
	if t.full() || !utf8.Valid(text) {
		return nil
	}
	p.name = append(append(p.name[:0], keys.prefix...), text...)
	f := newField(p.name, 0, keys.roles.of(p.name))
	k := &mapKey{text: string(text)}
	k.role = f.role
	if k.role == plainRole && keys.emit {
		k.planKey = *p.newFeature(t, p.name, f.kind)
		k.plain = doubles && k.isPlain() && len(text) < 64
	} else {
		t.names = append(t.names, text...) // they are counted
		t.features++
	}
	keys.list = append(keys.list, k)
	keys.table.add(h, len(keys.list)-1)
	return k
}

// entryAt reads the value of a key.
func (p *avroParser) entryAt(s *avroStep, k *mapKey, i int) int {
	t, i := p.entryBranch(s, i)
	switch {
	case i < 0, k.role == textRole, k.role == featuresRole:
		return -1
	case t.Absent:
		return p.pass(t, i)
	case k.role == ignoreRole, k.role == plainRole && !s.keys.emit:
		if isComposite(t) && (s.keys.roles.dotted || t.MayBeAbsent) {
			return -1
		}
		p.depth, p.ignored = s.depth, k.role == ignoreRole
		i = p.skip(t, i)
		p.ignored = false
		return i
	case isComposite(t):
		return -1
	}
	return p.takeAt(t, i, &k.planKey)
}

// entryBranch returns the type that the value of an entry has, and where it begins. Events with values of different
// branches may have different features.
func (p *avroParser) entryBranch(s *avroStep, i int) (t *avro.Type, next int) {
	if t = s.of.Element; t.Kind != avro.Union {
		return t, i
	}
	p.moved = true
	return p.branch(t, i)
}
