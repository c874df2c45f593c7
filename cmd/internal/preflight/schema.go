package preflight

import (
	"fmt"
	"slices"
	"strings"

	"rosenblatt/stream/avro"
)

// schema says what the schema of events makes of them, and warns where a field with a role is not in it.
func (k *clusterCheck) schema() {
	const what = "schema"
	o := k.settings.options()
	if o.Schema == "" {
		return
	}
	fields, err := o.Fields()
	if err != nil { // impossible: the settings were checked
		k.fail(what, err.Error(), "give --schema another file")
		return
	}
	role := func(f avro.FieldUse) bool {
		return slices.Contains(append([]string{o.LabelField, o.IDField, o.WeightField}, o.Ignore...), f.Path)
	}
	k.ok(what, "%s", avro.Summary(slices.DeleteFunc(slices.Clone(fields), role)))
	has := func(name string) bool {
		return slices.ContainsFunc(fields, func(f avro.FieldUse) bool {
			before, _, isMap := strings.Cut(f.Path, "*")
			return f.Path == name || isMap && strings.HasPrefix(name, before)
		})
	}
	//mutation:schema-lacks-label
	if o.LabelField != "" && k.settings.Labels == "" && !has(o.LabelField) {
		k.warn(what, fmt.Sprintf("it has no field %q", o.LabelField), "--label-field NAME names the label: without "+
			"one, events are predicted and never learned")
	}
	if o.IDField != "" && !has(o.IDField) {
		k.note(what, fmt.Sprintf("it has no field %q", o.IDField), "--id-field NAME names the id of events")
	}
}
