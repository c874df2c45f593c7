package event

import (
	"strconv"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// nested reads an object within a value called name: its members' names follow a dot.
func (p *jsonParser) nested(i int, name []byte, prefix int) int {
	end := p.hold(name, prefix)
	p.name = append(p.name[:end], '.')
	if !p.enter(i) {
		return -1
	}
	before := p.pushPrefix(end + 1)
	i = p.object(i+1, end+1)
	p.prefixes = p.prefixes[:before]
	p.depth--
	return i
}

// enter counts a level of nesting, at the brace or bracket at i.
func (p *jsonParser) enter(i int) bool {
	if p.depth >= p.options.MaxDepth {
		p.stop(TooDeep, i, "nested deeper than %d levels; raise the limit or flatten the event", p.options.MaxDepth)
		return false
	}
	p.depth++
	return true
}

// array reads an array of numbers or one of strings as features called name.
func (p *jsonParser) array(from int, name []byte, prefix int) int {
	if p.options.SkipUnknown {
		if next := p.skipUnknown(from); next != 0 {
			return next
		}
	}
	if !p.enter(from) {
		return -1
	}
	end := p.hold(name, prefix)
	before := p.pushPrefix(end)
	next := p.elements(from, end)
	p.prefixes = p.prefixes[:before]
	return next
}

// elements reads the elements of the array whose name ends at p.name[end].
func (p *jsonParser) elements(from, end int) int {
	b := p.value
	first := space(b, from+1)
	if first < len(b) && b[first] == ']' {
		p.depth--
		return first + 1
	}
	words := first < len(b) && b[first] == '"'
	good := true
	for i, n := first, 0; ; n++ {
		if i >= len(b) {
			return p.unexpected(i, "a value")
		}
		if good && p.elementFits(i, words) {
			i = p.element(i, end, n, words)
		} else {
			if good {
				p.unknown(i, p.name[p.base:end])
			}
			good = false
			i = p.skip(i)
		}
		var more bool
		if i, more = p.separator(i, ']'); !more {
			if (words || p.numberWords) && p.template.learning && i >= 0 {
				p.learnValue(from, i, place{role: otherRole}, nil)
			}
			return i
		}
	}
}

// unknown notes that a value within the array called name is neither a number nor a string, or not what those before it
// are.
func (p *jsonParser) unknown(i int, name []byte) {
	p.unfit.add(BadFeatures, i, "field %v: an array must hold only numbers or only strings; --ignore leaves "+
		"the field out, --unknown skip all such values", quoted(name))
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
				p.learnValue(from, next, place{role: otherRole}, nil)
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
		p.depth--
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

// element reads element n of an array whose name ends at p.name[end].
func (p *jsonParser) element(i, end, n int, words bool) int {
	if words {
		text, next := p.str(i, &p.text)
		if next >= 0 {
			p.name = append(append(p.name[:end], '='), text...)
			p.addOnce(p.name[p.base:])
		}
		return next
	}
	v, next := number.JSON(p.value, i)
	if next < 0 {
		return p.notANumber(i)
	}
	if p.numberWords {
		p.name = append(append(p.name[:end], '='), p.value[i:next]...)
		p.addOnce(p.name[p.base:])
		return next
	}
	p.name = append(strconv.AppendInt(append(p.name[:end], '['), int64(n), 10), ']')
	p.add(p.name[p.base:], v, learner.Numeric)
	if p.template.learning {
		p.learn(i, next, place{element: true}, p.name[p.base:])
	}
	return next
}
