package event

import "strings"

// role is what a field is for.
type role uint8

const (
	plainRole role = iota // a feature
	labelRole
	idRole
	weightRole
	featuresRole
	textRole
	ignoreRole
)

// scope knows the names with a role. They are few and mostly missed, so their lengths are looked at first.
type scope struct {
	names   []string
	roles   []role
	lengths uint64 // bit n: one of the names has n bytes, modulo 64
	dotted  bool   // one of the names has a dot: it may lie in a nested object
}

func (s *scope) add(name string, r role) {
	if name == "" {
		return
	}
	s.names = append(s.names, name)
	s.roles = append(s.roles, r)
	s.lengths |= 1 << (len(name) & 63)
	s.dotted = s.dotted || strings.Contains(name, ".")
}

// role finds what a name is for.
func (s *scope) role(name []byte) role {
	if s.lengths>>(len(name)&63)&1 == 0 {
		return plainRole
	}
	for i, n := range s.names {
		if n == string(name) {
			return s.roles[i]
		}
	}
	return plainRole
}

// setScopes fills outer and inner.
func (d *Decoder) setScopes() {
	o := &d.options
	if o.Format == LIBSVM || o.Format == VW {
		for _, name := range o.Ignore {
			d.outer.add(name, ignoreRole)
		}
		return
	}
	both := func(name string, r role) {
		d.outer.add(name, r)
		if rest, ok := strings.CutPrefix(name, o.FeaturesField+"."); ok && o.FeaturesField != "" {
			d.inner.add(rest, r)
		}
	}
	both(o.LabelField, labelRole)
	both(o.IDField, idRole)
	both(o.WeightField, weightRole)
	both(o.TextField, textRole)
	d.outer.add(o.FeaturesField, featuresRole)
	d.inner.add(o.TextField, textRole)
	for _, name := range o.Ignore {
		both(name, ignoreRole)
		d.inner.add(name, ignoreRole)
	}
}
