package event

import "rosenblatt/stream/internal/number"

// skip passes a value, checking it.
func (d *Decoder) skip(i int) int {
	b := d.value
	switch b[i] {
	case '"':
		return d.skipString(i)
	case '{':
		return d.skipAll(i, '}')
	case '[':
		return d.skipAll(i, ']')
	case 't', 'f', 'n':
		return d.literal(i)
	}
	_, next := number.JSON(b, i)
	if next < 0 {
		return d.unexpected(i, "a value")
	}
	return next
}

// skipAll passes an object or an array.
func (d *Decoder) skipAll(i int, closing byte) int {
	b := d.value
	if !d.enter(i) {
		return -1
	}
	i = space(b, i+1)
	if i < len(b) && b[i] == closing {
		d.json.depth--
		return i + 1
	}
	for {
		if closing == '}' {
			_, i = d.key(i)
		} else if i >= len(b) {
			i = d.unexpected(i, "a value")
		}
		if i < 0 {
			return -1
		}
		if i = d.skip(i); i < 0 {
			return -1
		}
		if i = space(b, i); i < len(b) && b[i] == ',' {
			i = space(b, i+1)
			continue
		}
		if i < len(b) && b[i] == closing {
			d.json.depth--
			return i + 1
		}
		return d.unexpected(i, "a comma or a closing "+string(closing))
	}
}
