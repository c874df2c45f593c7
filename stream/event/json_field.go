package event

// field reads the value of a field with a role, or of a top-level field.
func (p *jsonParser) field(i int, f *field) int {
	if !p.begin(i, f) {
		return p.skip(i)
	}
	switch f.role {
	case plainRole:
		return p.common(i, f)
	case ignoreRole:
		return p.search(i, f)
	case textRole:
		return p.textField(i, f)
	case featuresRole:
		return p.features(i, f.prefix)
	}
	next := p.role(i, f)
	if p.template.learning && next >= 0 {
		p.learnValue(i, next, f)
	}
	return next
}

// role reads an id, a label or a weight.
func (p *jsonParser) role(i int, f *field) int {
	if c := p.value[i]; c != '{' && c != '[' {
		return p.simple(i, f)
	}
	if f.role == idRole {
		return p.stop(Syntax, i, notAnID)
	}
	next := p.skip(i)
	if next >= 0 {
		p.composite(i, f.role, p.value[i:next])
	}
	return next
}

// features reads the features field.
func (p *jsonParser) features(i, prefix int) int {
	if p.flat {
		p.template.discard()
	}
	p.beginFeatures()
	if p.value[i] == 'n' {
		p.null = true
		return p.constant(i)
	}
	if p.value[i] != '{' {
		p.failed.add(BadFeatures, i, "the field %q is not an object; send {\"name\":value, ...}",
			p.options.FeaturesField)
		return p.skip(i)
	}
	around, ok := p.enterFeatures(i, prefix)
	if !ok {
		return -1
	}
	i = p.object(i+1, prefix)
	p.leaveFeatures(around)
	return i
}

// common reads a value without a role: as features unless it is outside of the features object.
func (p *jsonParser) common(i int, f *field) int {
	if p.emit {
		return p.feature(i, f)
	}
	return p.search(i, f)
}

// search skips a value that is not a feature, except for fields with a role within an object.
func (p *jsonParser) search(i int, f *field) int {
	if p.value[i] == '{' && p.currentRoles().dotted {
		return p.nested(i, f)
	}
	next := p.skip(i)
	if p.template.learning && next >= 0 {
		p.learnValue(i, next, &field{role: ignoreRole})
	}
	return next
}

// textField reads the field that is split into words, within the features object or beside it. A value other than a
// string is read like that of any other field.
func (p *jsonParser) textField(i int, f *field) int {
	p.template.abandon() // a template would take a string in its place for a word
	if p.value[i] != '"' {
		f.role = plainRole
		return p.common(i, f)
	}
	text, next := p.str(i, &p.besideText)
	if next >= 0 {
		p.textBeside(f, text)
	}
	return next
}
