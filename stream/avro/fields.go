package avro

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// Use is what can become of a field.
type Use uint8

// The uses. A field that may be of several kinds has the first of its uses.
const (
	Feature     Use = iota // a number, a string, a boolean, or an array of numbers or of strings
	Never                  // it has no JSON form, or is always null
	Rejects                // an array of which no rule makes features
	RejectsNull            // an array that rejects its event where null is in it, and else is a Feature
)

// FieldUse is what can become of the field at a dotted path.
type FieldUse struct {
	Path string
	Use  Use
	Type *Type // nil if the schema is not of Avro
}

// Summary says in a line what becomes of fields: how many can make features, which never do, and which reject events.
func Summary(fields []FieldUse) string {
	var names [RejectsNull + 1][]string
	for _, f := range fields {
		names[f.Use] = append(names[f.Use], f.Path)
	}
	text := english.Plural(len(names[Feature])+len(names[RejectsNull]), "field", "") + " can make features"
	return text + listed("; never: ", names[Never]) + listed("; arrays that reject events: ", names[Rejects]) +
		listed("; arrays that reject events where null is in them: ", names[RejectsNull])
}

// mostNamed is how many fields of a use are named.
const mostNamed = 10

func listed(what string, names []string) string {
	switch n := len(names); {
	case n == 0:
		return ""
	case n > mostNamed:
		return what + strings.Join(names[:mostNamed], ", ") + fmt.Sprintf(" and %d more", n-mostNamed)
	}
	return what + strings.Join(names, ", ")
}

// mostFields bounds what Fields returns: a small schema may use a type over and over.
const mostFields = 10_000

// Fields lists the fields of a schema by path, in its order, with those within records and without objects
// themselves. The values of a map have a * in the place of the key. A record within itself is left out.
func Fields(top *Type) []FieldUse {
	l := lister{}
	l.members(top, "", nil)
	return l.all
}

type lister struct{ all []FieldUse }

// members lists what is in an object; around are the records that it is within.
func (l *lister) members(t *Type, prefix string, around []*Type) {
	switch t.Kind {
	case Union:
		for _, branch := range t.Types {
			l.members(branch, prefix, around)
		}
	case Map:
		l.field(t.Element, prefix+"*", around)
	case Record:
		if slices.Contains(around, t) {
			return
		}
		around = append(around[:len(around):len(around)], t)
		for i := range t.Fields {
			l.field(t.Fields[i].Type, prefix+string(t.Fields[i].Name), around)
		}
	}
}

// field lists a field, or what is in the objects that it may be.
func (l *lister) field(t *Type, path string, around []*Type) {
	if len(l.all) >= mostFields {
		return
	}
	if use, ok := t.use(); ok {
		l.all = append(l.all, FieldUse{path, use, t})
	}
	l.members(t, path+".", around)
}

// use is what becomes of values of a type that are no objects. It reports false if all are.
func (t *Type) use() (use Use, ok bool) {
	switch {
	case t.Absent, t.Kind == Null:
		return Never, true
	case t.Kind == Record, t.Kind == Map:
		return 0, false
	case t.Kind == Array:
		return t.Element.element(), true
	case t.Kind != Union:
		return Feature, true
	}
	best := Use(0)
	for _, branch := range t.Types {
		if u, has := branch.use(); has && branch.Kind != Null && (!ok || u < best) {
			best, ok = u, true
		}
	}
	return best, ok
}

// element is what becomes of an array with elements of a type: null and objects are no elements of features.
func (t *Type) element() Use {
	switch t.Kind {
	case Boolean, Null, Record, Map, Array:
		return Rejects
	case Union:
		best, null := Rejects, false
		for _, branch := range t.Types {
			null = null || branch.Kind == Null
			if !branch.Absent && branch.element() == Feature {
				best = Feature
			}
		}
		//mutation:null-in-an-array
		if null && best == Feature {
			return RejectsNull
		}
		return best
	}
	return Feature
}
