package event

import (
	"rosenblatt/stream/avro"
)

// avroParser walks along the bytes of a value that a schema describes. What the value means is decided by its JSON
// form: the rules and their order are those of jsonParser.
type avroParser struct {
	keyed
	root     *avro.Type // of values
	top      *avro.Type // of events
	start    int        // of the event in the value
	ignored  bool       // what is read is within an ignored field
	nothings int        // elements of arrays so far that have no bytes
	current  scalar     // scratch

	plan    *avroPlan // nil if there is none
	planned bool
	schemas namedSchemas
	around  *debeziumAvro // opens what is around each event; nil: nothing is, or the decoder opens it
	reads   func() bool   // follow, which is made once
}

func newAvro(d *Decoder) parser {
	d.nameRoles()
	d.template.fixed = true // schemas need none
	p := &avroParser{keyed: keyed{Decoder: d}}
	p.reads = p.follow
	if d.options.Schema != "" {
		p.root, _ = compiled(d.options.Schema)
		p.top = p.root
	}
	if d.options.Envelope == Debezium {
		p.around = newDebeziumAvro()
	}
	return p
}

// open implements parser.
func (p *avroParser) open(value, headers []byte) (whole, content []byte, skip bool) {
	if p.options.Schema == "" {
		p.find(value, headers)
	}
	if p.along = noPlan; p.schemas.wrong.Reason != OK || p.root == nil {
		return value, value, false
	}
	content = value
	if p.around != nil {
		if content = p.openRow(value); content == nil {
			return value, value, false
		}
	}
	if !p.planned {
		p.planned, p.plan = true, p.newPlan(p.top)
	}
	if p.plan != nil {
		p.along, p.template.template = p.reads, p.plan.template
	}
	return value, content, false
}

// scalar implements parser. There is no template.
func (p *avroParser) scalar(int, *templateKey) int { return -1 }

// parse implements parser.
func (p *avroParser) parse([]byte) {
	if p.schemas.wrong.Reason != OK {
		p.failed = p.schemas.wrong
		return
	}
	if z := p.around; z != nil && (z.gone || z.wrong.Reason != OK) {
		if p.failed = z.wrong; z.gone {
			p.tombstone(deleted)
		}
		return
	}
	p.ignored, p.nothings = false, 0
	p.beginObject()
	i := p.start
	t, i := p.branch(p.top, i)
	if i < 0 {
		return
	}
	if t.Kind != avro.Record && t.Kind != avro.Map {
		p.stop(Syntax, p.start, "the value is of the branch %s: a record or a map is expected", t.Name)
		return
	}
	if i = p.object(t, i, 0); i < 0 {
		return
	}
	if i < len(p.value) {
		p.stop(Syntax, i, "%d bytes follow the end of the event; is it written with another schema?", len(p.value)-i)
		return
	}
	p.endObject()
}

// branch returns the type that a value at offset i has and where it begins, behind the number of a branch.
func (p *avroParser) branch(t *avro.Type, i int) (of *avro.Type, next int) {
	for t.Kind == avro.Union {
		n, next := p.integer(i, 32)
		if next < 0 {
			return t, -1
		}
		//mutation:avro-branch
		if n < 0 || n >= int64(len(t.Types)) {
			return t, p.stop(Syntax, i, "branch %d of a union of %d; is the event written with another schema?", n,
				len(t.Types))
		}
		t, i = t.Types[n], next
	}
	return t, i
}

// object reads a record or a map. p.name[p.base:prefix] precedes the names of its members. Like all methods that read a
// value, it returns the offset after it, or -1 if the event is not well formed.
func (p *avroParser) object(t *avro.Type, i, prefix int) int {
	if t.Kind == avro.Map {
		return p.entries(t, i, prefix)
	}
	roles := p.currentRoles()
	for n := range t.Fields {
		of := &t.Fields[n]
		name := p.path(prefix, of.Name)
		if i = p.member(of.Type, i, newField(name, prefix, roles.of(name))); i < 0 {
			return -1
		}
	}
	return i
}

// entries reads the entries of a map.
func (p *avroParser) entries(t *avro.Type, i, prefix int) int {
	roles := p.currentRoles()
	for b := p.blocks(t); b.more(p, &i); {
		key, next := p.text(i)
		if next < 0 {
			return -1
		}
		name := p.path(prefix, key)
		f := newField(name, prefix, roles.of(name))
		if i = p.member(t.Element, next, f); i < 0 {
			return -1
		}
	}
	return i
}

// member reads the value of a member, whatever its type.
func (p *avroParser) member(t *avro.Type, i int, f field) int {
	at := i
	if t, i = p.branch(t, i); i < 0 {
		return -1
	}
	switch absent, next := p.absent(t, i); {
	case next < 0:
		return -1
	case absent:
		return next
	case f.role != plainRole || p.depth == 1:
		return p.field(t, at, i, &f)
	}
	return p.common(t, at, i, &f)
}

// field reads the value of a field with a role, or of a top-level field. It is at offset at, behind the number of its
// branch at i.
func (p *avroParser) field(t *avro.Type, at, i int, f *field) int {
	if !p.begin(at, f) {
		return p.leaveOut(t, i, f)
	}
	switch f.role {
	case plainRole:
		return p.common(t, at, i, f)
	case ignoreRole:
		return p.search(t, at, i, f)
	case textRole:
		return p.textField(t, at, i, f)
	case featuresRole:
		return p.features(t, at, i, f.prefix)
	}
	return p.role(t, at, i, f)
}

// role reads an id, a label or a weight.
func (p *avroParser) role(t *avro.Type, at, i int, f *field) int {
	switch t.Kind {
	case avro.Record, avro.Map, avro.Array:
		if f.role == idRole {
			return p.stop(Syntax, at, notAnID)
		}
		next := p.skip(t, i)
		if next >= 0 {
			p.composite(at, f.role, view(t.Name))
		}
		return next
	}
	ignored := p.ignored
	p.ignored = false // a field with a role is none that is ignored
	i = p.simple(t, at, i, f)
	p.ignored = ignored
	return i
}

// simple reads a value that is neither an object nor an array.
func (p *avroParser) simple(t *avro.Type, at, i int, f *field) int {
	x := &p.current
	next := p.read(t, i, x)
	if next >= 0 {
		p.take(at, f, x)
	}
	return next
}

// common reads a value without a role: as features unless it is outside of the features object.
func (p *avroParser) common(t *avro.Type, at, i int, f *field) int {
	if !p.emit {
		return p.search(t, at, i, f)
	}
	switch t.Kind {
	case avro.Record, avro.Map:
		return p.nested(t, at, i, f)
	case avro.Array:
		return p.array(t, at, i, f)
	}
	return p.simple(t, at, i, f)
}

// nested reads an object, the value of f.
func (p *avroParser) nested(t *avro.Type, at, i int, f *field) int {
	in, ok := p.enter(at, f)
	if !ok {
		return -1
	}
	i = p.object(t, i, in.end)
	p.leave(in)
	return i
}

// search skips a value that is not a feature, except for fields with a role within an object.
func (p *avroParser) search(t *avro.Type, at, i int, f *field) int {
	if (t.Kind != avro.Record && t.Kind != avro.Map) || !p.currentRoles().dotted {
		return p.leaveOut(t, i, f)
	}
	ignored := p.ignored
	p.ignored = ignored || f.role == ignoreRole
	i = p.nested(t, at, i, f)
	p.ignored = ignored
	return i
}

// leaveOut skips the value of f.
func (p *avroParser) leaveOut(t *avro.Type, i int, f *field) int {
	ignored := p.ignored
	p.ignored = ignored || f.role == ignoreRole
	i = p.skip(t, i)
	p.ignored = ignored
	return i
}
