package schema

import "encoding/json"

// The types of schemas, as registries name them.
const (
	Avro     = "AVRO"
	Protobuf = "PROTOBUF"
	JSON     = "JSON"
)

// Schema is what a registry said of an id. It is not changed once it is in a Store, so a pointer to it identifies what
// is compiled of it.
type Schema struct {
	Type string `json:"type"` // Avro, Protobuf, JSON, or what else the registry says
	Text string `json:"text"`
	// References are the other schemas that the text needs, those of references too, each once. One stands behind those
	// that its own text needs.
	References []Reference `json:"references,omitempty"`
	// Fault says why the schema cannot be used, if that was found when it was asked for: a reference that the registry
	// does not know, or more of them than the limits allow. Events of it are rejected as bad-schema, with this text.
	Fault string `json:"fault,omitempty"`
}

// Name returns the full name of an Avro schema that has one; else it is empty.
func (s *Schema) Name() string {
	var named struct{ Name, Namespace string }
	if s.Type != Avro || json.Unmarshal([]byte(s.Text), &named) != nil || named.Namespace == "" {
		return named.Name
	}
	return named.Namespace + "." + named.Name
}

// Reference is a schema that another one needs.
type Reference struct {
	Name    string `json:"name"` // in Protobuf the path of the import, in Avro the full name of a type
	Subject string `json:"subject"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

// Store is what is known of schemas. It may be used by any goroutine.
type Store interface {
	// Lookup returns the schema that an id means in the record at a place, always the same pointer for the same schema.
	// Where an operator has accepted another text, records that were read before have the former one. It is nil for an
	// id that the registry does not know, whose events are rejected as unknown-schema.
	Lookup(id ID, at Place) *Schema
}
