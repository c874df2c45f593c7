package preflight

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/schema"
)

const schemaLine = "schema"

// schema says what the schema of events makes of them, and warns where a field with a role is not in it. Where events
// name theirs it is the newest of the input's subject, as most producers name it.
//
// It returns false where the schema of all events is that of a subject that cannot be had: no event can be read then.
func (k *clusterCheck) schema(ctx context.Context) bool {
	o := k.settings.options()
	asked := k.settings.schemas
	if o.Unasked() && asked.failed == nil {
		if err := asked.take(&o); err != nil {
			k.fail(schemaLine, fmt.Sprintf("subject %s: %v", o.Subject, err), cmp.Or(registry.Advice(err),
				"give --schema another one, or a file"))
			return false
		}
	}
	k.knownSchema(ctx, o, asked)
	return true
}

func (k *clusterCheck) knownSchema(ctx context.Context, o event.Options, asked *asking) {
	if k.settings.Labels != "" && k.settings.ByKey() {
		o.IDField = "" // ids are the keys
	}
	switch {
	case o.Schema != "":
		fields, err := o.Fields()
		if err != nil { // impossible: the settings were checked
			k.fail(schemaLine, err.Error(), "give --schema another file")
			return
		}
		k.schemaUse("", o.UseOfFields(fields, false, k.settings.Labels != ""))
	case o.NamesSchemas() && asked != nil && asked.failed == nil:
		k.subject(ctx, &o, k.settings.Input, false)
	}
}

// labelSchema is knownSchema for label records that name their schemas.
func (k *clusterCheck) labelSchema(ctx context.Context) {
	o, _, err := k.settings.labelRecords()
	asked := k.settings.schemas
	if err != nil || !o.NamesSchemas() || asked == nil || asked.failed != nil {
		return
	}
	if k.settings.ByKey() {
		o.IDField = ""
	}
	k.subject(ctx, &o, k.settings.Labels, true)
}

// subject looks at the newest schema of the subject of a topic, of events or of label records.
func (k *clusterCheck) subject(ctx context.Context, o *event.Options, topic string, ofLabels bool) {
	subject := topic + "-value"
	var newest *registry.Registered
	err := k.step(ctx, func(ctx context.Context) (err error) {
		newest, err = k.settings.schemas.client.Subject(ctx, subject, registry.Latest)
		return err
	})
	switch {
	case err != nil:
		k.note(schemaLine, fmt.Sprintf("subject %s: %v", subject, err), registry.Advice(err))
		return
	case newest == nil:
		k.note(schemaLine, fmt.Sprintf("the registry has no subject %s", subject),
			"nothing needs it: producers may name their subjects otherwise, and each event says its schema")
		return
	}
	name := newest.Schema.Name()
	if name != "" {
		name = ", " + name
	}
	about := fmt.Sprintf("%s version %d (id %v, %s%s): ", subject, newest.Version, newest.ID,
		strings.ToLower(newest.Schema.Type), name)
	u := o.UseOf(newest.Schema, ofLabels, !ofLabels && k.settings.Labels != "")
	if ofLabels && len(u.Lacks) == 0 && u.Fault == "" {
		u.Summary = "it has what a label record needs"
	} else if ofLabels {
		u.Summary = "it is that of label records"
	}
	k.schemaUse(about, u)
}

// schemaUse says what becomes of events of a schema.
func (k *clusterCheck) schemaUse(about string, u event.SchemaUse) {
	if u.Fault != "" {
		k.warn(schemaLine, about+"it cannot be used: "+u.Fault, "its events are rejected: register another version")
		return
	}
	k.ok(schemaLine, "%s%s", about, u.Summary)
	for _, l := range u.Lacks {
		say := k.note
		if l.Label {
			say = k.warn
		}
		say(schemaLine, fmt.Sprintf("it has no field %q", l.Field), l.Do)
	}
}

// compareSchemas compares the schemas in the folders of the checkpoints with the registry's. The error is the stop with
// which a daemon would end, or says why they cannot be compared.
func (k *clusterCheck) compareSchemas() error {
	a := k.settings.schemas
	if a == nil || a.failed != nil {
		return nil // nobody is asked, or a line above has said so
	}
	for _, folder := range k.folders() {
		known, err := schema.Beside(folder)
		if err != nil {
			return err
		}
		err = stream.CompareSchemas(known.Latest(), func(id schema.ID) (*schema.Schema, error) {
			return a.Lookup(id, schema.Place{}), a.failed
		})
		if err != nil {
			return err
		}
	}
	return nil
}
