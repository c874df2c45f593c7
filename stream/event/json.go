package event

import (
	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// jsonState is what the json parser knows of the event at hand.
type jsonState struct {
	flat   bool   // no features field was met: fields with no other role are features
	inside bool   // within the features object
	emit   bool   // features are wanted here: flat or inside, and not within an ignored object
	depth  int    // of objects and arrays
	had    uint8  // bit r: the field of role r was met
	textAt int    // where the value of the text field begins, met outside of the features object; else 0
	fields table  // the names of the top-level fields
	key    []byte // scratch: an unescaped key
	shape  shape
	frame  frame
}

// parseJSON reads the event in one pass, without a tree. An event may turn out to have a features field late: the features made
// of the fields before it are then dropped.
func (d *Decoder) parseJSON(b []byte) {
	j := &d.json
	j.inside, j.emit, j.depth, j.had, j.textAt = false, j.flat, 1, 0, 0
	j.fields.reset()
	i := space(b, 0)
	if i >= len(b) || b[i] != '{' {
		d.unexpected(i, "an object like {\"label\":1,\"features\":{\"x\":0.5}}")
		return
	}
	if i = d.object(i+1, 0); i < 0 {
		return
	}
	if i = space(b, i); i < len(b) {
		d.unexpected(i, "the end of the event, one object,")
		return
	}
	d.frameLearn()
}

// space passes white space.
func space(b []byte, i int) int {
	const blanks = 1<<' ' | 1<<'\t' | 1<<'\n' | 1<<'\r'
	for i < len(b) && b[i] <= ' ' && blanks>>b[i]&1 != 0 {
		i++
	}
	return i
}

// object reads an object from behind its brace. The names of its members have d.name[d.base:prefix] before them.
// Like all that read a value it returns the offset behind it, or -1 when the event is not well formed.
func (d *Decoder) object(i, prefix int) int {
	i = space(d.value, i)
	if i < len(d.value) && d.value[i] == '}' {
		return i + 1
	}
	return d.members(i, prefix)
}

// members reads the members of an object, at least one, and its closing brace.
func (d *Decoder) members(i, prefix int) int {
	b := d.value
	s := d.scope()
	for {
		at := i
		var key []byte
		if end := simpleKey(b, i); end > 0 {
			key, i = b[i+1:end], end+2
		} else if key, i = d.key(i); i < 0 {
			return -1
		}
		name := d.path(prefix, key)
		if r := s.role(name); r != plainRole || d.json.depth == 1 {
			i = d.field(i, name, prefix, r)
		} else if v, end := number.JSON(b, i); end >= 0 && d.json.emit { // what most members are
			d.add(name, v, learner.Numeric)
			if d.json.shape.learning {
				d.learn(name, b[at:i])
			}
			i = end
		} else {
			i = d.common(i, name, prefix)
		}
		if i < 0 {
			return -1
		}
		i = space(b, i)
		if i < len(b) && b[i] == ',' {
			i = space(b, i+1)
			continue
		}
		if i < len(b) && b[i] == '}' {
			return i + 1
		}
		return d.unexpected(i, "a comma or the object's closing brace")
	}
}

// scope gives the names with a role here.
func (d *Decoder) scope() *scope {
	if d.json.inside {
		return &d.inner
	}
	return &d.outer
}

// simpleKey gives the offset of the closing quote of the key at b[i] when a colon and a visible byte follow it, else 0.
// Keys are short and the same in each event, so a processor foresees where they end; that beats plain by a tenth of all.
func simpleKey(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return 0
	}
	for i++; i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' '; i++ {
	}
	if i+2 >= len(b) || b[i] != '"' || b[i+1] != ':' || b[i+2] <= ' ' {
		return 0
	}
	return i
}

// key reads a member's key and colon, up to its value.
func (d *Decoder) key(i int) (key []byte, next int) {
	b := d.value
	if i >= len(b) || b[i] != '"' {
		return nil, d.unexpected(i, "a key in double quotes")
	}
	if key, d.json.key, i = d.str(i, d.json.key); i < 0 {
		return nil, -1
	}
	i = space(b, i)
	if i >= len(b) || b[i] != ':' {
		return nil, d.unexpected(i, "a colon")
	}
	i = space(b, i+1)
	if i >= len(b) {
		return nil, d.unexpected(i, "a value")
	}
	return key, i
}

// feature reads a value as features called name.
func (d *Decoder) feature(i int, name []byte, prefix int) int {
	switch b := d.value; b[i] {
	case '"':
		var text []byte
		if text, d.text, i = d.str(i, d.text); i >= 0 {
			d.addWord(name, prefix, text)
		}
		return i
	case '{':
		return d.nested(i, name, prefix)
	case '[':
		return d.array(i, name, prefix)
	case 't', 'f', 'n':
		end := d.literal(i)
		if end >= 0 && b[i] != 'n' {
			d.addWord(name, prefix, b[i:end])
		}
		return end
	default:
		v, end := number.JSON(b, i)
		if end < 0 {
			return d.unexpected(i, "a value")
		}
		d.add(name, v, learner.Numeric)
		return end
	}
}

// literal gives the offset behind true, false or null, which begins at i.
func (d *Decoder) literal(i int) int {
	want := "true"
	switch d.value[i] {
	case 'f':
		want = "false"
	case 'n':
		want = "null"
	}
	end := i + len(want)
	if end > len(d.value) || string(d.value[i:end]) != want {
		return d.unexpected(i, want)
	}
	return end
}
