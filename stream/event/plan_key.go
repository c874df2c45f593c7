package event

import (
	"rosenblatt/learner"
	"rosenblatt/stream/avro"
	"rosenblatt/stream/internal/number"
)

// planKey is a field of a plan: a feature or a value with a role.
type planKey struct {
	templateKey
	clash bool // another feature has the name
}

// newRole returns the key of a value that is no feature.
func newRole(r role) *planKey { return &planKey{templateKey: templateKey{place: place{role: r}}} }

// keyed makes the keys of plans, and the features of values that have such.
type keyed struct {
	*Decoder
	named int       // names of plans so far
	sums  []wordSum // of words of plans
}

// newFeature adds a feature to a plan.
func (p *keyed) newFeature(t *template, name []byte, as kind) *planKey {
	k := p.newKey(t, name, as)
	p.setName(&k.templateKey, name)
	k.clash = t.seen.add(k.hash, 0)
	return k
}

// newKey adds a name to a plan, of a feature or of what is part of names.
func (p *keyed) newKey(t *template, name []byte, as kind) *planKey {
	k := &planKey{templateKey: templateKey{place: place{kind: as}}}
	t.names = append(append(t.names, name...), '=')
	t.features++
	p.named++
	k.index, k.nameEnd, k.nameSize = p.named, len(t.names), len(name)+1
	return k
}

// isPlain reports whether a number is just put into the arena.
func (k *planKey) isPlain() bool {
	return k.role == plainRole && k.kind.isNumber() && !k.templateKey.slow() && !k.clash
}

// featureAt adds the feature of a value, or the features. It reports false if the event may have to be rejected, or
// another feature may have the same name.
func (p *keyed) featureAt(k *planKey, x *scalar) bool {
	switch {
	case k.clash || !x.finite():
		return false
	case x.kind == nullScalar:
		return true
	case x.kind == textScalar:
		return p.textAt(k, x.text)
	case k.kind == timeKind:
		if x.kind == truthScalar {
			return false
		}
		c, ok := clockOf(x.v)
		if x.clock != avro.NoClock {
			c, ok = unitClock(x.clock, x.v)
		}
		return p.addTemplateTime(&k.templateKey, c, ok)
	case x.kind == truthScalar || k.kind == wordKind:
		p.token = x.appendToken(p.token[:0])
		return p.addTemplateWord(&k.templateKey, p.token)
	}
	return p.addTemplateNumber(&k.templateKey, x.v)
}

// textAt is featureAt for a text.
func (p *keyed) textAt(k *planKey, text []byte) bool {
	switch k.kind {
	case numberKind:
		p.moved = true // it may be absent
		return p.addTemplateCell(&k.templateKey, text, trim(text))
	case timeKind:
		c, ok := parseClock(text)
		return p.addTemplateTime(&k.templateKey, c, ok)
	}
	return p.addTemplateWord(&k.templateKey, text)
}

// wordAt adds an element that is a word, unless the event has it.
func (p *keyed) wordAt(k *planKey, x *scalar) bool {
	word := x.text
	if x.kind != textScalar {
		p.token = x.appendToken(p.token[:0])
		word = p.token
	}
	h := p.wordSum(&k.templateKey, word)
	t := p.template.template
	if _, found := t.seen.find(h); found || k.clash {
		return false
	}
	if !p.once(h) {
		return true
	}
	if k.crossed {
		p.crosses.note(t.name(&k.templateKey), word, len(p.arena)-p.Decoder.start)
	}
	p.arena = append(p.arena,
		learner.Feature{Slot: p.slot(h), Print: fingerprint(h), Kind: learner.Indicator, Value: 1})
	return true
}

// listElement adds the feature of one more element of an array to those of the others. It reports false if there are
// too many, or another feature has its name.
func (p *keyed) listElement(of *planKey, list []*planKey) (longer []*planKey, ok bool) {
	t := p.template.template
	if t.full() {
		return list, false
	}
	name := t.name(&of.templateKey)
	p.name = number.AppendInt(append(append(p.name[:0], name[:len(name)-1]...), '['), int64(len(list)))
	p.name = append(p.name, ']')
	k := p.newFeature(t, p.name, anyKind)
	return append(list, k), !k.clash
}

// full reports whether the plan has as many names as it may have.
func (t *template) full() bool { return t.features >= maxKeys || len(t.names) > maxText }

// elementAt adds element n of an array, a number. It reports false as featureAt does.
func (p *keyed) elementAt(of *planKey, list *[]*planKey, n int, v float64) (ok bool) {
	if n == len(*list) {
		if *list, ok = p.listElement(of, *list); !ok {
			return false
		}
	}
	k := (*list)[n]
	return !k.clash && p.addTemplateNumber(&k.templateKey, v)
}
