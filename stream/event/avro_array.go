package event

import "rosenblatt/stream/avro"

// array reads an array of numbers or one of strings, the value of f.
func (p *avroParser) array(t *avro.Type, at, i int, f *field) int {
	if p.options.SkipUnknown {
		if known, next := p.elementsFit(t, i); !known {
			return next
		}
	}
	in, ok := p.enterArray(at, f)
	if !ok {
		return -1
	}
	i = p.elements(t, i, in)
	p.leave(in)
	return i
}

// elements reads the elements of an array. Those that have no JSON form are not there.
func (p *avroParser) elements(t *avro.Type, i int, in level) int {
	n, good, words := 0, true, false
	for b := p.blocks(t); b.more(p, &i); {
		at := i
		of, next := p.branch(t.Element, i)
		if next < 0 {
			return -1
		}
		absent, end := p.absent(of, next)
		if absent || end < 0 {
			if i = end; i < 0 {
				return -1
			}
			continue
		}
		if n == 0 {
			words = isString(of)
		}
		if good && (!isScalar(of) || isString(of) != words) {
			p.unknown(at, p.name[p.base:in.end])
			good = false
		}
		if !good {
			i = p.skip(of, next)
			if t.Element.Empty {
				b.left = 0 // the others are the same
			}
		} else if i = p.read(of, next, &p.current); i >= 0 {
			p.takeElement(at, in, n, &p.current)
		}
		if i < 0 {
			return -1
		}
		n++
	}
	return i
}

// elementsFit reports whether all elements of an array are numbers, or all are strings, and where it ends. What is not
// well formed does not fit.
func (p *avroParser) elementsFit(t *avro.Type, i int) (fit bool, next int) {
	before := p.nothings
	if next = p.skip(t, i); next < 0 {
		return false, -1
	}
	after := p.nothings
	p.nothings = before // they are read again
	n, words := 0, false
	for b := p.blocks(t); b.more(p, &i); n++ {
		of, from := p.branch(t.Element, i)
		absent, end := p.absent(of, from)
		if absent {
			n, i = n-1, end
			continue
		}
		if n == 0 {
			words = isString(of)
		}
		if !isScalar(of) || isString(of) != words {
			p.nothings = after
			return false, next
		}
		i = p.skip(of, from)
	}
	p.nothings = before
	return true, next
}

// isString reports whether values of a type are strings in JSON.
func isString(t *avro.Type) bool {
	return t.Kind == avro.String || t.Kind == avro.Enum || t.Kind == avro.UUID
}

// isScalar reports whether values of a type are strings or numbers in JSON.
func isScalar(t *avro.Type) bool {
	switch t.Kind {
	case avro.Int, avro.Long, avro.Float, avro.Double, avro.Decimal, avro.Scaled:
		return true
	}
	return isString(t)
}

// blocks is the blocks of an array or of a map.
type blocks struct {
	of   *avro.Type
	left int64 // elements of the current block to read
}

func (p *avroParser) blocks(t *avro.Type) blocks { return blocks{of: t} }

// more reports whether an element begins at i, behind the beginning of a block if it has one there. At the end i is the
// offset after the last block, or -1 if the event is not well formed.
func (b *blocks) more(p *avroParser, i *int) bool {
	if *i < 0 {
		return false
	}
	if b.left == 0 {
		if b.left, *i = p.block(b.of, *i); b.left == 0 {
			return false
		}
	}
	b.left--
	return true
}

// block reads the beginning of a block: how many elements it has, after a negative number also in how many bytes.
func (p *avroParser) block(t *avro.Type, at int) (count int64, next int) {
	count, i := p.integer(at, 64)
	if i < 0 || count == 0 {
		return 0, i
	}
	//mutation:avro-negative-count
	if count < 0 {
		var size int64
		count = -count
		if size, i = p.integer(i, 64); i < 0 {
			return 0, -1
		}
		if size < 0 || size > int64(len(p.value)-i) {
			return 0, p.stop(Syntax, at, "a block of %d bytes, but %d are left; is the event truncated?", size,
				len(p.value)-i)
		}
	}
	switch left := int64(len(p.value) - i); {
	case t.Kind == avro.Array && t.Element.Empty:
		p.nothings += int(min(uint64(count), 1<<31))
		//mutation:avro-nothings
		if p.nothings > p.options.MaxFeatures {
			p.failed.add(TooManyFeatures, at, "an array of %d elements without a byte, more than %d features",
				uint64(count), p.options.MaxFeatures)
			count = 1 // the others are the same, and need not be counted again
		}
	//mutation:avro-count
	case count < 0 || count > left: // the least negative number has no positive one
		return 0, p.stop(Syntax, at, "a block of %d elements, but %d bytes are left; is the event truncated?",
			uint64(count), left)
	}
	return count, i
}
