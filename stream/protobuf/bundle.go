package protobuf

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Bundle reads the schema of bare values: a .proto file, whose imports are in its folder, or a FileDescriptorSet. It
// returns all of it as one text, which is equal for schemas of the same values, and the full name of the message. An
// empty name is that of the only message.
func Bundle(path, name string) (text, message string, err error) {
	m, err := messageOf(path, name)
	if err != nil {
		return "", "", err
	}
	text, err = bundled(m.ParentFile())
	return text, string(m.FullName()), err
}

// messageOf returns the message with a name, or the only one, of a file that Bundle reads.
func messageOf(path, name string) (protoreflect.MessageDescriptor, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var files []protoreflect.FileDescriptor
	if strings.HasSuffix(path, ".proto") {
		folder := os.DirFS(filepath.Dir(path))
		d, err := linkFrom(filepath.Base(path), func(path string) (r protocompile.SearchResult, err error) {
			b, err := fs.ReadFile(folder, path)
			r.Source = strings.NewReader(string(b))
			return r, err
		})
		if err != nil {
			return nil, err
		}
		files = []protoreflect.FileDescriptor{d}
	} else if files, err = ofSet(b); err != nil {
		return nil, fmt.Errorf("it is no FileDescriptorSet, as protoc --include_imports --descriptor_set_out "+
			"writes, and its name does not end in .proto: %w", err)
	}
	return chosen(files, name)
}

// BundleText is Bundle for the text of a schema of a registry, with what it imports.
func BundleText(text, name string, imports ...Import) (all, message string, err error) {
	d, err := parse(text, imports)
	if err != nil {
		return "", "", err
	}
	m, err := chosen([]protoreflect.FileDescriptor{d}, name)
	if err != nil {
		return "", "", err
	}
	all, err = bundled(d)
	return all, string(m.FullName()), err
}

// chosen returns the message that is named, or the only one.
func chosen(files []protoreflect.FileDescriptor, name string) (protoreflect.MessageDescriptor, error) {
	var names []string
	var only protoreflect.MessageDescriptor
	for _, f := range files {
		for i := range f.Messages().Len() {
			m := f.Messages().Get(i)
			names, only = append(names, string(m.FullName())), m
		}
		if m := find(f.Messages(), name); m != nil {
			return m, nil
		}
	}
	switch {
	case len(names) == 0:
		return nil, fmt.Errorf("the schema has no message")
	case name != "":
		return nil, fmt.Errorf("the schema has no message %q: it has %s", name, strings.Join(names, ", "))
	case len(names) > 1:
		return nil, fmt.Errorf("the schema has several messages: --message says which: %s", strings.Join(names, ", "))
	}
	return only, nil
}

// find returns the message with a name, with or without that of its package.
func find(among protoreflect.MessageDescriptors, name string) protoreflect.MessageDescriptor {
	for i := range among.Len() {
		m := among.Get(i)
		full, in := string(m.FullName()), string(m.ParentFile().Package())
		if name != "" && !m.IsMapEntry() && (full == name || strings.TrimPrefix(full, in+".") == name) {
			return m
		}
		if strings.HasPrefix(name+".", full+".") || strings.HasPrefix(in+"."+name+".", full+".") {
			if nested := find(m.Messages(), name); nested != nil {
				return nested
			}
		}
	}
	return nil
}

// ofSet returns the files of a FileDescriptorSet that no other one of it imports.
func ofSet(b []byte) (files []protoreflect.FileDescriptor, err error) {
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(b, &set); err != nil {
		return nil, err
	}
	if len(set.File) == 0 {
		return nil, fmt.Errorf("it has no file")
	}
	in, imported := map[string]*descriptorpb.FileDescriptorProto{}, map[string]bool{}
	for _, f := range set.File {
		in[f.GetName()] = prepared(f)
		for _, path := range f.Dependency {
			imported[path] = true
		}
	}
	for _, f := range set.File {
		if imported[f.GetName()] {
			continue
		}
		d, err := linkFrom(f.GetName(), func(path string) (r protocompile.SearchResult, err error) {
			if r.Proto = in[path]; r.Proto == nil {
				err = fmt.Errorf("the set lacks the imported file %s: protoc --include_imports has it", path)
			}
			return r, err
		})
		if err != nil {
			return nil, err
		}
		files = append(files, d)
	}
	return files, nil
}

// bundled returns a file and all that it imports as a FileDescriptorSet in base64, the file last.
func bundled(d protoreflect.FileDescriptor) (string, error) {
	var set descriptorpb.FileDescriptorSet
	had := map[string]bool{}
	var add func(protoreflect.FileDescriptor)
	add = func(d protoreflect.FileDescriptor) {
		if had[d.Path()] {
			return
		}
		had[d.Path()] = true
		for i := range d.Imports().Len() {
			add(d.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, bare(protodesc.ToFileDescriptorProto(d)))
	}
	add(d)
	own := ownPath
	for ; had[own] && own != d.Path(); own = "_" + own {
	}
	set.File[len(set.File)-1].Name = &own // it is no matter how it was called
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(&set)
	return base64.StdEncoding.EncodeToString(b), err
}

// bare removes what does not count from a file.
func bare(f *descriptorpb.FileDescriptorProto) *descriptorpb.FileDescriptorProto {
	f.SourceCodeInfo, f.Service, f.Extension = nil, nil, nil
	f.Options = fileOptions(f.Options)
	for _, e := range f.EnumType {
		bareEnum(e)
	}
	for rest := f.MessageType; len(rest) > 0; {
		m := rest[len(rest)-1]
		rest = append(rest[:len(rest)-1:len(rest)-1], m.NestedType...)
		bareMessage(m)
	}
	return f
}

func fileOptions(o *descriptorpb.FileOptions) *descriptorpb.FileOptions {
	if o.GetFeatures() == nil {
		return nil
	}
	return &descriptorpb.FileOptions{Features: bareFeatures(o.Features)}
}

func bareMessage(m *descriptorpb.DescriptorProto) {
	m.Extension, m.ReservedName, m.ReservedRange = nil, nil, nil
	if o := m.Options; o != nil {
		m.Options = &descriptorpb.MessageOptions{MapEntry: o.MapEntry, Features: bareFeatures(o.Features)}
	}
	for _, f := range m.Field {
		f.DefaultValue, f.JsonName = nil, nil
		if o := f.Options; o != nil {
			f.Options = &descriptorpb.FieldOptions{Features: bareFeatures(o.Features)}
		}
	}
	for _, of := range m.OneofDecl {
		of.Options = nil
	}
	for _, e := range m.EnumType {
		bareEnum(e)
	}
}

func bareEnum(e *descriptorpb.EnumDescriptorProto) {
	e.ReservedName, e.ReservedRange = nil, nil
	if o := e.Options; o != nil {
		e.Options = &descriptorpb.EnumOptions{AllowAlias: o.AllowAlias, Features: bareFeatures(o.Features)}
	}
	for _, v := range e.Value {
		v.Options = nil
	}
}

// bareFeatures keeps the features of an edition that say how values are written.
func bareFeatures(f *descriptorpb.FeatureSet) *descriptorpb.FeatureSet {
	if f == nil {
		return nil
	}
	return &descriptorpb.FeatureSet{FieldPresence: f.FieldPresence, EnumType: f.EnumType,
		RepeatedFieldEncoding: f.RepeatedFieldEncoding, MessageEncoding: f.MessageEncoding}
}

// Bundled compiles a message of a text that Bundle returned.
func Bundled(text, message string) (*Message, error) {
	d, err := Descriptor(text, message)
	if err != nil {
		return nil, err
	}
	return compile(d.ParentFile()).Named(string(d.FullName())), nil
}

// Descriptor returns the descriptor of a message of such a text.
func Descriptor(text, message string) (protoreflect.MessageDescriptor, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	files, err := ofSet(b)
	if err != nil {
		return nil, err
	}
	return chosen(files, message)
}

// Normalize returns the text of a schema of a registry that is equal for schemas of the same values. The error is that
// of Compile.
func Normalize(text string, imports ...Import) (string, error) {
	d, err := parse(text, imports)
	if err != nil {
		return "", err
	}
	return bundled(d)
}
