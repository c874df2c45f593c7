package event

import (
	"rosenblatt/learner"
	"rosenblatt/stream/avro"
)

// feature returns the key of a feature.
func (m *planner) feature(name []byte, as kind) *planKey {
	return m.newFeature(m.plan.template, name, as)
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
	probe := m.newKey(m.plan.template, f.name, f.kind)
	m.setName(&probe.templateKey, f.name)
	if _, probe.clash = m.plan.seen.find(probe.hash); !probe.isPlain() {
		return false, false
	}
	return true, m.addRun(s, m.feature(f.name, f.kind))
}
