package event

import (
	"testing"

	"rosenblatt/stream/schema"
)

// TestTakeSchema: the schema of a subject is one text with all that it refers to, and equal for schemas of the same
// values; an existing model keeps the one that it has.
func TestTakeSchema(t *testing.T) {
	item := schema.Reference{Name: "shop.Item", Text: `{"type":"record","namespace":"shop","name":"Item","fields":[` +
		`{"name":"price","type":"double","doc":"of one"}]}`}
	order := func(field string) *schema.Schema {
		return &schema.Schema{Type: schema.Avro, References: []schema.Reference{item}, Text: `{"type":"record",` +
			`"name":"Order","fields":[{"name":"` + field + `","type":"shop.Item"},{"name":"b","type":"shop.Item"}]}`}
	}
	proto := &schema.Schema{Type: schema.Protobuf, Text: `syntax = "proto3"; package shop; import "item.proto"; ` +
		`message Order { Item a = 1; Item b = 2; } message Other { }`, References: []schema.Reference{
		{Name: "item.proto", Text: `syntax = "proto3"; package shop; message Item { double price = 1; }`}}}
	for _, c := range []struct {
		format, message string
		of              *schema.Schema
		value           string
	}{
		{Avro, "", order("a"), "\x00\x00\x00\x00\x00\x00\xf8\x3f\x00\x00\x00\x00\x00\x00\x00\x40"},
		{Protobuf, "Order", proto, "\x0a\x09\x09\x00\x00\x00\x00\x00\x00\xf8\x3f" +
			"\x12\x09\x09\x00\x00\x00\x00\x00\x00\x00\x40"},
	} {
		o := Defaults(c.format)
		o.Subject, o.Message = "orders-value", c.message
		if err := o.Validate(); err != nil || !o.Unasked() || o.NamesSchemas() {
			t.Fatal(c.format, err)
		}
		if got := walked(decoder(t, o), c.value); len(got) != 0 {
			t.Errorf("%s, not asked yet: %v", c.format, got)
		}
		asked := o
		if err := asked.TakeSchema(c.of); err != nil || asked.Unasked() || asked.Validate() != nil {
			t.Fatal(c.format, err, asked.Validate())
		}
		got := walked(decoder(t, asked), c.value)
		if len(got) != 2 || got[0].name != "a.price" || got[1].name != "b.price" {
			t.Errorf("%s: %v", c.format, got)
		}
		if kept := o.KeepSchema(asked); kept.Schema != asked.Schema || kept.Message != asked.Message {
			t.Errorf("%s: the model has %q of %s, kept is %q of %s", c.format, asked.Schema, asked.Message, kept.Schema,
				kept.Message)
		}
		other := asked
		other.Subject = "orders-value:2"
		if kept := other.KeepSchema(asked); kept.Subject != asked.Subject {
			t.Errorf("%s: the same schema of %s", c.format, kept.Subject)
		}
		other = o
		other.Subject = "another"
		if kept := other.KeepSchema(asked); !kept.Unasked() {
			t.Errorf("%s: another subject has the schema of the first", c.format)
		}
		if err := other.TakeSchema(&schema.Schema{Type: schema.JSON, Text: "{}"}); err == nil {
			t.Errorf("%s: json is a schema of it", c.format)
		}
	}
	o, p := Options{Format: Avro, Subject: "a"}, Options{Format: Avro, Subject: "a"}
	if o.TakeSchema(order("a")) != nil || p.TakeSchema(order("c")) != nil || o.Schema == p.Schema {
		t.Errorf("schemas of other fields are one: %s", o.Schema)
	}
}
