package learner

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

const entryHead = 6

// nameTable holds the names of slots, end to end in the order in which they came: slot, length, name. It only ever
// grows, so a copy shares the memory with a fixed end.
type nameTable struct {
	text  []byte
	count int      // names in text
	max   int      // of count, when names are added
	known []uint64 // bit slot%64 of element slot/64: the slot has a name
	kept  int      // text up to here is as it was at ClearChanged
}

func newNameTable(slots, most int) nameTable {
	return nameTable{max: most, known: make([]uint64, (slots+63)/64)}
}

func (t *nameTable) room() bool           { return t.count < t.max }
func (t *nameTable) has(slot uint32) bool { return t.known[slot/64]>>(slot%64)&1 != 0 }

func (t *nameTable) add(slot uint32, name []byte) {
	name = CutName(name)
	t.text = binary.LittleEndian.AppendUint32(t.text, slot)
	t.text = binary.LittleEndian.AppendUint16(t.text, uint16(len(name)))
	t.text = append(t.text, name...)
	t.count++
	t.known[slot/64] |= 1 << (slot % 64)
}

// CutName shortens a name to MaxNameBytes, as the table of names does, without cutting a rune in two.
func CutName(name []byte) []byte {
	if len(name) <= MaxNameBytes {
		return name
	}
	for end := MaxNameBytes; end > MaxNameBytes-utf8.UTFMax; end-- {
		if utf8.RuneStart(name[end]) {
			return name[:end]
		}
	}
	return name[:MaxNameBytes]
}

func (t *nameTable) each(yield func(slot uint32, name []byte) bool) {
	for rest := t.text; len(rest) > 0; {
		slot, name, tail, _ := nextName(rest)
		if !yield(slot, name) {
			return
		}
		rest = tail
	}
}

func nextName(text []byte) (slot uint32, name, rest []byte, ok bool) {
	if len(text) < entryHead {
		return 0, nil, nil, false
	}
	n := int(binary.LittleEndian.Uint16(text[4:]))
	if n > MaxNameBytes || len(text) < entryHead+n {
		return 0, nil, nil, false
	}
	return binary.LittleEndian.Uint32(text), text[entryHead : entryHead+n], text[entryHead+n:], true
}

// load reads a copy of a saved table. Every slot in it must have a print and must occur once. More names than max are
// no error, since the limit may have been lowered.
func (t *nameTable) load(text []byte, prints []uint16) error {
	loaded := newNameTable(len(prints), t.max)
	for rest := text; len(rest) > 0; {
		slot, _, tail, ok := nextName(rest)
		at := len(text) - len(rest)
		switch {
		case !ok:
			return fmt.Errorf("learner: names: byte %d: truncated name", at)
		case int64(slot) >= int64(len(prints)):
			return fmt.Errorf("learner: names: byte %d: slot %d of %d", at, slot, len(prints))
		case prints[slot]&printMask == 0:
			return fmt.Errorf("learner: names: byte %d: slot %d has no print", at, slot)
		case loaded.has(slot):
			return fmt.Errorf("learner: names: byte %d: slot %d has two names", at, slot)
		}
		loaded.known[slot/64] |= 1 << (slot % 64)
		loaded.count++
		rest = tail
	}
	loaded.text = bytes.Clone(text)
	*t = loaded
	return nil
}

// share gives dst the same names but not known. The memory is shared: t writes only after their end, and dst, whose
// capacity is capped, reallocates when it grows.
func (t *nameTable) share(dst *nameTable) {
	dst.text = t.text[:len(t.text):len(t.text)]
	dst.count, dst.max = t.count, t.max
}
