package event

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"rosenblatt/learner"
)

// The bounds of Options.Cross. The names of the crosses of an event have at most crossText bytes, as have those of the
// features that they are made of: each name of a small event may repeat a long part of it.
const (
	mostCrosses = 16
	mostParts   = 4
	crossText   = 64 << 20
)

// crosses makes the features of Options.Cross. While an event is read, the features that a part takes are noted; when
// it is read, they are multiplied.
type crosses struct {
	parts  []string // each once
	groups []bool   // of each part, whether it means all names that begin with it
	list   [][]int  // of each cross, the indices of its parts
	json   bool     // a[0] is an element of a

	// Of the current event.
	noted   []taken
	names   []byte  // of what is noted, concatenated
	tooLong bool    // they are not all there
	closed  bool    // the features that follow are crosses
	takes   [][]int // of each part, the indices of what it takes
	made    int     // crosses, also those of one name
	size    int     // of their names

	at   [mostParts]int // of each part of the current cross, which of what it takes is chosen
	name []byte         // scratch
}

// taken is a feature that is part of a cross.
type taken struct {
	index   int // among the features of the event
	nameEnd int // in crosses.names
}

// newCrosses returns nil if there are none.
func newCrosses(o *Options) *crosses {
	if len(o.Cross) == 0 {
		return nil
	}
	c := &crosses{json: o.HasObjects()}
	for _, text := range o.Cross {
		var terms []int
		for _, part := range strings.Split(text, "*") {
			if !slices.Contains(c.parts, part) {
				c.parts, c.groups = append(c.parts, part), append(c.groups, o.isGroup(part))
			}
			terms = append(terms, slices.Index(c.parts, part))
		}
		c.list = append(c.list, terms)
	}
	c.takes = make([][]int, len(c.parts))
	return c
}

// reset begins an event.
func (c *crosses) reset() {
	if c == nil {
		return
	}
	c.noted, c.names, c.tooLong, c.closed = c.noted[:0], c.names[:0], false, false
	c.made, c.size = 0, 0
	for i := range c.takes {
		c.takes[i] = c.takes[i][:0]
	}
}

// making reports whether the features that are added are crosses.
func (c *crosses) making() bool { return c != nil && c.closed }

// note notes a feature if a part takes it. Its name has two parts, of which the second may be empty.
func (c *crosses) note(name, more []byte, index int) {
	if c.closed {
		return
	}
	if len(more) > 0 {
		c.name = append(append(c.name[:0], name...), more...)
		name = c.name
	}
	noted := false
	for i := range c.parts {
		if c.takesName(i, name) {
			c.takes[i], noted = append(c.takes[i], len(c.noted)), true
		}
	}
	if noted {
		if c.tooLong = c.tooLong || len(c.names)+len(name) > crossText; !c.tooLong {
			c.names = append(c.names, name...)
		}
		c.noted = append(c.noted, taken{index, len(c.names)})
	}
}

// takesName reports whether a part takes a feature: the number of the field that it names, one of its words or one of
// its elements; with a dot or in vw a ^ at its end, those of all fields that begin so.
func (c *crosses) takesName(n int, name []byte) bool {
	part := c.parts[n]
	if len(name) < len(part) || string(name[:len(part)]) != part {
		return false
	}
	rest := name[len(part):]
	switch {
	case len(rest) == 0, c.groups[n]:
		return true
	case rest[0] == '=':
		return true
	}
	return c.json && isElement(rest)
}

// isElement reports whether what follows the name of a field is the place of an element: [0].
func isElement(rest []byte) bool {
	return len(rest) > 2 && rest[0] == '[' && bytes.IndexByte(rest, ']') == len(rest)-1 &&
		len(bytes.Trim(rest[1:len(rest)-1], "0123456789")) == 0
}

// mayTake reports whether a part may take the number of a field, or one of its words.
func (c *crosses) mayTake(field []byte) bool {
	if c == nil {
		return false
	}
	word := append(bytes.Clone(field), '=')
	for i, part := range c.parts {
		if c.takesName(i, field) || c.takesName(i, word) || strings.HasPrefix(part, string(word)) {
			return true
		}
	}
	return false
}

// first chooses the first feature of each part of a cross. It reports false if a part has none.
func (c *crosses) first(terms []int) bool {
	c.at = [mostParts]int{}
	return !slices.ContainsFunc(terms, func(part int) bool { return len(c.takes[part]) == 0 })
}

// next makes the next choice, of which the last part runs fastest. A part that repeats its neighbour begins at that
// one's place: each pair comes once.
func (c *crosses) next(terms []int) bool {
	for i := len(terms) - 1; i >= 0; i-- {
		if c.at[i]++; c.at[i] < len(c.takes[terms[i]]) {
			for j := i + 1; j < len(terms); j++ {
				c.at[j] = 0
				//mutation:cross-pairs-once
				if terms[j] == terms[j-1] {
					c.at[j] = c.at[j-1]
				}
			}
			return true
		}
	}
	return false
}

// product is the chosen feature of a cross: the names joined by *, and the product of features of the event, which is a
// number if one of them is.
func (c *crosses) product(terms []int, features []learner.Feature) (name []byte, v float64, k learner.Kind) {
	name, v, k = c.name[:0], 1, learner.Indicator
	for i, part := range terms {
		n := c.takes[part][c.at[i]]
		start := 0
		if n > 0 {
			start = c.noted[n-1].nameEnd
		}
		if i > 0 {
			name = append(name, '*')
		}
		name = append(name, c.names[start:c.noted[n].nameEnd]...)
		f := &features[c.noted[n].index]
		v = float64(v * f.Value)
		if f.Kind == learner.Numeric {
			k = learner.Numeric
		}
	}
	c.name = name
	c.made++
	c.size += len(name)
	return name, v, k
}

// tooMany reports whether the event has more crosses than so many, of one name or not, or names of them that are too
// long. Else a small event could take hours.
func (c *crosses) tooMany(most int) bool {
	//mutation:cross-limit
	return c.tooLong || c.made > most || c.size > crossText
}

// cross adds the crosses of the event, after all other features. It ends with the first that rejects the event.
func (s *sink) cross() {
	c := s.crosses
	if c == nil || s.failed.Reason != OK || s.unfit.Reason != OK {
		return
	}
	c.closed = true
	for _, terms := range c.list {
		for more := c.first(terms); more; more = c.next(terms) {
			name, v, k := c.product(terms, s.arena[s.start:])
			if c.tooMany(s.options.MaxFeatures) {
				s.unfit.add(TooManyFeatures, -1, "cross %v: more than %d crosses, or names of more than %d MiB; "+
					"raise the limit or cross fewer", quoted(name), s.options.MaxFeatures, crossText>>20)
				return
			}
			if s.addHashed(s.sum(name), name, v, k, false); s.unfit.Reason != OK {
				return
			}
		}
	}
}

// crossTemplate is cross in a single pass. It reports false if the event may have to be rejected, or if another feature
// of the event may have the same name.
func (d *Decoder) crossTemplate() bool {
	c, most := d.crosses, d.options.MaxFeatures
	for _, terms := range c.list {
		for more := c.first(terms); more; more = c.next(terms) {
			name, v, k := c.product(terms, d.arena[d.start:])
			h := d.sum(name)
			_, found := d.template.template.seen.find(h)
			if found || !d.once(h) || !(v >= -limit && v <= limit) || len(d.arena)-d.start >= most || c.tooMany(most) {
				return false
			}
			d.arena = append(d.arena, learner.Feature{Slot: d.slot(h), Print: fingerprint(h), Kind: k, Value: v})
		}
	}
	return true
}

// validateCross checks Options.Cross.
func (o *Options) validateCross() error {
	if len(o.Cross) > mostCrosses {
		return fmt.Errorf("%d crosses: want at most %d", len(o.Cross), mostCrosses)
	}
	for _, text := range o.Cross {
		parts := strings.Split(text, "*")
		if len(parts) < 2 || len(parts) > mostParts {
			return fmt.Errorf("cross %q: want 2 to %d names with * between them, as country*device", text, mostParts)
		}
		for _, part := range parts {
			if err := o.validatePart(text, part); err != nil {
				return err
			}
		}
	}
	return o.distinctCrosses()
}

// distinctCrosses refuses two crosses of the same parts in whatever order: their features would count twice.
func (o *Options) distinctCrosses() error {
	sorted := map[string]string{}
	for _, text := range o.Cross {
		parts := strings.Split(text, "*")
		slices.Sort(parts)
		same := strings.Join(parts, "*")
		switch other, is := sorted[same]; {
		case is && other == text:
			return fmt.Errorf("the cross %q is named twice", text)
		//mutation:mirrored-crosses
		case is:
			return fmt.Errorf("the crosses %q and %q are of the same features: leave one out", other, text)
		}
		sorted[same] = text
	}
	return nil
}

func (o *Options) validatePart(cross, part string) error {
	column := func(name string) bool {
		time := strings.TrimSuffix(strings.TrimSuffix(part, ".weekday"), ".hour")
		return o.means(part, name) || time != part && time == name && o.IsTime(name)
	}
	switch {
	case part == "" || strings.ContainsAny(part, " \t"):
		return fmt.Errorf("cross %q: %q is no name: names are not empty and have no blanks", cross, part)
	case len(o.Columns) > 0 && !slices.ContainsFunc(o.Columns, column):
		return fmt.Errorf("cross %q: %q is none of the columns %s", cross, part, strings.Join(o.Columns, ","))
	case slices.Contains(o.Ignore, part), part != o.TextField && slices.Contains(o.named(), part):
		return fmt.Errorf("cross %q: %q is no feature", cross, part)
	}
	return nil
}
