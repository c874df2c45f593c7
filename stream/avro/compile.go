package avro

import (
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/avro"
)

// Compile compiles a schema. References are the texts of schemas with named types that it uses, those that others of
// them use first. The error says what makes the schema one of no events.
func Compile(text string, references ...string) (*Type, error) {
	cache, c := new(avro.SchemaCache), newCompiler()
	for i, s := range append(references[:len(references):len(references)], text) {
		clean, err := cleaned(s)
		if err != nil {
			return nil, err
		}
		// Names that Avro forbids are in use: those of Debezium are names of tables.
		parsed, err := cache.Parse(clean, avro.WithLaxNames(nil))
		if err != nil {
			return nil, err
		}
		root := parsed.Root()
		c.collect(root)
		top, err := c.compile(root, "")
		if err != nil {
			return nil, err
		}
		if i < len(references) {
			continue
		}
		top.settle()
		if !top.IsObject() {
			return nil, fmt.Errorf("the schema is of %s: an event is a record or a map", top.Name)
		}
		return top, nil
	}
	panic("avro: no schema")
}

// compiler compiles the types of some schemas that use each other.
type compiler struct {
	nodes map[string]*avro.SchemaNode // definitions, by full names: a type may be used before it is defined
	named map[string]*Type            // what is compiled of them
}

func newCompiler() *compiler {
	return &compiler{map[string]*avro.SchemaNode{}, map[string]*Type{}}
}

// collect finds the definitions in a schema.
func (c *compiler) collect(n *avro.SchemaNode) {
	if n == nil {
		return
	}
	if kind := primitives[n.Type]; kind == Record || kind == Enum || kind == Fixed {
		name, _ := fullName(n.Name, n.Namespace)
		c.nodes[name] = n
	}
	c.collect(n.Items)
	c.collect(n.Values)
	for i := range n.Branches {
		c.collect(&n.Branches[i])
	}
	for i := range n.Fields {
		c.collect(&n.Fields[i].Type)
	}
}

// primitives are the kinds of types that have no name of their own.
var primitives = map[string]Kind{
	"null": Null, "boolean": Boolean, "int": Int, "long": Long, "float": Float, "double": Double,
	"string": String, "bytes": Bytes, "array": Array, "map": Map, "union": Union,
	"record": Record, "error": Record, "enum": Enum, "fixed": Fixed,
}

// compile compiles a type within a namespace.
func (c *compiler) compile(n *avro.SchemaNode, namespace string) (*Type, error) {
	kind, ok := primitives[n.Type]
	if !ok {
		return c.reference(n.Type, namespace)
	}
	t := &Type{Kind: kind, Name: n.Type, Size: -1, Divisor: 1}
	switch kind {
	case Record, Enum, Fixed:
		t.Name, namespace = fullName(n.Name, n.Namespace)
		if known := c.named[t.Name]; known != nil {
			return known, nil
		}
		c.named[t.Name] = t
	}
	if err := c.parts(t, n, namespace); err != nil {
		return nil, err
	}
	t.mean(n)
	return t, nil
}

// parts compiles what a type is made of.
func (c *compiler) parts(t *Type, n *avro.SchemaNode, namespace string) (err error) {
	switch t.Kind {
	case Array:
		t.Element, err = c.compile(n.Items, namespace)
	case Map:
		t.Element, err = c.compile(n.Values, namespace)
	case Union:
		for i := range n.Branches {
			branch, failed := c.compile(&n.Branches[i], namespace)
			t.Types, err = append(t.Types, branch), errors.Join(err, failed)
		}
	case Enum:
		for _, symbol := range n.Symbols {
			t.Symbols = append(t.Symbols, []byte(symbol))
		}
	case Fixed:
		t.Size = n.Size
	case Record:
		for i := range n.Fields {
			f := &n.Fields[i]
			of, failed := c.compile(&f.Type, namespace)
			t.Fields, err = append(t.Fields, Field{[]byte(f.Name), of}), errors.Join(err, failed)
		}
	}
	return err
}

// reference returns the type of a name, which is relative to a namespace.
func (c *compiler) reference(name, namespace string) (*Type, error) {
	names := []string{name}
	if namespace != "" && !strings.Contains(name, ".") {
		names = []string{namespace + "." + name, name}
	}
	for _, full := range names {
		if t := c.named[full]; t != nil {
			return t, nil
		}
		if n := c.nodes[full]; n != nil {
			return c.compile(n, "")
		}
	}
	return nil, fmt.Errorf("the type %q is not in the schema or its references", name)
}

// fullName returns the full name of a type, and the namespace of the types in it.
func fullName(name, namespace string) (full, within string) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name, name[:i]
	}
	if namespace == "" {
		return name, ""
	}
	return namespace + "." + name, namespace
}
