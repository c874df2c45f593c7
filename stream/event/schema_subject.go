package event

import (
	"rosenblatt/stream/avro"
	"rosenblatt/stream/protobuf"
	"rosenblatt/stream/schema"
)

// Unasked reports whether all events have a schema of a subject that has not been asked for yet.
func (o *Options) Unasked() bool { return o.HasSchema() && o.Schema == "" && o.Subject != "" }

// TakeSchema makes a schema of a registry that of all events.
func (o *Options) TakeSchema(s *schema.Schema) (err error) {
	if o.Format == Protobuf {
		if err := usable(s, schema.Protobuf, Protobuf); err != nil {
			return err
		}
		o.Schema, o.Message, err = protobuf.BundleText(s.Text, o.Message, importsOf(s)...)
		return err
	}
	if err := usable(s, schema.Avro, Avro); err != nil {
		return err
	}
	o.Schema, err = avro.Bundle(s.Text, avroReferences(s)...)
	return err
}

// fullName returns the full name of a message of a schema; one that it lacks stays as it is.
func fullName(text, message string) string {
	if d, err := protobuf.Descriptor(text, message); err == nil {
		return string(d.FullName())
	}
	return message
}

// KeepSchema returns the options for an existing model, which has the schema of a subject for good.
func (o Options) KeepSchema(model Options) Options {
	//mutation:subject-kept
	if o.Subject != "" && o.Subject == model.Subject && o.Format == model.Format {
		o.Schema = model.Schema
		if o.Format == Protobuf {
			o.Message = fullName(o.Schema, o.Message)
		}
	}
	if o.Schema != "" && o.Schema == model.Schema {
		o.Subject = model.Subject // where it was from does not matter
	}
	return o
}
