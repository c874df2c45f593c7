package event

import "rosenblatt/stream/internal/number"

// nested reads an object, the value of f.
func (p *jsonParser) nested(i int, f *field) int {
	in, ok := p.enter(i, f)
	if !ok {
		return -1
	}
	i = p.object(i+1, in.end)
	p.leave(in)
	return i
}

// array reads an array of numbers or one of strings, the value of f.
func (p *jsonParser) array(from int, f *field) int {
	if p.options.SkipUnknown {
		if next := p.skipUnknown(from); next != 0 {
			return next
		}
	}
	in, ok := p.enterArray(from, f)
	if !ok {
		return -1
	}
	next, words := p.elements(from, in)
	p.leave(in)
	if words && p.template.learning && next >= 0 {
		p.learnValue(from, next, &field{role: otherRole})
	}
	return next
}

// elements reads the elements of an array, and its closing bracket. It reports whether there are words among them.
func (p *jsonParser) elements(from int, in level) (next int, areWords bool) {
	b := p.value
	first := space(b, from+1)
	if first < len(b) && b[first] == ']' {
		return first + 1, false
	}
	words := first < len(b) && b[first] == '"'
	good := true
	for i, n := first, 0; ; n++ {
		if i >= len(b) {
			return p.unexpected(i, "a value"), false
		}
		if good && p.elementFits(i, words) {
			i = p.element(i, in, n, words)
		} else {
			if good {
				p.unknown(i, p.name[p.base:in.end])
			}
			good = false
			i = p.skip(i)
		}
		var more bool
		if i, more = p.separator(i, ']'); !more {
			return i, words || !in.kind.isNumber()
		}
	}
}

// skipUnknown skips an array of neither only numbers nor only strings. It returns 0 at another one.
func (p *jsonParser) skipUnknown(from int) int {
	next := p.skip(from)
	if next < 0 {
		return -1
	}
	b := p.value
	i := space(b, from+1)
	for words := b[i] == '"'; b[i] != ']'; {
		if !p.elementFits(i, words) {
			if p.template.learning {
				p.learnValue(from, next, &field{role: otherRole})
			}
			return next
		}
		if i = space(b, p.skip(i)); b[i] == ',' {
			i = space(b, i+1)
		}
	}
	return 0
}

// separator reads a comma or, if there is no more element or member, the closing bracket or brace after one that ends
// at i.
func (p *jsonParser) separator(i int, closing byte) (next int, more bool) {
	if i < 0 {
		return -1, false
	}
	b := p.value
	if i = space(b, i); i < len(b) && b[i] == ',' {
		return space(b, i+1), true
	}
	if i < len(b) && b[i] == closing {
		return i + 1, false
	}
	return p.unexpected(i, "a comma or a closing "+string(closing)), false
}

// elementFits reports whether the value at i can be a string, with words, or else a number.
func (p *jsonParser) elementFits(i int, words bool) bool {
	switch p.value[i] {
	case '"':
		return words
	case '{', '[', 't', 'f', 'n':
		return false
	}
	return !words
}

// element reads element n of an array.
func (p *jsonParser) element(i int, in level, n int, words bool) int {
	if words {
		text, next := p.str(i, &p.text)
		if next >= 0 {
			p.elementWord(in, text)
		}
		return next
	}
	v, next := number.JSON(p.value, i)
	if next < 0 {
		return p.notANumber(i)
	}
	if name := p.elementNumber(in, n, p.value[i:next], v); name != nil && p.template.learning {
		p.learn(i, next, place{element: true}, name)
	}
	return next
}
