// Package schema has what events that need a schema say of it, and what is known of schemas.
//
// A Frame is read from a record: the ID of the schema that its value was written with, and where the value's data
// begin. A Store gives the Schema of an ID. Decoders only read it; who reads a partition fills it before they do.
//
// The package knows nothing of how a schema is compiled.
package schema
