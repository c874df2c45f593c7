package event

import (
	"slices"

	"rosenblatt/learner"
	"rosenblatt/stream/avro"
)

// avroPlan is what a decoder does along the bytes of the values of a schema: steps in the order of the bytes. Names and
// hashes of features are known before any event, those of the keys of maps from the events before. It is to a schema
// what a template is to a text: an event that has to be rejected, or in which two features may have one name, is read
// by avroParser. The result is the same.
type avroPlan struct {
	*template // of the names of the features
	steps     []avroStep

	event  uint32 // the number of the current event
	misses int    // events since the last one that could be read
	had    uint8  // bit r is set if the event had a field with role r
}

// avroStep is one value, or what to do with the number of a branch.
type avroStep struct {
	op    avroOp
	of    *avro.Type
	field *planKey          // of takeStep; of a map and an array what precedes the names
	run   []learner.Feature // of the first three steps
	to    []int             // of unionStep, for each branch; of jumpStep, one: the next step
	depth int               // of the objects around the value

	last int64      // of the event before: of unionStep the branch, of arrayStep how many elements
	null byte       // of optionalStep, the number of the branch null, as it is written
	had  uint64     // of optionalStep, bit n is set if the event before had value n
	keys *mapKeys   // of mapStep
	list []*planKey // of the elements of arrayStep
}

type avroOp uint8

const (
	doublesStep  avroOp = iota // a run of numbers that are just features
	longsStep                  // likewise, of integers
	optionalStep               // likewise, of doubles that may be null
	takeStep                   // a value that is neither an object nor an array
	skipStep
	unionStep
	jumpStep
	mapStep
	arrayStep
	giveUpStep // the event is read by avroParser
)

// maxSteps bounds a plan: a small schema may use a type over and over.
const maxSteps = 4096

// planner makes the plan of a schema.
type planner struct {
	*avroParser
	plan     *avroPlan
	hasField bool // there is a features field: nothing outside of it is a feature
	planned  bool // it is planned
	joined   int  // the last step before which another one may jump behind
}

// newPlan returns the plan of a schema, nil if there is none.
func (p *avroParser) newPlan(top *avro.Type) *avroPlan {
	if top.Kind != avro.Record && top.Kind != avro.Map {
		return nil
	}
	m := &planner{avroParser: p, plan: &avroPlan{template: new(template)}, joined: -1}
	m.plan.reset()
	if p.sums == nil {
		p.sums = make([]wordSum, 1<<wordBits)
	}
	m.plan.words = p.sums
	p.beginObject()
	p.name, p.base, p.prefixes = p.name[:0], 0, p.prefixes[:0]
	m.hasField = m.finds(top, 0)
	p.emit = p.emit && !m.hasField
	if !m.object(top, 0, nil) {
		return nil
	}
	return m.plan
}

// finds reports whether the features field is in a record.
func (m *planner) finds(t *avro.Type, prefix int) bool {
	if t.Kind != avro.Record || m.depth > m.options.MaxDepth {
		return false
	}
	return slices.ContainsFunc(t.Fields, func(f avro.Field) bool {
		name := m.path(prefix, f.Name)
		if m.roles.of(name) == featuresRole {
			return true
		}
		m.name = append(append(m.name[:prefix], f.Name...), '.')
		m.depth++
		defer func() { m.depth-- }()
		return m.roles.dotted && m.finds(f.Type, len(m.name))
	})
}

// add adds a step. It reports false if the plan has too many.
func (m *planner) add(s avroStep) bool {
	s.last, s.depth = -1, m.depth
	m.plan.steps = append(m.plan.steps, s)
	return len(m.plan.steps) <= maxSteps
}

// object plans the fields of a record, or a map; around are the records that it is within.
func (m *planner) object(t *avro.Type, prefix int, around []*avro.Type) bool {
	if m.depth > m.options.MaxDepth || slices.Contains(around, t) {
		return m.add(avroStep{op: giveUpStep})
	}
	if t.Kind == avro.Map {
		return m.entries(t, prefix)
	}
	around = append(around, t)
	roles := m.currentRoles()
	for _, of := range t.Fields {
		name := m.path(prefix, of.Name)
		f := newField(name, prefix, roles.of(name))
		again := f.role == featuresRole && m.planned
		m.planned = m.planned || f.role == featuresRole
		if again && !m.add(avroStep{op: giveUpStep}) || !m.member(of.Type, f, around) {
			return false
		}
	}
	return true
}

// member plans a field.
func (m *planner) member(t *avro.Type, f field, around []*avro.Type) bool {
	if t.Kind == avro.Union {
		if planned, ok := m.optional(t, f); planned {
			return ok
		}
		return m.union(t, f, around)
	}
	if t.Absent {
		return m.add(avroStep{op: skipStep, of: t, field: newRole(ignoreRole)})
	}
	switch f.role {
	case ignoreRole:
		return m.leftOut(t, f, around)
	case textRole:
		return m.add(avroStep{op: giveUpStep})
	case featuresRole:
		return m.features(t, f, around)
	case plainRole:
		return m.common(t, f, around)
	}
	if isComposite(t) {
		return m.add(avroStep{op: giveUpStep})
	}
	return m.add(avroStep{op: takeStep, of: t, field: newRole(f.role)})
}

// isComposite reports whether values of a type are objects or arrays in JSON.
func isComposite(t *avro.Type) bool {
	return t.Kind == avro.Record || t.Kind == avro.Map || t.Kind == avro.Array
}

// union plans each branch, behind its number.
func (m *planner) union(t *avro.Type, f field, around []*avro.Type) bool {
	at := len(m.plan.steps)
	name := slices.Clone(m.name)
	ok := m.add(avroStep{op: unionStep, of: t})
	var jumps, to []int
	for _, branch := range t.Types {
		m.name = append(m.name[:0], name...)
		if f.prefix != m.base { // it is there
			f.name = m.name[m.base:]
		}
		if to = append(to, len(m.plan.steps)); !ok || !m.member(branch, f, around) {
			return false
		}
		jumps = append(jumps, len(m.plan.steps))
		ok = m.add(avroStep{op: jumpStep})
	}
	for _, jump := range jumps {
		m.plan.steps[jump].to = []int{len(m.plan.steps)}
	}
	m.plan.steps[at].to = to
	m.joined = len(m.plan.steps) - 1
	return ok
}

// common plans a value without a role.
func (m *planner) common(t *avro.Type, f field, around []*avro.Type) bool {
	switch {
	case t.Kind == avro.Record || t.Kind == avro.Map:
		if !m.emit && !m.currentRoles().dotted {
			return m.leftOut(t, f, around)
		}
		return m.nested(t, f, around)
	case !m.emit:
		return m.leftOut(t, f, around)
	case t.Kind == avro.Null:
		return true
	case t.Kind == avro.Array:
		return m.array(t, f)
	case !isScalar(t) && t.Kind != avro.Boolean:
		return m.add(avroStep{op: giveUpStep})
	}
	k := m.feature(f.name, f.kind)
	if k.clash {
		return m.add(avroStep{op: giveUpStep})
	}
	isLong := (t.Kind == avro.Int || t.Kind == avro.Long) && t.Divisor == 1
	switch {
	case !k.isPlain():
	case t.Kind == avro.Double:
		return m.addRun(avroStep{op: doublesStep, of: t}, k)
	case isLong:
		return m.addRun(avroStep{op: longsStep, of: t}, k)
	}
	return m.add(avroStep{op: takeStep, of: t, field: k})
}

// leftOut plans a value that is no feature, and what in it has a role.
func (m *planner) leftOut(t *avro.Type, f field, around []*avro.Type) bool {
	isObject := t.Kind == avro.Record || t.Kind == avro.Map
	if isObject && m.currentRoles().dotted {
		if f.role == ignoreRole {
			return m.add(avroStep{op: giveUpStep})
		}
		return m.nested(t, f, around)
	}
	return m.add(avroStep{op: skipStep, of: t, field: newRole(f.role)})
}

// nested plans an object within the event.
func (m *planner) nested(t *avro.Type, f field, around []*avro.Type) bool {
	end := m.hold(&f)
	m.name = append(m.name[:end], '.')
	m.depth++
	ok := m.object(t, end+1, around)
	m.depth--
	return ok
}

// features plans the features object.
func (m *planner) features(t *avro.Type, f field, around []*avro.Type) bool {
	if t.Kind != avro.Record && t.Kind != avro.Map || m.inside || !m.hasField {
		return m.add(avroStep{op: giveUpStep})
	}
	base := m.base
	m.base, m.inside, m.emit = f.prefix, true, true
	m.depth++
	ok := m.object(t, f.prefix, around)
	m.depth--
	m.base, m.inside, m.emit = base, false, false
	return ok
}

// array plans an array of features.
func (m *planner) array(t *avro.Type, f field) bool {
	if !isScalar(t.Element) || f.kind == timeKind || m.depth >= m.options.MaxDepth {
		return m.add(avroStep{op: giveUpStep})
	}
	k := m.newKey(m.plan.template, f.name, f.kind)
	m.setName(&k.templateKey, f.name)
	return m.add(avroStep{op: arrayStep, of: t, field: k})
}

// entries plans a map.
func (m *planner) entries(t *avro.Type, prefix int) bool {
	keys := &mapKeys{prefix: slices.Clone(m.name[m.base:prefix]), emit: m.emit, roles: m.currentRoles()}
	return m.add(avroStep{op: mapStep, of: t, keys: keys})
}
