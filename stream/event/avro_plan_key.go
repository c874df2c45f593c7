package event

import (
	"rosenblatt/learner"
	"rosenblatt/stream/avro"
)

// planKey is a field of a plan: a feature or a value with a role.
type planKey struct {
	templateKey
	clash bool // another feature has the name
}

// newRole returns the key of a value that is no feature.
func newRole(r role) *planKey { return &planKey{templateKey: templateKey{place: place{role: r}}} }

// feature returns the key of a feature.
func (m *planner) feature(name []byte, as kind) *planKey { return m.newFeature(m.plan, name, as) }

// newFeature adds a feature to a plan.
func (p *avroParser) newFeature(t *avroPlan, name []byte, as kind) *planKey {
	k := p.newKey(t, name, as)
	p.setName(&k.templateKey, name)
	k.clash = t.seen.add(k.hash, 0)
	return k
}

// newKey adds a name to a plan, of a feature or of what is part of names.
func (p *avroParser) newKey(t *avroPlan, name []byte, as kind) *planKey {
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

// longestRun is how many values optionalStep has bits for.
const longestRun = 64

// addRun adds a number to the run of numbers before it, or begins one.
func (m *planner) addRun(s avroStep, k *planKey) bool {
	if n := len(m.plan.steps) - 1; n > m.joined {
		before := &m.plan.steps[n]
		if before.op == s.op && before.of.Kind == s.of.Kind && before.null == s.null && len(before.run) < longestRun {
			before.run = append(before.run, k.templateKey.feature)
			return true
		}
	}
	s.run = []learner.Feature{k.templateKey.feature}
	return m.add(s)
}

// optional plans a number that may be null.
func (m *planner) optional(t *avro.Type, f field) (planned, ok bool) {
	if !m.emit || f.role != plainRole || len(t.Types) != 2 {
		return false, false
	}
	s := avroStep{op: optionalStep, of: t}
	number := t.Types[1]
	if number.Kind == avro.Null {
		s.null, number = 2, t.Types[0]
	}
	if number.Kind != avro.Double || t.Types[0].Kind != avro.Null && t.Types[1].Kind != avro.Null {
		return false, false
	}
	probe := m.newKey(m.plan, f.name, f.kind)
	m.setName(&probe.templateKey, f.name)
	if _, probe.clash = m.plan.seen.find(probe.hash); !probe.isPlain() {
		return false, false
	}
	return true, m.addRun(s, m.feature(f.name, f.kind))
}
