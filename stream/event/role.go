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
	wordRole   // a feature of wordKind, of fieldRoles alone: fields have the kind
	numberRole // a feature of numberKind, likewise
	timeRole   // a feature of timeKind, likewise
	otherRole  // in a template: features that it cannot hold
)

// fieldRoles maps names to roles. Few names have a role, and most lookups fail, so lengths are compared first.
type fieldRoles struct {
	names   []string
	roles   []role
	lengths uint64 // bit n is set if one of the names has n bytes, modulo 64
	dotted  bool   // one of the names has a dot: it may be in a nested object

	prefixes    []string // of names that have none of these roles
	prefixRoles []role
}

func (f *fieldRoles) add(name string, r role) {
	if name == "" {
		return
	}
	f.names = append(f.names, name)
	f.roles = append(f.roles, r)
	f.lengths |= 1 << (len(name) & 63)
	f.dotted = f.dotted || strings.Contains(name, ".")
}

// of returns the role of a name.
func (f *fieldRoles) of(name []byte) role {
	if f.lengths>>(len(name)&63)&1 == 0 {
		return plainRole
	}
	for i, n := range f.names {
		if n == string(name) {
			return f.roles[i]
		}
	}
	return f.byPrefix(name)
}

// named adds the names of fields that the options give.
func (f *fieldRoles) named(o *Options) {
	f.add(o.LabelField, labelRole)
	f.add(o.IDField, idRole)
	f.add(o.WeightField, weightRole)
	f.add(o.TextField, textRole)
	f.add(o.FeaturesField, featuresRole)
	f.ignored(o)
}

// ignored adds the names of ignored fields and features.
func (f *fieldRoles) ignored(o *Options) {
	for _, name := range o.Ignore {
		f.ignore(o, name)
	}
}

// ignore adds a name, or all names that begin with it: those of an object are ignored with the object, too.
func (f *fieldRoles) ignore(o *Options, name string) {
	f.add(name, ignoreRole)
	//mutation:ignored-group
	if o.isGroup(name) {
		f.add(strings.TrimSuffix(name, "."), ignoreRole)
		f.prefix(name, ignoreRole)
	}
}

// within adds the roles in the features object: those of names that begin with the name of the features field and a
// dot, and of the text field, ignored names and those of a kind as they are.
func (f *fieldRoles) within(o *Options, outer *fieldRoles) {
	add := func(name string, r role) {
		if rest, ok := strings.CutPrefix(name, o.FeaturesField+"."); ok && o.FeaturesField != "" {
			f.add(rest, r)
		}
	}
	for i, name := range outer.names {
		if r := outer.roles[i]; r < wordRole && r != ignoreRole {
			add(name, r)
		}
	}
	f.add(o.TextField, textRole)
	for _, name := range o.Ignore {
		add(name, ignoreRole)
		f.ignore(o, name)
	}
	f.kinds(o)
}
