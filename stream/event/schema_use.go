package event

import (
	"fmt"
	"slices"
	"strings"

	"rosenblatt/stream/avro"
	"rosenblatt/stream/protobuf"
	"rosenblatt/stream/schema"
)

// SchemaUse is what becomes of the events, or label records, of a schema.
type SchemaUse struct {
	Summary string // of the fields that are features
	Lacks   []Lack
	Fault   string // why the schema cannot be used; then there is nothing else
}

// Lack is a field with a role that a schema has not.
type Lack struct {
	Field, Do string
	Label     bool // it is that of the label, else that of the id
}

// UseOf says what becomes of events of a schema; of label records, with labels; where labels come later, events need
// none.
func (o *Options) UseOf(s *schema.Schema, labels, later bool) (u SchemaUse) {
	if s.Type == schema.Protobuf && o.Format == Protobuf {
		file, err := compiledFile(s)
		if err != nil {
			return SchemaUse{Fault: err.Error()}
		}
		return o.useOfFile(file, labels, later)
	}
	top, err := compileNamed(s)
	if err != nil {
		return SchemaUse{Fault: err.Error()}
	}
	if o.Envelope == Debezium {
		if top = rowOf(top); top == nil {
			return u // it is flattened, or another one: each event says what is wrong
		}
	}
	return o.UseOfFields(avro.Fields(top), labels, later)
}

// useOfFile is UseOf for the message of a file that lacks least, the first of those: most often it is the only one.
func (o *Options) useOfFile(file *protobuf.File, labels, later bool) (best SchemaUse) {
	for i, found := int64(0), false; ; i++ {
		top := file.At([]int64{i})
		if top == nil {
			return best
		}
		if o.Envelope == Debezium {
			if top = top.Row(); top == nil {
				continue
			}
		}
		//mutation:message-that-suits
		if u := o.UseOfFields(protobuf.Fields(top), labels, later); !found || len(u.Lacks) < len(best.Lacks) {
			best, found = u, true
		}
	}
}

// UseOfFields is UseOf for the fields of a schema.
func (o *Options) UseOfFields(fields []avro.FieldUse, labels, later bool) (u SchemaUse) {
	has := func(name string) bool {
		return slices.ContainsFunc(fields, func(f avro.FieldUse) bool {
			before, _, isMap := strings.Cut(f.Path, "*")
			return f.Path == name || isMap && strings.HasPrefix(name, before)
		})
	}
	//mutation:schema-lacks-label
	if o.LabelField != "" && !later && !has(o.LabelField) {
		do := "--label-field NAME names the label: without one, events are predicted and never learned"
		if labels {
			do = "--labels-label-field NAME names the label"
		}
		u.Lacks = append(u.Lacks, Lack{o.LabelField, do, true})
	}
	if o.IDField != "" && !has(o.IDField) {
		do := "--id-field NAME names the id of events"
		if labels {
			do = "--labels-id-field NAME names the id"
		}
		u.Lacks = append(u.Lacks, Lack{o.IDField, do, false})
	}
	if labels {
		return u
	}
	roles := append([]string{o.LabelField, o.IDField, o.WeightField}, o.Ignore...)
	role := func(f avro.FieldUse) bool { return slices.Contains(roles, f.Path) }
	u.Summary = avro.Summary(slices.DeleteFunc(slices.Clone(fields), role))
	return u
}

// rowOf returns the type of the event in Debezium's envelope; nil if the type is no such.
func rowOf(top *avro.Type) *avro.Type {
	for i := range top.Fields {
		if f := &top.Fields[i]; string(f.Name) == "after" && f.Type.IsObject() {
			return f.Type
		}
	}
	return nil
}

// Text names the fields of lacks.
func (u *SchemaUse) Text() string {
	var all []string
	for _, l := range u.Lacks {
		all = append(all, fmt.Sprintf("%q (%s)", l.Field, l.Do))
	}
	return strings.Join(all, ", ")
}
