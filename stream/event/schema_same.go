package event

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"rosenblatt/stream/avro"
	"rosenblatt/stream/protobuf"
	"rosenblatt/stream/schema"
)

// sameMeaning tells, by type, whether two schemas of other texts compile to the same. Types that are not here compile
// to nothing: their texts are compared.
var sameMeaning = map[string]func(a, b *schema.Schema) bool{schema.Avro: sameAvro,
	schema.Protobuf: sameProtobuf}

// SameSchema reports whether values of two schemas are read alike: what they compile to is the same. Blanks, the order
// of members, documentation and what else does not count may differ. What cannot be compiled is compared as text.
func SameSchema(a, b *schema.Schema) bool {
	if a.Type == b.Type && a.Text == b.Text && reflect.DeepEqual(texts(a), texts(b)) {
		return true
	}
	//mutation:same-schema
	if same := sameMeaning[a.Type]; same != nil && a.Type == b.Type && a.Fault == "" && b.Fault == "" {
		return same(a, b)
	}
	return false
}

// texts are those of the references, by their names.
func texts(s *schema.Schema) map[string]string {
	all := map[string]string{}
	for _, r := range s.References {
		all[r.Name] = r.Text
	}
	return all
}

func sameAvro(a, b *schema.Schema) bool {
	one, err := compileNamed(a)
	other, err2 := compileNamed(b)
	return err == nil && err2 == nil && reflect.DeepEqual(one, other)
}

func sameProtobuf(a, b *schema.Schema) bool {
	one, err := protobuf.Normalize(a.Text, importsOf(a)...)
	other, err2 := protobuf.Normalize(b.Text, importsOf(b)...)
	return err == nil && err2 == nil && one == other
}

// SchemaDifference says for people which fields a schema has that another has not, and the other way round, else of
// which fields the types are others; empty where that is not known.
func SchemaDifference(was, is *schema.Schema) string {
	before, err := compileNamed(was)
	now, err2 := compileNamed(is)
	if err != nil || err2 != nil {
		return ""
	}
	old, new := paths(before), paths(now)
	without := func(all, others []string) string {
		all = slices.DeleteFunc(slices.Clone(all), func(p string) bool { return slices.Contains(others, p) })
		if n := len(all); n > mostPaths {
			all = append(all[:mostPaths], fmt.Sprintf("%d more", n-mostPaths))
		}
		return strings.Join(all, ", ")
	}
	var text []string
	if gone := without(old, new); gone != "" {
		text = append(text, "without the fields "+gone)
	}
	if more := without(new, old); more != "" {
		text = append(text, "with the fields "+more)
	}
	if len(text) == 0 {
		return otherTypes(before, now)
	}
	return strings.Join(text, " and ")
}

// otherTypes names the fields of two types that have other types of their own; empty if that is of none.
func otherTypes(before, now *avro.Type) string {
	was := map[string]*avro.Type{}
	for _, f := range avro.Fields(before) {
		was[f.Path] = f.Type
	}
	var all []string
	//mutation:type-that-differs
	for _, f := range avro.Fields(now) {
		if of := was[f.Path]; of != nil && !reflect.DeepEqual(of, f.Type) {
			text := fmt.Sprintf("%s (was %s, is %s)", f.Path, of.Text(), f.Type.Text())
			if of.Text() == f.Type.Text() {
				text = fmt.Sprintf("%s (%s)", f.Path, of.Text())
			}
			all = append(all, text)
		}
	}
	if n := len(all); n > mostPaths {
		all = append(all[:mostPaths], fmt.Sprintf("%d more", n-mostPaths))
	}
	if len(all) == 0 {
		return ""
	}
	return "with other types of " + strings.Join(all, ", ")
}

const mostPaths = 5

func paths(top *avro.Type) (all []string) {
	for _, f := range avro.Fields(top) {
		all = append(all, f.Path)
	}
	return all
}
