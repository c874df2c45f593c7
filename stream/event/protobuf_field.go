package event

// member reads the value of a member, whatever its type.
func (p *protobufParser) member(v protoValue, f field) bool {
	if f.role != plainRole || p.depth == 1 {
		return p.field(v, &f)
	}
	return p.common(v, &f)
}

// field reads the value of a field with a role, or of a top-level field.
func (p *protobufParser) field(v protoValue, f *field) bool {
	if !p.begin(p.offset(v), f) {
		return true
	}
	switch f.role {
	case plainRole:
		return p.common(v, f)
	case ignoreRole:
		return p.search(v, f)
	case textRole:
		return p.textField(v, f)
	case featuresRole:
		return p.features(v, f.prefix)
	}
	if v.shape <= nullShape {
		return p.simple(v, f)
	}
	if f.role == idRole {
		if p.checkAll(true) { // which says where it is
			p.stop(Syntax, p.offset(v), notAnID)
		}
		return false
	}
	p.composite(p.offset(v), f.role, view(p.typeName(v)))
	return true
}

// typeName is the name of the type of an object or an array.
func (p *protobufParser) typeName(v protoValue) string {
	switch v.shape {
	case arrayShape:
		return "array"
	case mapShape:
		return "map"
	}
	return v.field.Message.Name
}

// simple reads a value that is neither an object nor an array.
func (p *protobufParser) simple(v protoValue, f *field) bool {
	p.read(v, &p.current)
	p.take(p.offset(v), f, &p.current)
	return true
}

// features reads the features field.
func (p *protobufParser) features(v protoValue, prefix int) bool {
	p.beginFeatures()
	switch v.shape {
	case nullShape:
		p.null = true
		return true
	case objectShape, mapShape:
	default:
		p.failed.add(BadFeatures, p.offset(v), "the field %q is not an object", p.options.FeaturesField)
		return true
	}
	around, ok := p.enterFeatures(p.offset(v), prefix)
	if !ok {
		return false
	}
	ok = p.members(v.message(), v, prefix)
	p.leaveFeatures(around)
	return ok
}

// common reads a value without a role: as features unless it is outside of the features object.
func (p *protobufParser) common(v protoValue, f *field) bool {
	if !p.emit {
		return p.search(v, f)
	}
	switch v.shape {
	case objectShape, mapShape:
		return p.object(v, f)
	case arrayShape:
		return p.array(v, f)
	}
	return p.simple(v, f)
}

// object reads an object within the event, the value of f.
func (p *protobufParser) object(v protoValue, f *field) bool {
	in, ok := p.enter(p.offset(v), f)
	if !ok {
		return false
	}
	ok = p.members(v.message(), v, in.end)
	p.leave(in)
	return ok
}

// search passes over a value that is not a feature, except for fields with a role within an object.
func (p *protobufParser) search(v protoValue, f *field) bool {
	if v.shape != objectShape && v.shape != mapShape || !p.currentRoles().dotted {
		return true
	}
	return p.object(v, f)
}

// textField reads the field that is split into words, within the features object or beside it.
func (p *protobufParser) textField(v protoValue, f *field) bool {
	if x := &p.current; v.shape == scalarShape {
		p.read(v, x)
		if x.kind == textScalar {
			if x.brief {
				x.text = p.keep(x.text)
			}
			p.textBeside(f, x.text)
			return true
		}
	}
	f.role = plainRole
	return p.common(v, f)
}

// array reads an array of numbers or one of strings, the value of f.
func (p *protobufParser) array(v protoValue, f *field) bool {
	if p.options.SkipUnknown && !p.elementsFit(v) {
		return true
	}
	in, ok := p.enterArray(p.offset(v), f)
	if !ok {
		return false
	}
	words, n := false, 0
	for e := p.elementsOf(v); ; n++ {
		v, more := e.next(p)
		if !more {
			break
		}
		fits, word := p.readElement(v)
		if n == 0 {
			words = word
		}
		if !fits || word != words {
			p.unknown(p.offset(v), p.name[p.base:in.end])
			break
		}
		p.takeElement(p.offset(v), in, n, &p.current)
	}
	p.leave(in)
	return true
}

// readElement reads an element, and reports whether it can be one of features, and whether it is a string.
func (p *protobufParser) readElement(v protoValue) (fits, word bool) {
	if v.shape != scalarShape {
		return false, false
	}
	p.read(v, &p.current)
	word = p.current.kind == textScalar
	return word || p.current.kind == numberScalar, word
}

// elementsFit reports whether all elements of an array are numbers, or all are strings.
func (p *protobufParser) elementsFit(v protoValue) bool {
	words, n := false, 0
	for e := p.elementsOf(v); ; n++ {
		v, more := e.next(p)
		if !more {
			return true
		}
		fits, word := p.readElement(v)
		if n == 0 {
			words = word
		}
		if !fits || word != words {
			return false
		}
	}
}
