package protobuf

import (
	"embed"
)

// What serializers leave out of references, beside google/protobuf: files of well-known types, with the names, numbers
// and types of their fields.
//
//go:embed builtin
var builtIns embed.FS

// builtIn returns the text of a file that need not be among the references.
func builtIn(path string) (text string, ok bool) {
	b, err := builtIns.ReadFile("builtin/" + path)
	return string(b), err == nil
}
