package event

import "rosenblatt/stream/avro"

// features reads the features field.
func (p *avroParser) features(t *avro.Type, at, i, prefix int) int {
	p.beginFeatures()
	switch t.Kind {
	case avro.Null:
		p.null = true
		return i
	case avro.Record, avro.Map:
	default:
		p.failed.add(BadFeatures, at, "the field %q is not an object", p.options.FeaturesField)
		return p.skip(t, i)
	}
	around, ok := p.enterFeatures(at, prefix)
	if !ok {
		return -1
	}
	i = p.object(t, i, prefix)
	p.leaveFeatures(around)
	return i
}

// textField reads the field that is split into words, within the features object or beside it.
func (p *avroParser) textField(t *avro.Type, at, i int, f *field) int {
	x := &p.current
	switch t.Kind {
	case avro.String, avro.Enum, avro.UUID:
		next := p.read(t, i, x)
		if x.brief && next >= 0 {
			x.text = p.keep(x.text)
		}
		if next >= 0 {
			p.textBeside(f, x.text)
		}
		return next
	}
	f.role = plainRole
	return p.common(t, at, i, f)
}
