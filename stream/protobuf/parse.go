package protobuf

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Import is a schema that others import.
type Import struct{ Path, Text string }

// Compile compiles a schema of a registry: .proto text, or a FileDescriptorProto in base64. So are imports, those that
// imports need too. What comes with Protocol Buffers need not be among them. The error says what is wrong.
func Compile(text string, imports ...Import) (*File, error) {
	d, err := parse(text, imports)
	if err != nil {
		return nil, err
	}
	return compile(d), nil
}

// ownPath is the path of a schema itself, where no import has it.
const ownPath = "schema.proto"

// parse returns the descriptor of a schema of a registry.
func parse(text string, imports []Import) (protoreflect.FileDescriptor, error) {
	own := ownPath
	files := map[string]protocompile.SearchResult{}
	for _, i := range imports {
		files[i.Path] = sourceOf(i.Path, i.Text)
	}
	for files[own] != (protocompile.SearchResult{}) {
		own = "_" + own
	}
	files[own] = sourceOf(own, text)
	return link(own, files)
}

// sourceOf says what the text of a file is.
func sourceOf(path, text string) protocompile.SearchResult {
	if b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text)); err == nil && len(b) > 0 {
		d := new(descriptorpb.FileDescriptorProto)
		if proto.Unmarshal(b, d) == nil {
			d.Name = &path
			return protocompile.SearchResult{Proto: prepared(d)}
		}
	}
	return protocompile.SearchResult{Source: strings.NewReader(text)}
}

// prepared returns a descriptor as the library wants it: it refuses one without the names of fields in JSON, which some
// writers leave out, and which do not count here.
func prepared(d *descriptorpb.FileDescriptorProto) *descriptorpb.FileDescriptorProto {
	d.SourceCodeInfo = nil
	name := func(fields []*descriptorpb.FieldDescriptorProto) {
		for _, f := range fields {
			//mutation:protobuf-json-name
			if f.GetJsonName() == "" {
				f.JsonName = proto.String(jsonName(f.GetName()))
			}
		}
	}
	name(d.Extension)
	for rest := d.MessageType; len(rest) > 0; {
		m := rest[len(rest)-1]
		rest = append(rest[:len(rest)-1:len(rest)-1], m.NestedType...)
		name(m.Field)
		name(m.Extension)
	}
	return d
}

// jsonName is the name that a field has in JSON by default.
func jsonName(name string) string {
	var b strings.Builder
	for i, c := range []byte(name) {
		switch {
		case c == '_':
		case i > 0 && name[i-1] == '_' && c >= 'a' && c <= 'z':
			b.WriteByte(c - 'a' + 'A')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// link parses a file and what it imports, of these files.
func link(path string, files map[string]protocompile.SearchResult) (protoreflect.FileDescriptor, error) {
	d, err := linkFrom(path, func(path string) (protocompile.SearchResult, error) {
		if f, ok := files[path]; ok {
			return f, nil
		}
		return protocompile.SearchResult{}, fmt.Errorf("%s is imported, and is not among the references", path)
	})
	if err != nil {
		return nil, readable(err, path)
	}
	return d, nil
}

// linkFrom parses a file and what it imports. Of what open does not find, that which is built in is taken.
func linkFrom(path string, open protocompile.ResolverFunc) (d protoreflect.FileDescriptor, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the schema cannot be parsed: %v", p)
		}
	}()
	from := protocompile.WithStandardImports(protocompile.ResolverFunc(
		func(path string) (protocompile.SearchResult, error) {
			r, err := open(path)
			if file, ok := builtIn(path); ok && err != nil {
				return file, nil
			}
			return r, err
		}))
	with := protocompile.Compiler{MaxParallelism: 1, Resolver: from}
	out, err := with.Compile(context.Background(), path)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// readable is an error without the path that a schema has here.
func readable(err error, path string) error {
	text := strings.TrimPrefix(strings.ReplaceAll(err.Error(), path+":", "line "), "line ")
	if text != err.Error() {
		text = "line " + text
	}
	if !utf8.ValidString(text) {
		return errors.New("the schema is not UTF-8")
	}
	return errors.New(text)
}
