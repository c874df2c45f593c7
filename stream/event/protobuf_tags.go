package event

// sizeOfTag is how many bytes a tag has that can be found; other tags have none here.
func sizeOfTag(tag uint64) int {
	switch {
	case tag < 1<<7:
		return 1
	//mutation:protobuf-far-tag
	case tag >= mostTag:
		return 0
	}
	return 2
}

// mostTag bounds the tags that are found: those of two bytes.
const mostTag = 1 << 14

func (n *protoNode) addTag(tag uint64, place int) {
	if tag >= mostTag {
		return
	}
	for uint64(len(n.tags)) <= tag {
		n.tags = append(n.tags, 0)
	}
	n.tags[tag] = uint16(place + 1)
}

// tagAt returns the offset behind the tag of a value of the field, 0 if it is not at offset i.
func (s *protoStep) tagAt(b []byte, i int) (next int) {
	switch {
	case s.tagSize == 1 && i < len(b) && b[i] == byte(s.tag):
		return i + 1
	case s.tagSize == 2 && i+1 < len(b) && b[i] == byte(s.tag)|0x80 && b[i+1] == byte(s.tag>>7):
		return i + 2
	}
	return 0
}

// find returns the place of the field whose tag is at offset i, and the offset behind the tag.
func (n *protoNode) find(b []byte, i int) (place, next int, ok bool) {
	tag, next := uint64(b[i]), i+1
	if tag >= 0x80 {
		if next >= len(b) || b[next] >= 0x80 || b[next] == 0 {
			return 0, 0, false
		}
		tag, next = tag&0x7f|uint64(b[next])<<7, next+1
	}
	if tag >= uint64(len(n.tags)) || n.tags[tag] == 0 {
		return 0, 0, false
	}
	return int(n.tags[tag] - 1), next, true
}
